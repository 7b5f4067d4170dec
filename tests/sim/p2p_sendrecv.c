/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A send and a receive in one call: what it refuses has sent nothing, and an
 * error of one half leaves the other one whole.
 */
#include <stdlib.h>
#include "tests/fail_malloc.h"
#include "tests/sim/p2p_scene.h"

enum {
	LONG = 100000
};

static struct weft_outgoing out_of(const void *data, size_t n, int to)
{
	return (struct weft_outgoing){
		data, n, &weft_type_byte, weft_to(to, 1)
	};
}

static struct weft_incoming into(void *data, size_t n, int from)
{
	return (struct weft_incoming){
		data, n, &weft_type_byte, weft_from(from, 1)
	};
}

static bool has_come(const struct scene *s)
{
	bool found = true;

	ok(s, weft_iprobe(s->world, weft_from(WEFT_ANY_SOURCE, WEFT_ANY_TAG),
			  &found, NULL), "iprobe");
	return found;
}

/* ---- what is refused ---- */

static void refuse(struct wf_sim_rank *rank, void *arg)
{
	char a[4] = "abc", b[4] = "xyz";
	struct weft_outgoing out = out_of(a, 4, 0), bad_out = out_of(a, 4, 3);
	struct weft_incoming in = into(b, 4, 0), bad_in = into(b, 4, -7);
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	expect(&s, weft_sendrecv(s.world, NULL, &in, NULL), WEFT_ERR_ARG,
	       "send is NULL");
	expect(&s, weft_sendrecv(s.world, &out, NULL, NULL), WEFT_ERR_ARG,
	       "recv is NULL");
	expect(&s, weft_sendrecv(s.world, &bad_out, &in, NULL), WEFT_ERR_RANGE,
	       "send: the rank is 3");
	expect(&s, weft_sendrecv(s.world, &out, &bad_in, NULL), WEFT_ERR_RANGE,
	       "recv: the rank is -7");
	expect(&s, weft_sendrecv_replace(s.world, NULL, out.to, NULL),
	       WEFT_ERR_ARG, "data is NULL");
	expect(&s, weft_sendrecv_replace(s.world, &in, bad_out.to, NULL),
	       WEFT_ERR_RANGE, "the rank is 3");
	in.type = NULL;
	expect(&s, weft_sendrecv_replace(s.world, &in, out.to, NULL),
	       WEFT_ERR_ARG, "type is NULL");
	if (has_come(&s) || strcmp(b, "xyz"))
		wf_sim_fail(rank, "something was sent");
	stop(&s);
}

static void refused(void)
{
	run(1, 1, refuse);
}

/* ---- no memory ---- */

enum {
	ALLOCATIONS = 8
};

static int failed;

/* Before it begins, the first of these; a long one needs more later. */
static void starve(struct wf_sim_rank *rank, void *arg)
{
	uint64_t dice = *(uint64_t *)arg;
	char data[8] = "12345678";
	struct weft_incoming in = into(data, 8, 0);
	struct weft_message_status got = { .source = -7 };
	struct scene s;
	int status;

	if (!start(&s, rank))
		return;
	fail_malloc_once(1 + (long)dice);
	status = weft_sendrecv_replace(s.world, &in, weft_to(0, 1), &got);
	fail_malloc_at(0);
	failed += status != WEFT_OK;
	if (status && (status != WEFT_ERR_NOMEM || has_come(&s) ||
		       got.source != -7))
		wf_sim_fail(rank, "%s, and something was done",
			    weft_status_name(status));
	ok(&s, weft_sendrecv_replace(s.world, &in, weft_to(0, 1), &got),
	   "again");
	if (memcmp(data, "12345678", 8) || got.bytes != 8)
		wf_sim_fail(rank, "other content");
	stop(&s);
}

static void no_memory(void)
{
	failed = 0;
	for (uint64_t dice = 0; dice < ALLOCATIONS; dice++)
		if (!run(1, dice, starve))
			return;
	TAP_CHECK(failed >= 3);
}

/* ---- one half of it ---- */

static void with_nobody(const struct scene *s, char *a, char *b)
{
	struct weft_outgoing to_none = out_of(a, 2, WEFT_PROC_NULL);
	struct weft_incoming of_none = into(b, 2, WEFT_PROC_NULL);
	struct weft_message_status got = { .bytes = 5 };

	ok(s, weft_sendrecv(s->world, &to_none, &of_none, &got), "nobody");
	if (got.source != WEFT_PROC_NULL || got.tag != WEFT_ANY_TAG ||
	    got.bytes)
		wf_sim_fail(s->rank, "something of nobody");
	of_none.data = NULL;
	of_none.n = 0;
	ok(s, weft_sendrecv_replace(s->world, &of_none,
				    weft_to(WEFT_PROC_NULL, 1), &got),
	   "nothing to nobody");
}

/* All get more than they have room for, and all have sent. */
static void halves(struct wf_sim_rank *rank, void *arg)
{
	uint64_t dice = *(uint64_t *)arg;
	size_t n = dice % 2 ? 900 : LONG;
	char *data = malloc(n);
	struct weft_message_status got = { .source = -7 };
	struct weft_incoming in;
	struct scene s;
	int other;

	if (!start(&s, rank))
		return;
	other = !weft_comm_rank(s.world);
	with_nobody(&s, data, data + 4);
	memset(data, 'a' + other, n);
	in = into(data, n / 2, other);
	if (other) {
		/* more than what replaces it here */
		struct weft_outgoing out = out_of(data, n, 1);
		char *at = malloc(n);

		in = into(at, n, 1);
		ok(&s, weft_sendrecv(s.world, &out, &in, &got), "sendrecv");
		if (got.bytes != n / 2 || at[0] != 'a')
			wf_sim_fail(rank, "not the content of the other one");
		free(at);
	} else {
		expect(&s, weft_sendrecv_replace(s.world, &in, weft_to(0, 1),
						 &got), WEFT_ERR_TRUNCATE,
		       "enlarge the buffer");
		if (got.bytes != n || data[0] != 'b' || data[n / 2] != 'a')
			wf_sim_fail(rank, "not what fits");
	}
	stop(&s);
	free(data);
}

static void one_half(void)
{
	for (uint64_t seed = 1; seed <= 10; seed++)
		if (!run(2, seed, halves))
			return;
}

/* ---- deaths ---- */

static int heard;

/* In a ring: of the victim, to it, and neither. */
static void lose_one(struct wf_sim_rank *rank, void *arg)
{
	static const size_t lengths[] = { 8, 3000, 20000, 90000 };
	int victim = *(int *)arg;
	struct scene s;

	if (!start(&s, rank))
		return;
	for (int i = 0; i < 4; i++) {
		int size = weft_comm_size(s.world);
		int me = weft_comm_rank(s.world), to = (me + 1) % size;
		int from = (me + size - 1) % size, status;
		char *data = malloc(lengths[i]);
		struct weft_incoming in = into(data, lengths[i], from);

		memset(data, me + 1, lengths[i]);
		status = weft_sendrecv_replace(s.world, &in, weft_to(to, 1),
					       NULL);
		if (status != WEFT_ERR_PEER || (to != victim && from != victim))
			ok(&s, status, "sendrecv_replace");
		if (from != victim && data[lengths[i] - 1] != from + 1)
			wf_sim_fail(rank, "other content");
		free(data);
	}
	while (wf_sim_rank(rank) == victim)
		linger(&s);
	heard++;
	(void)!weft_job_close(s.job);
}

static void deaths(void)
{
	run_deaths(100, &heard, lose_one);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "what is refused has sent nothing", refused },
		{ "no memory", no_memory },
		{ "one half of it", one_half },
		{ "deaths at any event", deaths }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
