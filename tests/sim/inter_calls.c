/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives of intercommunicators: each of them in its three forms, of each
 * pair of group sizes from 1 to 5, from and to each root, against what a rank
 * can tell by itself; reductions by an operation that does not commute.
 */
#include "tests/sim/inter_pair.h"

/* A map x -> ax + b in one number; maps do not commute. */
static uint64_t map_of(int64_t x)
{
	return (uint64_t)(2 * x + 1) << 32 | (uint32_t)(x * x);
}

static uint64_t chain(uint64_t f, uint64_t g)
{
	uint32_t a = (uint32_t)(f >> 32), b = (uint32_t)f;

	return (uint64_t)(a * (uint32_t)(g >> 32)) << 32 |
	       (a * (uint32_t)g + b);
}

static void chain_all(const void *in, void *inout, size_t n,
		      const struct weft_type *of, void *arg)
{
	const uint64_t *f = in;
	uint64_t *g = inout;

	(void)of;
	(void)arg;
	for (size_t i = 0; i < n; i++)
		g[i] = chain(f[i], g[i]);
}

/* ---- the three forms ---- */

static void complete(const struct pair *p, struct weft_request *req)
{
	for (int k = 0; req && k < STARTS; k++) {
		if (p->form == PERSISTENT)
			ok(&p->s, weft_request_start(req), "start");
		ok(&p->s, weft_request_wait(req), "wait");
		if (p->form != PERSISTENT)
			break;
	}
	ok(&p->s, weft_request_free(&req), "free");
}

#define CALL(p, name, ...)                                                   \
	do {                                                                 \
		struct weft_request *req_ = NULL;                            \
									     \
		ok(&(p)->s, (p)->form == BLOCKS ?                            \
		   weft_##name((p)->comm, __VA_ARGS__) :                     \
		   (p)->form == ONCE ?                                       \
		   weft_i##name((p)->comm, __VA_ARGS__, &req_) :             \
		   weft_##name##_init((p)->comm, __VA_ARGS__, &req_), #name);\
		if (req_)                                                    \
			complete(p, req_);                                   \
	} while (0)

/* ---- with a root ---- */

/* What this rank passes as the root. */
static int root_of(const struct pair *p, int side, int root)
{
	if (p->side != side)
		return root;
	return p->rank == root ? WEFT_ROOT : WEFT_PROC_NULL;
}

static bool is_root(const struct pair *p, int side, int root)
{
	return p->side == side && p->rank == root;
}

static void check_bcast(const struct pair *p, int side, int root)
{
	int64_t x[N];

	if (p->side == side)
		fill(p, x, N);
	else
		keep(x, N);
	CALL(p, bcast, weft_part(x, N, type), root_of(p, side, root));
	for (int i = 0; i < N; i++)
		expect(p, x[i], p->side == side ?
		       given(side, p->rank, i) : given(side, root, i),
		       "bcast", i);
}

static void check_gather(const struct pair *p, int side, int root)
{
	int64_t x[N], all[MOST * N + 1];

	fill(p, x, N);
	keep(all, MOST * N + 1);
	CALL(p, gather, weft_part(x, N, type), weft_part(all, N, type),
	     root_of(p, side, root));
	for (int i = 0; i <= MOST * N; i++)
		expect(p, all[i], is_root(p, side, root) &&
		       i < remote_size(p) * N ?
		       given(!side, i / N, i % N) : KEPT, "gather", i);
}

static void check_scatter(const struct pair *p, int side, int root)
{
	int64_t x[N], all[MOST * N];

	keep(x, N);
	fill(p, all, MOST * N);
	CALL(p, scatter, weft_part(all, N, type), weft_part(x, N, type),
	     root_of(p, side, root));
	for (int i = 0; i < N; i++)
		expect(p, x[i], p->side == side ? KEPT :
		       given(side, root, p->rank * N + i), "scatter", i);
}

/* Rank r has r of them, so that the first one has nothing. */
struct uneven {
	int counts[MOST], displs[MOST];
};

static struct uneven uneven(void)
{
	struct uneven u;

	for (int r = 0; r < MOST; r++) {
		u.counts[r] = r;
		u.displs[r] = r * MOST + 1;
	}
	return u;
}

static struct weft_vec vec_of(const struct uneven *u, int64_t *all)
{
	return (struct weft_vec){
		.base = all, .type = type, .int_counts = u->counts,
		.int_displs = u->displs
	};
}

static void expect_uneven(const struct pair *p, const int64_t *all,
			  const char *of)
{
	int64_t want[MOST * MOST + 1];

	keep(want, MOST * MOST + 1);
	for (int r = 0; r < remote_size(p); r++)
		for (int i = 0; i < r; i++)
			want[r * MOST + 1 + i] = given(!p->side, r, i);
	for (int i = 0; i <= MOST * MOST; i++)
		expect(p, all[i], want[i], of, i);
}

static void check_gatherv(const struct pair *p, int side, int root)
{
	int64_t x[MOST], all[MOST * MOST + 1];
	struct uneven u = uneven();
	struct weft_vec vec = vec_of(&u, all);

	fill(p, x, MOST);
	keep(all, MOST * MOST + 1);
	CALL(p, gatherv, weft_part(x, (size_t)p->rank, type), &vec,
	     root_of(p, side, root));
	if (is_root(p, side, root))
		expect_uneven(p, all, "gatherv");
}

static void check_scatterv(const struct pair *p, int side, int root)
{
	int64_t x[MOST], all[MOST * MOST + 1];
	struct uneven u = uneven();
	struct weft_vec vec = vec_of(&u, all);

	keep(x, MOST);
	fill(p, all, MOST * MOST + 1);
	CALL(p, scatterv, &vec, weft_part(x, (size_t)p->rank, type),
	     root_of(p, side, root));
	for (int i = 0; i < MOST; i++)
		expect(p, x[i], p->side == side || i >= p->rank ? KEPT :
		       given(side, root, p->rank * MOST + 1 + i), "scatterv",
		       i);
}

/* Of what a side gives, in the order of its ranks, in a place. */
static int64_t reduced(const struct pair *p, int side, int i)
{
	uint64_t all = map_of(given(side, 0, i));

	for (int r = 1; r < p->size[side]; r++)
		all = chain(all, map_of(given(side, r, i)));
	return (int64_t)all;
}

static void fill_maps(const struct pair *p, int64_t *x, int n)
{
	for (int i = 0; i < n; i++)
		x[i] = (int64_t)map_of(given(p->side, p->rank, i));
}

static void check_reduce(const struct pair *p, int side, int root)
{
	int64_t x[N], all[N];

	fill_maps(p, x, N);
	keep(all, N);
	CALL(p, reduce, x, weft_part(all, N, type), p->op,
	     root_of(p, side, root));
	for (int i = 0; i < N; i++)
		expect(p, all[i], is_root(p, side, root) ?
		       reduced(p, !side, i) : KEPT, "reduce", i);
}

/* ---- without one ---- */

static void check_allgather(const struct pair *p)
{
	int64_t x[N], all[MOST * N + 1];

	fill(p, x, N);
	keep(all, MOST * N + 1);
	CALL(p, allgather, weft_part(x, N, type), weft_part(all, N, type));
	for (int i = 0; i <= MOST * N; i++)
		expect(p, all[i], i < remote_size(p) * N ?
		       given(!p->side, i / N, i % N) : KEPT, "allgather", i);
}

static void check_allgatherv(const struct pair *p)
{
	int64_t x[MOST], all[MOST * MOST + 1];
	struct uneven u = uneven();
	struct weft_vec vec = vec_of(&u, all);

	fill(p, x, MOST);
	keep(all, MOST * MOST + 1);
	CALL(p, allgatherv, weft_part(x, (size_t)p->rank, type), &vec);
	expect_uneven(p, all, "allgatherv");
}

static void check_alltoall(const struct pair *p)
{
	int64_t x[MOST * N], all[MOST * N + 1];

	fill(p, x, MOST * N);
	keep(all, MOST * N + 1);
	CALL(p, alltoall, weft_part(x, N, type), weft_part(all, N, type));
	for (int i = 0; i <= MOST * N; i++)
		expect(p, all[i], i < remote_size(p) * N ?
		       given(!p->side, i / N, p->rank * N + i % N) : KEPT,
		       "alltoall", i);
}

/* To rank r as many as its number; each has a type of its own. */
static void check_alltoallv(const struct pair *p, bool types)
{
	static const struct weft_type *const of[MOST] = {
		&weft_type_int64, &weft_type_int64, &weft_type_int64,
		&weft_type_int64, &weft_type_int64
	};
	int64_t x[MOST * MOST + 1], all[MOST * MOST + 1];
	struct uneven give = uneven(), get = uneven();
	struct weft_vec send = vec_of(&give, x), recv = vec_of(&get, all);

	fill(p, x, MOST * MOST + 1);
	keep(all, MOST * MOST + 1);
	for (int r = 0; r < MOST; r++) {
		get.counts[r] = p->rank;
		give.displs[r] *= types ? 8 : 1;
		get.displs[r] *= types ? 8 : 1;
	}
	send.types = recv.types = types ? of : NULL;
	CALL(p, alltoallv, &send, &recv);
	for (int r = 0; r < remote_size(p); r++)
		for (int i = 0; i < MOST; i++)
			expect(p, all[r * MOST + 1 + i], i < p->rank ?
			       given(!p->side, r, p->rank * MOST + 1 + i) :
			       KEPT, "alltoallv", i);
}

static void check_allreduce(const struct pair *p)
{
	int64_t x[N], all[N];

	fill_maps(p, x, N);
	keep(all, N);
	CALL(p, allreduce, x, weft_part(all, N, type), p->op);
	for (int i = 0; i < N; i++)
		expect(p, all[i], reduced(p, !p->side, i), "allreduce", i);
}

/* Both groups share 60 places, which all sizes divide. */
static void check_block(const struct pair *p)
{
	enum { ALL = 60 };
	int64_t x[ALL], all[ALL];
	int own = ALL / p->size[p->side];

	fill_maps(p, x, ALL);
	keep(all, ALL);
	CALL(p, reduce_scatter_block, x, weft_part(all, (size_t)own, type),
	     p->op);
	for (int i = 0; i < ALL; i++)
		expect(p, all[i], i < own ?
		       reduced(p, !p->side, p->rank * own + i) : KEPT,
		       "reduce_scatter_block", i);
}

/* The last rank of a side has all but one for each rank before it. */
static void check_reduce_scatter(const struct pair *p)
{
	enum { ALL = 9 };
	int64_t x[ALL], all[ALL];
	int counts[MOST], n = p->size[p->side];
	struct weft_vec vec = { .base = all, .type = type,
				.int_counts = counts };

	for (int r = 0; r < n; r++)
		counts[r] = r + 1 < n ? 1 : ALL + 1 - n;
	fill_maps(p, x, ALL);
	keep(all, ALL);
	CALL(p, reduce_scatter, x, &vec, p->op);
	for (int i = 0; i < ALL; i++)
		expect(p, all[i], i < counts[p->rank] ?
		       reduced(p, !p->side, p->rank + i) : KEPT,
		       "reduce_scatter", i);
}

static void check_barrier(const struct pair *p)
{
	struct weft_request *req = NULL;

	if (p->form == BLOCKS)
		ok(&p->s, weft_barrier(p->comm), "barrier");
	else
		ok(&p->s, p->form == ONCE ? weft_ibarrier(p->comm, &req) :
		   weft_barrier_init(p->comm, &req), "barrier");
	if (req)
		complete(p, req);
}

static void check_collectives(struct pair *p)
{
	for (int f = 0; f < FORMS; f++) {
		p->form = (enum form)f;
		for (int side = 0; side < 2; side++)
			for (int r = 0; r < p->size[side]; r++) {
				check_bcast(p, side, r);
				check_gather(p, side, r);
				check_gatherv(p, side, r);
				check_scatter(p, side, r);
				check_scatterv(p, side, r);
				check_reduce(p, side, r);
			}
		check_barrier(p);
		check_allgather(p);
		check_allgatherv(p);
		check_alltoall(p);
		check_alltoallv(p, false);
		check_alltoallv(p, true);
		check_allreduce(p);
		check_block(p);
		check_reduce_scatter(p);
	}
}

static void make_op(struct pair *p)
{
	struct weft_op_options options;

	weft_op_options_init(&options, sizeof(options));
	options.call = chain_all;
	ok(&p->s, weft_op_create(p->s.job, &options, &p->op), "op");
}

static void ranks(struct wf_sim_rank *rank, void *arg)
{
	struct pair p = { .op = NULL };

	if (!start(&p.s, rank))
		return;
	make_op(&p);
	make_sides(&p, *(const unsigned *)arg);
	if (p.comm)
		check_collectives(&p);
	ok(&p.s, weft_comm_free(&p.comm), "free");
	ok(&p.s, weft_op_free(&p.op), "op");
	stop(&p.s);
}

static void every_pair(void)
{
	try_every_pair(ranks);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "every call of every pair of sizes", every_pair }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
