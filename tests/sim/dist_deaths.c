/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank is killed at each of its events, while Dists are made, set, changed
 * and asked: all calls end, with success or naming the dead, and the Dists can
 * be freed.
 */
#include "tests/sim/death_scene.h"

enum { ROUNDS = 3, ITEMS = 3 };

static const int32_t idxs[ITEMS] = { 0, 1, 1 };

static struct weft_dist *create(const struct mourner *m)
{
	const struct weft_remote dests[ITEMS] = {
		{ m->right, 0 }, { m->me, 1 }, { m->left, 1 }
	};
	struct weft_dist *dist = NULL;
	int status = weft_dist_create(m->s.world, dests, ITEMS, 2, &dist);

	judged(m, WEFT_ANY_SOURCE, status);
	if (!dist != (status != WEFT_OK))
		wf_sim_fail(m->s.rank, "a Dist, and %s",
			    weft_status_name(status));
	return dist;
}

static void give_up(const struct mourner *m, struct weft_dist *dist)
{
	ok(&m->s, weft_dist_free(&dist), "free");
}

static void do_create(struct mourner *m)
{
	give_up(m, create(m));
}

static void do_ranks(struct mourner *m)
{
	const int32_t ranks[ITEMS] = { m->left, m->right, m->left };
	struct weft_dist *dist = NULL;

	ok(&m->s, weft_dist_create_empty(m->s.world, &dist), "empty");
	judged(m, WEFT_ANY_SOURCE,
	       weft_dist_set_dest_ranks(dist, ranks, ITEMS));
	give_up(m, dist);
}

static void do_idxs(struct mourner *m)
{
	struct weft_dist *dist = create(m);

	if (dist)
		judged(m, WEFT_ANY_SOURCE,
		       weft_dist_set_dest_idxs(dist, idxs, ITEMS, 2));
	give_up(m, dist);
}

static void do_globals(struct mourner *m)
{
	static const int64_t globals[ITEMS] = { 7, 5, 7 };
	struct weft_dist *dist = create(m);

	if (dist)
		judged(m, WEFT_ANY_SOURCE,
		       weft_dist_set_dest_globals(dist, globals, ITEMS));
	give_up(m, dist);
}

static void do_change(struct mourner *m)
{
	struct weft_dist *dist = create(m);

	if (dist)
		judged(m, WEFT_ANY_SOURCE,
		       weft_dist_change_comm(dist, m->s.world));
	give_up(m, dist);
}

static void do_ask(struct mourner *m)
{
	struct weft_remote dests[ITEMS];
	struct weft_dist *dist = create(m);

	if (dist)
		judged(m, WEFT_ANY_SOURCE,
		       weft_dist_items2dests(dist, dests, ITEMS));
	give_up(m, dist);
}

static const struct death_call calls[] = {
	{ "create", do_create }, { "set_dest_ranks", do_ranks },
	{ "set_dest_idxs", do_idxs }, { "set_dest_globals", do_globals },
	{ "change_comm", do_change }, { "items2dests", do_ask }
};

/* All make the same calls, as far as they have a Dist. */
static void mourn(struct wf_sim_rank *rank, void *arg)
{
	struct mourner m;

	if (!mourner_open(&m, rank, arg))
		return;
	for (m.tag = 1; m.tag <= ROUNDS; m.tag++)
		m.death->call->run(&m);
	mourner_close(&m);
}

static void every_call(void)
{
	run_every_death(calls, TAP_COUNT(calls), mourn);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a death at every event of every call", every_call }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
