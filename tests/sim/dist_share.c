/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inverses and dups: what one of them is set to never shows in another; they
 * outlive what they were made of; and making one takes no message and one
 * allocation, of the same size for any pattern.
 */
#include "tests/fail_malloc.h"
#include "tests/sim/dist_case.h"

enum { ITEMS = 6 };

/* ---- all answers of a case, in spite of what others are set to ---- */

/* A root for all items of each source. */
static void disturb(const struct scene *s, struct weft_dist *dist)
{
	int32_t *zeros, offs[2] = { 0, 0 };
	size_t n = 0, nitems = 0;

	ok(s, weft_dist_nsrcs(dist, &n), "nsrcs");
	ok(s, weft_dist_nitems(dist, &nitems), "nitems");
	zeros = calloc(n + 1, sizeof(*zeros));
	ok(s, weft_dist_set_dest_idxs(dist, zeros, n, 1), "idxs");
	offs[1] = (int32_t)nitems;
	ok(s, weft_dist_set_roots2items(dist, offs, 1), "roots");
	free(zeros);
}

/* Each handle is disturbed by itself, and then starts a new pattern. */
static void apart(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank);
	const struct dist_case *c = arg;
	struct weft_dist *dist, *dup = NULL, *inverse = NULL, *twice = NULL;
	struct scene s;

	if (!start(&s, rank))
		return;
	dist = dist_case_make(c, &s, DIST_IDXS);
	ok(&s, weft_dist_dup(dist, &dup), "dup");
	ok(&s, weft_dist_invert(dist, &inverse), "invert");
	ok(&s, weft_dist_invert(inverse, &twice), "invert");
	disturb(&s, inverse);
	dist_case_check_both(c, &s, dist, "idxs", me);
	disturb(&s, dup);
	dist_case_check_both(c, &s, twice, "idxs", me);
	ok(&s, weft_dist_set_dest_ranks(dup, NULL, 0), "ranks");
	ok(&s, weft_dist_set_dest_ranks(inverse, NULL, 0), "ranks");
	dist_case_check_both(c, &s, dist, "idxs", me);
	ok(&s, weft_dist_free(&dist), "free");
	dist_case_check_both(c, &s, twice, "idxs", me);
	ok(&s, weft_dist_free(&dup), "free");
	ok(&s, weft_dist_free(&inverse), "free");
	ok(&s, weft_dist_free(&twice), "free");
	stop(&s);
}

static void run_case(const struct dist_case *c)
{
	struct dist_case *given = (struct dist_case *)c;
	struct wf_sim_options options;

	wf_sim_options_init(&options, c->ranks, 1);
	wf_sim_options_vary(&options);
	sim_flow_run(&options, apart, given);
}

/* ---- setters of an inverse ---- */

/* Named by reverse roots, forward items are sorted; and then the other way. */
static void on_inverse(struct wf_sim_rank *rank, void *arg)
{
	int n = wf_sim_size(rank), me = wf_sim_rank(rank), next = (me + 1) % n;
	struct weft_remote got[ITEMS];
	struct weft_dist *dist = NULL, *inverse = NULL, *back = NULL;
	struct weft_remote dests[ITEMS];
	static const int64_t falling[] = { 60, 50, 40, 30, 20, 10 };
	const int32_t *places;
	struct scene s;
	size_t count = 0;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int i = 0; i < ITEMS; i++)
		dests[i] = (struct weft_remote){ next, i };
	ok(&s, weft_dist_create(s.world, dests, ITEMS, ITEMS, &dist), "create");
	ok(&s, weft_dist_invert(dist, &inverse), "invert");
	for (int twice = 0; twice < 2; twice++)
		ok(&s, weft_dist_set_dest_globals(inverse, falling, ITEMS),
		   "globals");
	ok(&s, weft_dist_invert(inverse, &back), "back");
	ok(&s, weft_dist_items2content(back, &places, &count), "places");
	ok(&s, weft_dist_items2dests(back, got, ITEMS), "dests");
	for (int i = 0; i < ITEMS; i++)
		if (places[i] != ITEMS - 1 - i || got[i].rank != next ||
		    got[i].idx != ITEMS - 1 - i)
			wf_sim_fail(rank, "item %d is at %d", i, places[i]);
	ok(&s, weft_dist_free(&back), "free");
	ok(&s, weft_dist_free(&inverse), "free");
	ok(&s, weft_dist_free(&dist), "free");
	stop(&s);
}

/* ---- a new pattern of an inverse ---- */

/* Does all of it go to that rank, in order? */
static void check_dests(const struct scene *s, struct weft_dist *dist,
			size_t n, int32_t rank)
{
	struct weft_remote got[3];

	ok(s, weft_dist_items2dests(dist, got, n), "dests");
	for (size_t i = 0; i < n; i++)
		if (got[i].rank != rank || got[i].idx != (int32_t)i)
			wf_sim_fail(s->rank, "item %zu goes to {%d, %d}", i,
				    got[i].rank, got[i].idx);
}

/* So many items to the next rank that no two neighbours have as many. */
static void anew(struct wf_sim_rank *rank, void *arg)
{
	int n = wf_sim_size(rank), me = wf_sim_rank(rank);
	const int32_t next[] = { (me + 1) % n, (me + 1) % n, (me + 1) % n };
	const int32_t far = (me + n / 2) % n;
	struct weft_dist *dist = NULL, *inverse = NULL;
	size_t items = 1 + (size_t)me % 3;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_dist_create_empty(s.world, &dist), "empty");
	ok(&s, weft_dist_set_dest_ranks(dist, &far, 1), "ranks");
	ok(&s, weft_dist_invert(dist, &inverse), "invert");
	ok(&s, weft_dist_set_dest_ranks(inverse, next, items), "ranks");
	check_dests(&s, inverse, items, next[0]);
	check_dests(&s, dist, 1, far);
	ok(&s, weft_dist_free(&inverse), "free");
	ok(&s, weft_dist_free(&dist), "free");
	stop(&s);
}

/* ---- what one costs ---- */

static void cheap(struct wf_sim_rank *rank, void *arg)
{
	enum { MANY = 20000 };
	int32_t *ranks = calloc(MANY, sizeof(*ranks));
	struct weft_dist *dist = NULL, *inverse = NULL;
	struct scene s;
	uint64_t now;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_dist_create_empty(s.world, &dist), "empty");
	ok(&s, weft_dist_set_dest_ranks(dist, ranks, MANY), "ranks");
	now = wf_sim_now(rank);
	fail_malloc_at(0);
	ok(&s, weft_dist_invert(dist, &inverse), "invert");
	if (fail_malloc_count() != 1 || wf_sim_now(rank) != now)
		wf_sim_fail(rank, "%ld allocations", fail_malloc_count());
	ok(&s, weft_dist_free(&inverse), "free");
	ok(&s, weft_dist_free(&dist), "free");
	free(ranks);
	stop(&s);
}

static void sharing(void)
{
	TAP_CHECK(dist_cases(run_case) > 0);
}

static void inverses(void)
{
	for (int ranks = 1; ranks < 6; ranks++)
		run(ranks, (uint64_t)ranks, on_inverse);
}

static void new_patterns(void)
{
	for (int ranks = 1; ranks < 8; ranks++)
		run(ranks, (uint64_t)ranks, anew);
}

static void costs(void)
{
	run(1, 1, cheap);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "what one is set to does not show in others", sharing },
		{ "setters of an inverse", inverses },
		{ "a new pattern of an inverse", new_patterns },
		{ "an inverse is one allocation", costs }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
