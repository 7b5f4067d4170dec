/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broadcasts that are refused, that find no memory, and whose lengths differ:
 * the next ones are as good as any.
 */
#include "tests/fail_malloc.h"
#include "tests/sim/scene.h"

enum { MOST = 6000 };

/* Few bytes make every class. */
static char *const small[] = {
	"WEFT_SLOT_MAX=1024", "WEFT_CHUNK=256", "WEFT_ARENA=64k",
	"WEFT_ARENA_MAX=256m", NULL
};

static const size_t sizes[] = {
	0, 1, 8, 28, 29, 56, 57, 300, 1024, 1025, 2048, 2049, MOST
};

static void refuses(const struct scene *s, int status, int want,
		    const char *text)
{
	if (status != want || !strstr(weft_error_text(s->job), text))
		wf_sim_fail(s->rank, "%s, not %s: %s", weft_status_name(status),
			    text, weft_error_text(s->job));
}

static void bad_arguments(struct wf_sim_rank *rank, void *arg)
{
	const struct weft_type *word = &weft_type_uint64;
	struct weft_request *req = NULL;
	struct weft_comm *world;
	uint64_t x = 1;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	world = s.world;
	if (weft_bcast(NULL, weft_part(&x, 1, word), 0) != WEFT_ERR_ARG ||
	    weft_ibcast(NULL, weft_part(&x, 1, word), 0, &req) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "no communicator");
	refuses(&s, weft_bcast(world, weft_part(&x, 1, word),
			       -1), WEFT_ERR_RANGE,
		"weft_bcast: the root is -1, and ranks are 0 to 1");
	refuses(&s, weft_bcast(world, weft_part(&x, 1, word),
			       2), WEFT_ERR_RANGE,
		"weft_bcast: the root is 2, and ranks are 0 to 1");
	refuses(&s, weft_bcast(world, weft_part(&x, 1, NULL), 0), WEFT_ERR_ARG,
		"weft_bcast: data.type is NULL");
	refuses(&s, weft_bcast(world, weft_part(NULL, 1, word),
			       0), WEFT_ERR_ARG,
		"weft_bcast: data.base is NULL with 1 elements");
	refuses(&s, weft_bcast(world, weft_part((void *)WEFT_IN_PLACE, 1, word),
			       0),
		WEFT_ERR_ARG, "weft_bcast: data.base is WEFT_IN_PLACE");
	refuses(&s, weft_bcast(world, weft_part(&x, SIZE_MAX / 8, word), 0),
		WEFT_ERR_RANGE, "exceed 2^63 bytes");
	refuses(&s, weft_ibcast(world, weft_part(&x, 1, word), 0,
				NULL), WEFT_ERR_ARG,
		"weft_ibcast: req_p is NULL");
	refuses(&s, weft_ibcast(world, weft_part(&x, 1, word), 2,
				&req), WEFT_ERR_RANGE,
		"weft_ibcast: the root is 2, and ranks are 0 to 1");
	/* None of them was made. */
	ok(&s, weft_bcast(world, weft_part(NULL, 0, word), 1), "nothing");
	give(&s, 7);
	stop(&s);
}

static void bad_input(void)
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, 2, 1);
	sim_flow_run(&options, bad_arguments, NULL);
}

struct lack {
	int at, times;			/* allocations */
};

/*
 * At one of its allocations, or from that on, rank 1 has no memory for a
 * communicator's first one, nor at one for the two behind it: errors at those
 * who wait for it, and the next ones are good.
 */
static void short_of_memory(struct wf_sim_rank *rank, void *arg)
{
	const struct lack *lack = arg;
	int me = wf_sim_rank(rank);
	struct weft_request *req[3] = { NULL };
	int64_t x[3] = { 77, 77, 77 };
	int status[3];
	struct scene s;

	if (!start(&s, rank))
		return;
	give(&s, 1);			/* the peers know each other */
	ok(&s, weft_comm_dup(s.world, &s.world), "dup");
	for (int i = 0; i < 3; i++) {
		if (me == 1)
			/* what makes up for one waits, and others go on */
			fail_malloc_some(lack->at, i ? 1 : lack->times);
		x[i] *= me == i;
		status[i] = weft_ibcast(s.world,
					weft_part(&x[i], 1, &weft_type_int64),
					i, &req[i]);
		fail_malloc_once(0);
		/* what makes up for it may wait, and others have none then */
		if (status[i] && status[i] != WEFT_ERR_NOMEM)
			wf_sim_fail(rank, "%s", weft_error_text(s.job));
	}
	for (int i = 0; i < 3; i++) {
		if (status[i])
			continue;
		status[i] = weft_request_wait(req[i]);
		ok(&s, weft_request_free(&req[i]), "give back");
		if (!status[i] && x[i] != 77)
			wf_sim_fail(rank, "%d: it is %d", i, (int)x[i]);
	}
	for (int i = 0; i < 20; i++)
		give(&s, i);
	ok(&s, weft_comm_free(&s.world), "free");
	stop(&s);
}

static bool lacks(int at, int times)
{
	struct lack lack = { at, times };
	struct wf_sim_options options;

	wf_sim_options_init(&options, 3, (uint64_t)at);
	return sim_flow_run(&options, short_of_memory, &lack);
}

/* The first ones are those of the schedule, behind which others may run. */
static void no_memory(void)
{
	for (int at = 1; at < 32; at++)
		if (!lacks(at, 1) || (at <= 8 && !lacks(at, 1000)))
			return;
}

/* Rank 1 expects another length; its status, and the next one is good. */
static void differs(struct wf_sim_rank *rank, void *arg)
{
	const size_t *n = arg;
	unsigned char data[MOST] = { 0 };
	struct scene s;
	int status;

	if (!start(&s, rank))
		return;
	for (int i = 0; i < 6; i++) {
		status = weft_bcast(s.world,
				    weft_part(data, n[wf_sim_rank(rank) == 1],
					      &weft_type_byte), 0);
		if (wf_sim_rank(rank) == 1 &&
		    status != (n[0] > n[1] ? WEFT_ERR_TRUNCATE : WEFT_ERR_SIZE))
			wf_sim_fail(rank, "lengths differ: %s",
				    weft_status_name(status));
		if (wf_sim_rank(rank) > 1)
			ok(&s, status, "another link");
	}
	for (int i = 0; i < 20; i++)
		give(&s, i);
	stop(&s);
}

static void lengths_differ(void)
{
	for (size_t a = 0; a < TAP_COUNT(sizes); a++) {
		for (size_t b = 0; b < TAP_COUNT(sizes); b++) {
			size_t n[2] = { sizes[a], sizes[b] };
			struct wf_sim_options options;

			wf_sim_options_init(&options, 3, 1 + a * 16 + b);
			options.environ = small;
			if (a != b && !sim_flow_run(&options, differs, n))
				return;
		}
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "what is refused", bad_input },
		{ "no memory, and called again", no_memory },
		{ "lengths that differ", lengths_differ }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
