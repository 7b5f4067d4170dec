/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dists are what the model says: each array, both ways, after each setter, in
 * any order and again, on an inverse, and with the ranks of another
 * communicator.
 */
#include <stdlib.h>
#include "tests/sim/dist_case.h"

/* ---- a new one of each kind ---- */

static void new_ones(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank);
	const struct dist_case *c = arg;
	struct weft_dist *dist;
	struct scene s;

	if (!start(&s, rank))
		return;
	for (int kind = 0; kind < DIST_KINDS; kind++) {
		dist = dist_case_make(c, &s, (enum dist_kind)kind);
		dist_case_check_both(c, &s, dist, dist_kinds[kind], me);
		ok(&s, weft_dist_free(&dist), "free");
	}
	dist = dist_case_create(c, &s);
	dist_case_check_both(c, &s, dist, "idxs", me);
	ok(&s, weft_dist_free(&dist), "free");
	stop(&s);
}

/* ---- one that is set again and again ---- */

static void again(struct wf_sim_rank *rank, void *arg)
{
	static const enum dist_kind order[] = {
		DIST_GLOBALS, DIST_IDXS, DIST_IDXS, DIST_GLOBALS, DIST_GLOBALS,
		DIST_RANKS, DIST_IDXS, DIST_RANKS, DIST_GLOBALS
	};
	int me = wf_sim_rank(rank);
	const struct dist_case *c = arg;
	struct weft_dist *dist;
	struct scene s;

	if (!start(&s, rank))
		return;
	dist = dist_case_make(c, &s, DIST_IDXS);
	for (int i = 0; i < TAP_COUNT(order); i++) {
		if (order[i] == DIST_RANKS)
			dist_case_ranks(c, &s, dist);
		ok(&s, weft_dist_set_roots2items(dist, NULL, 0), "unset");
		dist_case_sort(c, &s, dist, order[i]);
		dist_case_roots(c, &s, dist);
		dist_case_check_both(c, &s, dist, dist_kinds[order[i]], me);
	}
	ok(&s, weft_dist_free(&dist), "free");
	stop(&s);
}

/* ---- the ranks of another communicator ---- */

/* Where this rank is in the new one. */
static int new_rank(const struct dist_case *c, int me)
{
	for (int r = 0; r < c->ranks; r++)
		if (dist_case_line(c, "", "new2old", r)->at[0] == me)
			return r;
	return -1;
}

static void moved(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank), now;
	const struct dist_case *c = arg;
	struct weft_comm *comm = NULL, *parent = NULL;
	struct weft_dist *dist, *kept = NULL;
	struct scene s;

	if (!start(&s, rank))
		return;
	now = new_rank(c, me);
	ok(&s, weft_comm_split(s.world, 0, now, &comm), "split");
	dist = dist_case_make(c, &s, DIST_GLOBALS);
	ok(&s, weft_dist_dup(dist, &kept), "dup");
	ok(&s, weft_dist_change_comm(dist, comm), "change");
	ok(&s, weft_dist_parent_comm(dist, &parent), "parent");
	if (parent != comm)
		wf_sim_fail(rank, "another parent");
	ok(&s, weft_comm_free(&comm), "free");
	dist_case_check_both(c, &s, dist, "moved", now);
	dist_case_check_both(c, &s, kept, "globals", me);
	ok(&s, weft_dist_change_comm(dist, s.world), "change");
	dist_case_check_both(c, &s, dist, "globals", me);
	ok(&s, weft_dist_free(&dist), "free");
	ok(&s, weft_dist_free(&kept), "free");
	stop(&s);
}

/* ---- runs ---- */

static void (*program)(struct wf_sim_rank *rank, void *arg);

static void run_case(const struct dist_case *c)
{
	long first = tap_figure("FIRST_SEED", 1);
	long seeds = tap_figure("SEEDS", 5);
	struct dist_case *given = (struct dist_case *)c;

	for (long seed = first; seed < first + seeds; seed++) {
		struct wf_sim_options options;

		wf_sim_options_init(&options, c->ranks, (uint64_t)seed);
		wf_sim_options_vary(&options);
		options.environ = sim_any_env((uint64_t)(seed + c->ranks));
		if (!sim_flow_run(&options, program, given))
			return;
	}
}

static void each(void (*of)(struct wf_sim_rank *rank, void *arg))
{
	program = of;
	TAP_CHECK(dist_cases(run_case) > 0);
}

static void made_anew(void)
{
	each(new_ones);
}

static void set_again(void)
{
	each(again);
}

static void changed(void)
{
	each(moved);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "new ones, of each kind", made_anew },
		{ "set in any order, and again", set_again },
		{ "the ranks of another communicator", changed }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
