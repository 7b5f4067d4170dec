/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cartesian graphs against digits of numbers: coordinates, ranks and shifts of
 * every grid of up to 64 ranks, what goes along their edges, also where both
 * neighbours are one rank or nobody, what remains without some dimensions,
 * duplicates, and processes that have moved.
 */
#include <limits.h>

#include "tests/sim/scene.h"

enum { NDIMS = 4, EDGES = 2 * NDIMS, KEPT = -7 };

struct model {
	int ndims, n;
	int dims[NDIMS], periods[NDIMS];
};

static void digits(const struct model *m, int rank, int *coords)
{
	for (int d = m->ndims; d-- > 0; rank /= m->dims[d])
		coords[d] = rank % m->dims[d];
}

/* As if coordinates were counted, one place after the other. */
static int number(const struct model *m, const int *coords)
{
	int rank = 0;

	for (int d = 0; d < m->ndims; d++) {
		int at = coords[d];

		for (; m->periods[d] && at < 0; at += m->dims[d])
			;
		for (; m->periods[d] && at >= m->dims[d]; at -= m->dims[d])
			;
		if (at < 0 || at >= m->dims[d])
			return WEFT_PROC_NULL;
		rank = rank * m->dims[d] + at;
	}
	return rank;
}

static int neighbour(const struct model *m, int rank, int dim, int by)
{
	int coords[NDIMS] = { 0 };

	digits(m, rank, coords);
	coords[dim] += by;
	return number(m, coords);
}

static struct weft_grid grid_of(const struct model *m)
{
	return (struct weft_grid){ m->ndims, m->dims, m->periods };
}

/* ---- what is told ---- */

static void check_shape(const struct scene *s, struct weft_comm *cart,
			const struct model *m)
{
	int dims[NDIMS] = { 0 }, periods[NDIMS] = { 0 }, ndims = -1;
	int coords[NDIMS] = { 0 }, want[NDIMS] = { 0 };
	enum weft_topo kind = WEFT_TOPO_NONE;

	digits(m, weft_comm_rank(cart), want);
	ok(s, weft_topo_kind(cart, &kind), "kind");
	ok(s, weft_cart_ndims(cart, &ndims), "ndims");
	ok(s, weft_cart_get(cart, NDIMS, dims, periods, coords), "get");
	if (kind != WEFT_TOPO_CART || ndims != m->ndims ||
	    weft_comm_size(cart) != m->n ||
	    memcmp(dims, m->dims, sizeof(dims)) ||
	    memcmp(periods, m->periods, sizeof(periods)) ||
	    memcmp(coords, want, sizeof(coords)))
		wf_sim_fail(s->rank, "another grid");
}

static void check_places(const struct scene *s, struct weft_comm *cart,
			 const struct model *m)
{
	for (int r = 0; r < m->n; r++) {
		int coords[NDIMS] = { 0 }, want[NDIMS] = { 0 }, rank = -2;

		digits(m, r, want);
		ok(s, weft_cart_coords(cart, r, NDIMS, coords), "coords");
		for (int d = 0; d < m->ndims; d++)
			coords[d] += m->periods[d] * (r % 5 - 2) * m->dims[d];
		ok(s, weft_cart_rank(cart, coords, &rank), "rank");
		digits(m, rank, coords);
		if (rank != r || memcmp(coords, want, sizeof(want)))
			wf_sim_fail(s->rank, "rank %d is %d", r, rank);
	}
}

static void check_shifts(const struct scene *s, struct weft_comm *cart,
			 const struct model *m)
{
	static const int far[] = { INT_MAX, INT_MIN };
	int me = weft_comm_rank(cart), source, dest;

	for (int d = 0; d < m->ndims; d++) {
		int n = m->dims[d];

		for (int by = -n - 1; by <= n + 1; by++) {
			ok(s, weft_cart_shift(cart, d, by, &source, &dest),
			   "shift");
			if (source != neighbour(m, me, d, -by) ||
			    dest != neighbour(m, me, d, by))
				wf_sim_fail(s->rank, "shift by %d", by);
		}
		for (int i = 0; i < 2; i++) {
			/* 2^31 is 0 in units of a period, or beyond all */
			int64_t by = m->periods[d] ? (int64_t)far[i] % n :
						     far[i] / 2;

			ok(s, weft_cart_shift(cart, d, far[i], &source, &dest),
			   "far");
			if (m->periods[d] ?
			    dest != neighbour(m, me, d, (int)by) ||
			    source != neighbour(m, me, d, (int)-by) :
			    dest >= 0 || source >= 0)
				wf_sim_fail(s->rank, "shift far");
		}
	}
}

/* ---- what goes along edges ---- */

static void check_exchange(const struct scene *s, struct weft_comm *cart,
			   const struct model *m)
{
	int32_t send[EDGES], got[EDGES], all[EDGES];
	const struct weft_type *type = &weft_type_int32;
	int me = weft_comm_rank(cart), n = 2 * m->ndims;

	for (int i = 0; i < EDGES; i++) {
		send[i] = EDGES * me + i;
		got[i] = all[i] = KEPT;
	}
	ok(s, weft_neighbor_alltoall(cart, weft_part(send, 1, type),
				     weft_part(got, 1, type)), "alltoall");
	ok(s, weft_neighbor_allgather(cart, weft_part(send, 1, type),
				      weft_part(all, 1, type)), "allgather");
	for (int i = 0; i < n; i++) {
		int far = neighbour(m, me, i / 2, i % 2 ? 1 : -1);

		/* what went the other way there comes from this side here */
		if (got[i] != (far < 0 ? KEPT : EDGES * far + (i ^ 1)) ||
		    all[i] != (far < 0 ? KEPT : EDGES * far))
			wf_sim_fail(s->rank, "%d and %d along edge %d", got[i],
				    all[i], i);
	}
}

static void check_all(const struct scene *s, struct weft_comm *cart,
		      const struct model *m)
{
	check_shape(s, cart, m);
	check_places(s, cart, m);
	check_shifts(s, cart, m);
	check_exchange(s, cart, m);
}

/* On the world: who has no place gets none. */
static void try_grid(const struct scene *s, const struct model *m)
{
	int me = weft_comm_rank(s->world), mapped = -5;
	struct weft_grid grid = grid_of(m);
	struct weft_comm *cart = NULL;

	ok(s, weft_cart_map(s->world, &grid, &mapped), "map");
	ok(s, weft_cart_create(s->world, &grid, NULL, false, &cart), "cart");
	if (!cart != (me >= m->n) ||
	    mapped != (me < m->n ? me : WEFT_UNDEFINED))
		wf_sim_fail(s->rank, "who is in the grid");
	if (cart && weft_comm_rank(cart) != me)
		wf_sim_fail(s->rank, "another rank");
	if (cart)
		check_all(s, cart, m);
	ok(s, weft_comm_free(&cart), "free");
}

/* All grids of so many places, and all ways that their dimensions end. */
static void try_grids(const struct scene *s, struct model *m, int rest, int k)
{
	if (k < m->ndims) {
		for (int d = 1; d <= rest; d++)
			if (rest % d == 0 && (k + 1 < m->ndims || d == rest)) {
				m->dims[k] = d;
				try_grids(s, m, rest / d, k + 1);
			}
		return;
	}
	for (int way = 0; rest == 1 && way < 1 << m->ndims; way++) {
		for (int d = 0; d < m->ndims; d++)
			m->periods[d] = way >> d & 1;
		try_grid(s, m);
	}
}

/* Of as many places as ranks; fewer, where one rank is left over. */
static void grids(struct wf_sim_rank *rank, void *arg)
{
	int n = wf_sim_size(rank), most = *(const int *)arg;
	struct scene s;

	if (!start(&s, rank))
		return;
	for (int k = 0; k <= most; k++) {
		struct model m = { .ndims = k, .n = k ? n : 1 };

		try_grids(&s, &m, m.n, 0);
		m.n = k && n > 1 ? n - 1 : 1;
		if (n <= 13)
			try_grids(&s, &m, m.n, 0);
	}
	stop(&s);
}

static void every_grid(void)
{
	for (int n = 1; n <= 64; n++) {
		struct wf_sim_options options;
		int most = n <= 12 || n == 64 ? 3 : 2;

		wf_sim_options_init(&options, n, 1);
		if (!sim_flow_run(&options, grids, &most))
			return;
	}
}

/* ---- what remains ---- */

static void try_rest(const struct scene *s, struct weft_comm *cart,
		     const struct model *m, int mask)
{
	int remain[NDIMS], coords[NDIMS], at[NDIMS], me = weft_comm_rank(cart);
	struct model rest = { .n = 1 };
	struct weft_comm *sub = NULL;

	digits(m, me, coords);
	for (int d = 0; d < m->ndims; d++) {
		remain[d] = mask >> d & 1 ? d - 7 : 0;
		if (!remain[d])
			continue;
		rest.dims[rest.ndims] = m->dims[d];
		rest.periods[rest.ndims++] = m->periods[d];
		rest.n *= m->dims[d];
	}
	ok(s, weft_cart_sub(cart, remain, &sub), "sub");
	if (!sub)
		return;
	check_all(s, sub, &rest);
	for (int r = 0; r < rest.n; r++) {
		int k = 0;

		digits(&rest, r, at);
		for (int d = 0; d < m->ndims; d++)
			if (remain[d])
				coords[d] = at[k++];
		if (wf_comm_world_rank(sub, r) !=
		    wf_comm_world_rank(cart, number(m, coords)))
			wf_sim_fail(s->rank, "another rank %d", r);
	}
	ok(s, weft_comm_free(&sub), "free");
}

static void rests(struct wf_sim_rank *rank, void *arg)
{
	static const struct model m = { 3, 24, { 2, 4, 3 }, { 1, 0, 1 } };
	struct weft_grid grid = grid_of(&m);
	struct weft_comm *cart = NULL;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_cart_create(s.world, &grid, NULL, false, &cart), "cart");
	for (int mask = 0; cart && mask < 8; mask++)
		try_rest(&s, cart, &m, mask);
	ok(&s, weft_comm_free(&cart), "free");
	stop(&s);
}

static void remaining(void)
{
	run(24, 1, rests);
}

/* ---- duplicates, and other processes ---- */

static void look(const struct scene *s, struct weft_comm *cart,
		 const struct model *m)
{
	struct weft_comm *twin = NULL, *later = NULL;
	struct weft_request *req = NULL;

	ok(s, weft_comm_dup(cart, &twin), "dup");
	ok(s, weft_comm_idup(cart, &later, &req), "idup");
	ok(s, weft_request_wait(req), "wait");
	ok(s, weft_request_free(&req), "free");
	ok(s, weft_comm_free(&cart), "free");
	check_all(s, twin, m);
	check_all(s, later, m);
	ok(s, weft_comm_free(&twin), "free");
	ok(s, weft_comm_free(&later), "free");
}

/*
 * On nodes of four: blocks of the first grid are better than its rows, and in
 * the other one neighbours along the first dimension have two edges.
 */
static void reorder(struct wf_sim_rank *rank, void *arg)
{
	static const struct model square = { 2, 16, { 4, 4 }, { 0, 0 } };
	static const struct model twice = { 3, 16, { 2, 4, 2 }, { 1, 0, 1 } };
	const struct model *m = strcmp(arg, "rcb") ? &twice : &square;
	struct weft_grid grid = grid_of(m);
	struct weft_comm *cart = NULL;
	struct weft_info *info = NULL;
	int64_t in = 0, moved = 0;
	struct scene s;

	if (!start(&s, rank))
		return;
	ok(&s, weft_info_create(s.job, &info), "info");
	ok(&s, weft_info_set(info, "weft_reorder", arg), "key");
	ok(&s, weft_cart_create(s.world, &grid, info, true, &cart), "cart");
	ok(&s, weft_info_free(&info), "free");
	in = cart != NULL;
	moved = cart && weft_comm_rank(cart) != wf_sim_rank(rank);
	if (cart)
		look(&s, cart, m);
	ok(&s, weft_allreduce(s.world, WEFT_IN_PLACE,
			      weft_part(&in, 1, &weft_type_int64),
			      &weft_op_sum), "sum");
	ok(&s, weft_allreduce(s.world, WEFT_IN_PLACE,
			      weft_part(&moved, 1, &weft_type_int64),
			      &weft_op_sum), "sum");
	if (in != m->n || !moved)
		wf_sim_fail(rank, "%d are in, %d have moved", (int)in,
			    (int)moved);
	stop(&s);
}

static void others(void)
{
	static char *unchecked[] = { "WEFT_CHECK=0", NULL };
	static char greedy[] = "greedy", rcb[] = "rcb";

	for (int i = 0; i < 8; i++) {
		struct wf_sim_options options;

		wf_sim_options_init(&options, i & 1 ? 16 : 20, 1);
		options.ranks_per_node = 4;
		if (i & 4)
			options.environ = unchecked;
		sim_flow_run(&options, reorder, i & 2 ? greedy : rcb);
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "every grid", every_grid },
		{ "what remains", remaining },
		{ "duplicates and other processes", others }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
