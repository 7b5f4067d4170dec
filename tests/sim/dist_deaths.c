/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank is killed at each of its events, while Dists are made, set, changed
 * and asked, and while there are exchanges: all calls end, with success or
 * naming the dead, and the Dists can be freed.
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

/* ---- exchanges ---- */

enum { ROOTS = 2 };

/* Both ends of a Dist: three items, and the two roots that they go to. */
struct ends {
	int32_t item[ITEMS], root[ROOTS];
	struct weft_packets items, roots;
};

static void fill(const struct mourner *m, struct ends *ends)
{
	for (int i = 0; i < ITEMS; i++)
		ends->item[i] = 100 * m->me + i;
	for (int k = 0; k < ROOTS; k++)
		ends->root[k] = -100 * m->me - k;
	ends->items = (struct weft_packets){
		ends->item, ITEMS, 1, &weft_type_int32
	};
	ends->roots = (struct weft_packets){
		ends->root, ROOTS, 1, &weft_type_int32
	};
}

static void equal(const struct mourner *m, const int32_t *got, int32_t want)
{
	if (*got != want)
		wf_sim_fail(m->s.rank, "%d, not %d", (int)*got, (int)want);
}

static void check_sums(const struct mourner *m, const struct ends *ends)
{
	equal(m, &ends->root[0], 100 * m->left);
	equal(m, &ends->root[1], 100 * (m->me + m->right) + 1 + 2);
}

static void check_items(const struct mourner *m, const struct ends *ends)
{
	equal(m, &ends->item[0], -100 * m->right);
	equal(m, &ends->item[1], -100 * m->me - 1);
	equal(m, &ends->item[2], -100 * m->left - 1);
}

static void do_reduce(struct mourner *m)
{
	struct weft_dist *dist = create(m);
	struct ends ends;

	fill(m, &ends);
	if (dist && judged(m, WEFT_ANY_SOURCE,
			   weft_dist_exch_reduce(dist, &ends.items,
						 &weft_op_sum, &ends.roots)))
		check_sums(m, &ends);
	give_up(m, dist);
}

static bool arrives(struct mourner *m, int status, struct weft_request *req)
{
	return judged(m, WEFT_ANY_SOURCE, status) &&
	       judge(m, WEFT_ANY_SOURCE, weft_request_wait(req), req);
}

/* Both ways at once. */
static void do_nonblocking(struct mourner *m)
{
	struct weft_dist *dist = create(m), *inverse = NULL;
	struct weft_request *there = NULL, *back = NULL;
	int status[2];
	struct ends to, from;

	if (!dist)
		return;
	ok(&m->s, weft_dist_invert(dist, &inverse), "invert");
	fill(m, &to);
	fill(m, &from);
	status[0] = weft_dist_iexch_reduce(dist, &to.items, &weft_op_sum,
					   &to.roots, &there);
	status[1] = weft_dist_iexch(inverse, &from.roots, &from.items, &back);
	give_up(m, dist);
	if (arrives(m, status[1], back))
		check_items(m, &from);
	if (arrives(m, status[0], there))
		check_sums(m, &to);
	ok(&m->s, weft_request_free(&there), "free");
	ok(&m->s, weft_request_free(&back), "free");
	give_up(m, inverse);
}

static void do_persistent(struct mourner *m)
{
	struct weft_dist *dist = create(m);
	struct weft_request *req = NULL;
	struct ends ends;

	fill(m, &ends);
	if (dist)
		judged(m, WEFT_ANY_SOURCE,
		       weft_dist_exch_reduce_init(dist, &ends.items,
						  &weft_op_sum, &ends.roots,
						  &req));
	for (int i = 0; req && i < 2; i++) {
		fill(m, &ends);
		if (arrives(m, weft_request_start(req), req))
			check_sums(m, &ends);
	}
	ok(&m->s, weft_request_free(&req), "free");
	give_up(m, dist);
}

static const struct death_call calls[] = {
	{ "create", do_create }, { "set_dest_ranks", do_ranks },
	{ "set_dest_idxs", do_idxs }, { "set_dest_globals", do_globals },
	{ "change_comm", do_change }, { "items2dests", do_ask },
	{ "exch_reduce", do_reduce }, { "iexch", do_nonblocking },
	{ "exch_reduce_init", do_persistent }
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
