/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A pattern moves to another communicator with those that join and without
 * those that stay outside; patterns of several parents live on side by side.
 */
#include "tests/sim/scene.h"

enum { MOST = 9 };

/* To the next but one of them, with its number, and to itself. */
static void draw(struct weft_remote *dests, int me, int n)
{
	dests[0] = (struct weft_remote){ (me + 2) % n, 1 };
	dests[1] = (struct weft_remote){ me, 0 };
}

static struct weft_dist *create(const struct scene *s, struct weft_comm *comm)
{
	struct weft_remote dests[2];
	struct weft_dist *dist = NULL;

	draw(dests, weft_comm_rank(comm), weft_comm_size(comm));
	ok(s, weft_dist_create(comm, dests, 2, 2, &dist), "create");
	return dist;
}

/* Rank r of the old parent is a + b r of the new one. */
static void check(const struct scene *s, struct weft_dist *dist,
		  const struct weft_remote *old, int a, int b)
{
	struct weft_remote got[2];

	ok(s, weft_dist_items2dests(dist, got, 2), "dests");
	for (int i = 0; i < 2; i++)
		if (got[i].rank != a + b * old[i].rank ||
		    got[i].idx != old[i].idx)
			wf_sim_fail(s->rank, "item %d goes to {%d, %d}", i,
				    got[i].rank, got[i].idx);
}

/* ---- one that joins ---- */

/* The last rank is added, and all of them are in the order from its end. */
static void join(struct wf_sim_rank *rank, void *arg)
{
	int n = wf_sim_size(rank), me = wf_sim_rank(rank);
	struct weft_comm *part = NULL, *all = NULL;
	struct weft_remote dests[2];
	struct weft_dist *dist = NULL;
	size_t nitems = 1;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_split(s.world, me == n - 1, 0, &part), "split");
	ok(&s, weft_comm_split(s.world, 0, -me, &all), "split");
	if (me < n - 1)
		dist = create(&s, part);
	else
		ok(&s, weft_dist_create(part, NULL, 0, 0, &dist), "create");
	ok(&s, weft_comm_free(&part), "free");
	ok(&s, weft_dist_change_comm(dist, all), "change");
	if (me < n - 1) {
		draw(dests, me, n - 1);
		check(&s, dist, dests, n - 1, -1);
	} else {
		ok(&s, weft_dist_items2dests(dist, NULL, 0), "dests");
		ok(&s, weft_dist_nritems(dist, &nitems), "nritems");
	}
	if (me == n - 1 && nitems)
		wf_sim_fail(rank, "%zu items arrive", nitems);
	/* It is one of them: a new pattern of all. */
	ok(&s, weft_dist_set_dest_ranks(dist, &(int32_t){ 0 }, 1), "ranks");
	ok(&s, weft_dist_nritems(dist, &nitems), "nritems");
	if (nitems != (me == n - 1 ? (size_t)n : 0))
		wf_sim_fail(rank, "%zu items arrive", nitems);
	ok(&s, weft_dist_free(&dist), "free");
	ok(&s, weft_comm_free(&all), "free");
	stop(&s);
}

/* ---- one that stays outside ---- */

/* Rank 0 has no items. */
static void stay(struct wf_sim_rank *rank, void *arg)
{
	int n = wf_sim_size(rank), me = wf_sim_rank(rank);
	struct weft_remote dests[2], old[2];
	struct weft_comm *part = NULL, *parent = NULL;
	struct weft_dist *dist = NULL;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	draw(dests, me - 1, n - 1);
	draw(old, me - 1, n - 1);
	for (int i = 0; i < 2; i++)
		dests[i].rank++;
	ok(&s, weft_dist_create(s.world, dests, me ? 2 : 0, me ? 2 : 0, &dist),
	   "create");
	ok(&s, weft_comm_split(s.world, me > 0, 0, &part), "split");
	if (me) {
		ok(&s, weft_dist_change_comm(dist, part), "change");
		check(&s, dist, old, 0, 1);
	}
	ok(&s, weft_dist_parent_comm(dist, &parent), "parent");
	if (parent != (me ? part : s.world))
		wf_sim_fail(rank, "another parent");
	ok(&s, weft_dist_free(&dist), "free");
	ok(&s, weft_comm_free(&part), "free");
	stop(&s);
}

/* ---- several patterns ---- */

/* Those of even ranks, and those of odd ones. */
static void together(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank);
	struct weft_comm *part = NULL;
	struct weft_remote dests[2];
	struct weft_dist *dist;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_split(s.world, me % 2, 0, &part), "split");
	dist = create(&s, part);
	draw(dests, weft_comm_rank(part), weft_comm_size(part));
	ok(&s, weft_dist_change_comm(dist, s.world), "change");
	check(&s, dist, dests, me % 2, 2);
	ok(&s, weft_dist_change_comm(dist, part), "back");
	check(&s, dist, dests, 0, 1);
	ok(&s, weft_dist_free(&dist), "free");
	ok(&s, weft_comm_free(&part), "free");
	stop(&s);
}

static void at_all_sizes(void (*program)(struct wf_sim_rank *rank, void *arg))
{
	long first = tap_figure("FIRST_SEED", 1);
	long seeds = tap_figure("SEEDS", 3);

	for (long seed = first; seed < first + seeds; seed++)
		for (int ranks = 2; ranks <= MOST; ranks++)
			if (!run(ranks, (uint64_t)seed, program))
				return;
}

static void joins(void)
{
	at_all_sizes(join);
}

static void stays(void)
{
	at_all_sizes(stay);
}

static void several(void)
{
	at_all_sizes(together);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "one joins, that had none", joins },
		{ "one without items stays outside", stays },
		{ "those of several parents", several }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
