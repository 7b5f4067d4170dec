/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gathers and scatters of ranks with different sizes: a rank that has another
 * one than the root says is an error at who sees it, and one without memory an
 * error at who waits for it; the next ones are good.
 */
#include <string.h>
#include "tests/fail_malloc.h"
#include "tests/sim/scene.h"

enum { RANKS = 20 };

static char *const narrow[] = { "WEFT_COLL=radix:2", NULL };

struct twist {
	int root, culprit;
	bool gathers;
	int n;				/* of the culprit, instead of its own */
	int at;				/* the allocation that fails; 0: none */
	bool init;			/* of a persistent one */
};

/* What all have: rank r has r % 3 numbers. */
struct table {
	size_t counts[RANKS];
	ptrdiff_t displs[RANKS];
	int64_t all[3 * RANKS], own[4];
};

static void fill(struct table *t, const struct scene *s)
{
	ptrdiff_t at = 0;

	memset(t, 0, sizeof(*t));
	for (int r = 0; r < wf_sim_size(s->rank); r++) {
		t->counts[r] = (size_t)r % 3;
		t->displs[r] = at;
		for (int i = 0; i < r % 3; i++)
			t->all[at++] = 100 * r + i;
	}
}

static void check_number(const struct scene *s, int64_t x, int64_t want)
{
	if (x != want)
		wf_sim_fail(s->rank, "%d is there instead of %d", (int)x,
			    (int)want);
}

/* One of them, by n numbers of this rank; the root's are told by the table. */
static int call(const struct scene *s, const struct twist *twist,
		struct table *t, size_t n, struct weft_request **req_p)
{
	const struct weft_type *word = &weft_type_int64;
	int me = wf_sim_rank(s->rank);
	struct weft_vec all = {
		.base = t->all, .type = word, .counts = t->counts,
		.displs = t->displs
	};
	struct weft_part own = weft_part(t->own, n, word);

	for (int i = 0; i < 4; i++)
		t->own[i] = twist->gathers ? 100 * me + i : -1;
	if (me == twist->root && twist->gathers)
		memset(t->all, 0xff, sizeof(t->all));
	if (me != twist->root)
		memset(&all, 0xff, sizeof(all));	/* not looked at */
	if (twist->gathers)
		return (twist->init ? weft_gatherv_init : weft_igatherv)
		       (s->world, own, &all, twist->root, req_p);
	return (twist->init ? weft_scatterv_init : weft_iscatterv)
	       (s->world, &all, own, twist->root, req_p);
}

static void check_values(const struct scene *s, const struct twist *twist,
			 const struct table *t)
{
	int me = wf_sim_rank(s->rank);

	for (int i = 0; i < me % 3 && !twist->gathers; i++)
		check_number(s, t->own[i], 100 * me + i);
	if (!twist->gathers || me != twist->root)
		return;
	for (int r = 0; r < wf_sim_size(s->rank); r++)
		for (int i = 0; i < r % 3; i++)
			check_number(s, t->all[t->displs[r] + i], 100 * r + i);
}

/* Without anything amiss. */
static void call_well(const struct scene *s, struct twist twist)
{
	struct weft_request *req = NULL;
	struct table t;

	twist.init = false;
	fill(&t, s);
	ok(s, call(s, &twist, &t, (size_t)wf_sim_rank(s->rank) % 3, &req),
	   "a good one");
	if (!req)
		return;
	ok(s, weft_request_wait(req), "wait");
	ok(s, weft_request_free(&req), "free");
	check_values(s, &twist, &t);
}

/* Who sees it: the root of a gather, the culprit of a scatter. */
static void judge(const struct scene *s, const struct twist *twist, int status)
{
	int me = wf_sim_rank(s->rank);
	int want = (twist->n > twist->culprit % 3) == twist->gathers ?
		   WEFT_ERR_TRUNCATE : WEFT_ERR_SIZE;

	if (me == (twist->gathers ? twist->root : twist->culprit) &&
	    status != want)
		wf_sim_fail(s->rank, "%s instead of %s",
			    weft_status_name(status), weft_status_name(want));
	if (status && status != WEFT_ERR_TRUNCATE && status != WEFT_ERR_SIZE)
		wf_sim_fail(s->rank, "%s: %s", weft_status_name(status),
			    weft_error_text(s->job));
}

static void differs(struct wf_sim_rank *rank, void *arg)
{
	const struct twist *twist = arg;
	int me = wf_sim_rank(rank), status;
	struct weft_request *req = NULL;
	struct table t;
	struct scene s;

	if (!start(&s, rank))
		return;
	fill(&t, &s);
	status = call(&s, twist, &t, (size_t)(me == twist->culprit ?
					      twist->n : me % 3), &req);
	if (req) {
		status = weft_request_wait(req);
		ok(&s, weft_request_free(&req), "free");
	}
	judge(&s, twist, status);
	for (int i = 0; i < 6; i++)
		call_well(&s, *twist);
	give(&s, 5);
	stop(&s);
}

static bool play(int size, char *const *environ, struct twist *twist,
		void (*program)(struct wf_sim_rank *rank, void *arg))
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, size, 1);
	options.environ = environ;
	return sim_flow_run(&options, program, twist);
}

/* By all roots and culprits, of a mesh and of trees. */
static void differ_by(int size, char *const *environ)
{
	for (int i = 0; i < 2 * size * size; i++) {
		struct twist twist = {
			.gathers = i % 2, .root = i / 2 / size,
			.culprit = i / 2 % size
		};

		twist.n = twist.culprit % 3 + (i % 3 || !(twist.culprit % 3) ?
					       1 : -1);
		if (twist.root != twist.culprit &&
		    !play(size, environ, &twist, differs))
			return;
	}
}

static void lengths_differ(void)
{
	differ_by(3, NULL);
	differ_by(6, narrow);
	differ_by(11, NULL);
}

/* The root names the rank, and its bytes. */
static void names(struct wf_sim_rank *rank, void *arg)
{
	const char *want = "weft_igatherv: rank 7 gives 16 bytes, and the "
			   "root, rank 2, wants 8 of it";
	const struct twist *twist = arg;
	struct weft_request *req = NULL;
	int me = wf_sim_rank(rank);
	struct table t;
	struct scene s;

	if (!start(&s, rank))
		return;
	fill(&t, &s);
	ok(&s, call(&s, twist, &t, me == 7 ? 2 : (size_t)me % 3, &req),
	   "call");
	if (weft_request_wait(req) && me == 2 &&
	    !strstr(weft_error_text(s.job), want))
		wf_sim_fail(rank, "%s", weft_error_text(s.job));
	ok(&s, weft_request_free(&req), "free");
	call_well(&s, *twist);
	stop(&s);
}

static void names_the_rank(void)
{
	struct twist twist = { .gathers = true, .root = 2 };

	play(12, NULL, &twist, names);
}

/*
 * The second call is of a communicator that knows everybody already.  What
 * waits lets the others run, whose allocations are counted, too: they do
 * nothing else until that is over, and a barrier takes no memory any more.
 */
static void lacks(struct wf_sim_rank *rank, void *arg)
{
	const struct twist *twist = arg;
	int me = wf_sim_rank(rank), status;
	struct weft_request *req = NULL;
	struct table t;
	struct scene s;

	if (!start(&s, rank))
		return;
	for (int i = 0; i < 8; i++)
		ok(&s, weft_barrier(s.world), "barrier");
	if (twist->n)
		call_well(&s, *twist);
	fill(&t, &s);
	ok(&s, weft_barrier(s.world), "barrier");
	if (me == twist->culprit)
		fail_malloc_once(twist->at);
	status = call(&s, twist, &t, (size_t)me % 3, &req);
	if (twist->init)
		ok(&s, weft_barrier(s.world), "barrier");
	if (me == twist->culprit)
		fail_malloc_once(0);
	ok(&s, weft_barrier(s.world), "barrier");
	if (!status && !twist->init)
		status = weft_request_wait(req);
	if (req)
		ok(&s, weft_request_free(&req), "free");
	if (status && status != WEFT_ERR_NOMEM)
		wf_sim_fail(rank, "%s: %s", weft_status_name(status),
			    weft_error_text(s.job));
	if (!status && !twist->init)
		check_values(&s, twist, &t);
	for (int i = 0; i < 6; i++)
		call_well(&s, *twist);
	give(&s, 5);
	stop(&s);
}

/* In each form, of the first and of the second call. */
static void no_memory(void)
{
	for (int i = 0; i < 8; i++)
		for (int at = 1; at < 50; at++) {
			struct twist twist = {
				.gathers = i & 1, .init = i & 2, .n = i & 4,
				.root = at % 5, .culprit = 1, .at = at
			};

			if (!play(5, narrow, &twist, lacks))
				return;
		}
}

/* A refused one is an error at all ranks, before any of them waits. */
static void refused(struct wf_sim_rank *rank, void *arg)
{
	const struct twist *twist = arg;
	struct weft_request *req = NULL;
	struct table t;
	struct scene s;
	int status;

	if (!start(&s, rank))
		return;
	fill(&t, &s);
	if (wf_sim_rank(rank) == twist->root)
		t.counts[0] = SIZE_MAX;
	status = call(&s, twist, &t, (size_t)wf_sim_rank(rank) % 3, &req);
	if (status != WEFT_ERR_RANGE || req)
		wf_sim_fail(rank, "%s: %s", weft_status_name(status),
			    weft_error_text(s.job));
	call_well(&s, *twist);
	stop(&s);
}

static void refused_at_the_root(void)
{
	for (int i = 0; i < 10; i++) {
		struct twist twist = {
			.gathers = i % 2, .root = i / 2, .init = true
		};

		if (!play(5, narrow, &twist, refused))
			return;
	}
}

/* A device fails what one rank says, and whether others hear of it differs. */
static void faulty(struct wf_sim_rank *rank, void *arg)
{
	const struct twist *twist = arg;
	struct weft_request *req = NULL;
	struct table t;
	struct scene s;
	int status;

	if (!start(&s, rank))
		return;
	for (int i = 0; i < 8; i++)
		ok(&s, weft_barrier(s.world), "barrier");
	call_well(&s, *twist);
	fill(&t, &s);
	if (wf_sim_rank(rank) == twist->culprit)
		wf_sim_set_faults(rank, (unsigned)twist->at, 0);
	status = call(&s, twist, &t, (size_t)wf_sim_rank(rank) % 3, &req);
	wf_sim_set_faults(rank, 0, 0);
	if (status && status != WEFT_ERR_DEVICE)
		wf_sim_fail(rank, "%s: %s", weft_status_name(status),
			    weft_error_text(s.job));
	if (req)
		ok(&s, weft_request_free(&req), "free");
	stop(&s);
}

static void fails_at_some(void)
{
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct twist twist = {
			.gathers = seed & 1, .init = true, .culprit = 6,
			.at = 2 << seed % 4
		};
		struct wf_sim_options options;

		wf_sim_options_init(&options, 12, seed);
		sim_flow_run(&options, faulty, &twist);
	}
}

/* The job closes over those whose sizes nobody knows so far. */
static void left_open(struct wf_sim_rank *rank, void *arg)
{
	struct twist twist = *(const struct twist *)arg;
	struct weft_request *req[6] = { NULL };
	struct table t[6];
	struct scene s;

	if (!start(&s, rank))
		return;
	for (int i = 0; i < 6; i++) {
		twist.root = i % 5;
		twist.gathers = i % 2;
		fill(&t[i], &s);
		ok(&s, call(&s, &twist, &t[i],
			    (size_t)wf_sim_rank(rank) % 3, &req[i]), "call");
	}
	stop(&s);
}

static void left_under_way(void)
{
	struct twist twist = { .root = 0 };

	play(5, narrow, &twist, left_open);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "lengths that differ", lengths_differ },
		{ "the root names the rank", names_the_rank },
		{ "no memory, and called again", no_memory },
		{ "persistent, refused at the root", refused_at_the_root },
		{ "a device fails it at some ranks", fails_at_some },
		{ "closed while under way", left_under_way }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
