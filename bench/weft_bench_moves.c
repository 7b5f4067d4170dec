/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-bench bcast, allgather, gather, scatter and alltoall, also where lengths
 * are told: collectives that move bytes, and barrier, which moves none.
 */
#include "bench/weft_bench_coll.h"
#include "bench/weft_bench_pattern.h"

#include <string.h>

enum {
	SLOT_BYTES = 64 * 1024
};

/* What a rank makes for another one, or for all, in a round. */
static struct bench_stamp stamp_of(int from, int to, long round)
{
	return (struct bench_stamp){ (uint32_t)from, (uint32_t)to,
				     (uint64_t)round };
}

static int barrier(const struct bench_vectors *v)
{
	return weft_barrier(v->run->world);
}

static int ibarrier(const struct bench_vectors *v, struct weft_request **req_p)
{
	return weft_ibarrier(v->run->world, req_p);
}

static int barrier_init(const struct bench_vectors *v,
			struct weft_request **req_p)
{
	return weft_barrier_init(v->run->world, req_p);
}

/* The bytes of one rank, or of each, in the order of ranks. */
static struct weft_part part(const struct bench_vectors *v, void *base)
{
	return weft_part(base, v->bytes, &weft_type_byte);
}

static int bcast(const struct bench_vectors *v)
{
	return weft_bcast(v->run->world, part(v, v->out), v->root);
}

static int ibcast(const struct bench_vectors *v, struct weft_request **req_p)
{
	return weft_ibcast(v->run->world, part(v, v->out), v->root, req_p);
}

static int bcast_init(const struct bench_vectors *v,
		      struct weft_request **req_p)
{
	return weft_bcast_init(v->run->world, part(v, v->out), v->root, req_p);
}

static int allgather(const struct bench_vectors *v)
{
	return weft_allgather(v->run->world, part(v, v->in), part(v, v->out));
}

static int iallgather(const struct bench_vectors *v,
		      struct weft_request **req_p)
{
	return weft_iallgather(v->run->world, part(v, v->in), part(v, v->out),
			       req_p);
}

static int allgather_init(const struct bench_vectors *v,
			  struct weft_request **req_p)
{
	return weft_allgather_init(v->run->world, part(v, v->in),
				   part(v, v->out), req_p);
}

static int gather(const struct bench_vectors *v)
{
	return weft_gather(v->run->world, part(v, v->in), part(v, v->out),
			   v->root);
}

static int igather(const struct bench_vectors *v, struct weft_request **req_p)
{
	return weft_igather(v->run->world, part(v, v->in), part(v, v->out),
			    v->root, req_p);
}

static int gather_init(const struct bench_vectors *v,
		       struct weft_request **req_p)
{
	return weft_gather_init(v->run->world, part(v, v->in), part(v, v->out),
				v->root, req_p);
}

static int scatter(const struct bench_vectors *v)
{
	return weft_scatter(v->run->world, part(v, v->in), part(v, v->out),
			    v->root);
}

static int iscatter(const struct bench_vectors *v, struct weft_request **req_p)
{
	return weft_iscatter(v->run->world, part(v, v->in), part(v, v->out),
			     v->root, req_p);
}

static int scatter_init(const struct bench_vectors *v,
			struct weft_request **req_p)
{
	return weft_scatter_init(v->run->world, part(v, v->in), part(v, v->out),
				 v->root, req_p);
}

static int alltoall(const struct bench_vectors *v)
{
	return weft_alltoall(v->run->world, part(v, v->in), part(v, v->out));
}

static int ialltoall(const struct bench_vectors *v, struct weft_request **req_p)
{
	return weft_ialltoall(v->run->world, part(v, v->in), part(v, v->out),
			      req_p);
}

static int alltoall_init(const struct bench_vectors *v,
			 struct weft_request **req_p)
{
	return weft_alltoall_init(v->run->world, part(v, v->in),
				  part(v, v->out), req_p);
}

/* ---- the same, with the bytes of each rank told ---- */

static int allgatherv(const struct bench_vectors *v)
{
	const struct weft_vec to = bench_vec(v, v->out);

	return weft_allgatherv(v->run->world, part(v, v->in), &to);
}

static int iallgatherv(const struct bench_vectors *v,
		       struct weft_request **req_p)
{
	const struct weft_vec to = bench_vec(v, v->out);

	return weft_iallgatherv(v->run->world, part(v, v->in), &to, req_p);
}

static int allgatherv_init(const struct bench_vectors *v,
			   struct weft_request **req_p)
{
	const struct weft_vec to = bench_vec(v, v->out);

	return weft_allgatherv_init(v->run->world, part(v, v->in), &to, req_p);
}

static int gatherv(const struct bench_vectors *v)
{
	const struct weft_vec to = bench_vec(v, v->out);

	return weft_gatherv(v->run->world, part(v, v->in), &to, v->root);
}

static int igatherv(const struct bench_vectors *v, struct weft_request **req_p)
{
	const struct weft_vec to = bench_vec(v, v->out);

	return weft_igatherv(v->run->world, part(v, v->in), &to, v->root,
			     req_p);
}

static int gatherv_init(const struct bench_vectors *v,
			struct weft_request **req_p)
{
	const struct weft_vec to = bench_vec(v, v->out);

	return weft_gatherv_init(v->run->world, part(v, v->in), &to, v->root,
				 req_p);
}

static int scatterv(const struct bench_vectors *v)
{
	const struct weft_vec from = bench_vec(v, v->in);

	return weft_scatterv(v->run->world, &from, part(v, v->out), v->root);
}

static int iscatterv(const struct bench_vectors *v, struct weft_request **req_p)
{
	const struct weft_vec from = bench_vec(v, v->in);

	return weft_iscatterv(v->run->world, &from, part(v, v->out), v->root,
			      req_p);
}

static int scatterv_init(const struct bench_vectors *v,
			 struct weft_request **req_p)
{
	const struct weft_vec from = bench_vec(v, v->in);

	return weft_scatterv_init(v->run->world, &from, part(v, v->out),
				  v->root, req_p);
}

static int alltoallv(const struct bench_vectors *v)
{
	const struct weft_vec from = bench_vec(v, v->in);
	const struct weft_vec to = bench_vec(v, v->out);

	return weft_alltoallv(v->run->world, &from, &to);
}

static int ialltoallv(const struct bench_vectors *v,
		      struct weft_request **req_p)
{
	const struct weft_vec from = bench_vec(v, v->in);
	const struct weft_vec to = bench_vec(v, v->out);

	return weft_ialltoallv(v->run->world, &from, &to, req_p);
}

static int alltoallv_init(const struct bench_vectors *v,
			  struct weft_request **req_p)
{
	const struct weft_vec from = bench_vec(v, v->in);
	const struct weft_vec to = bench_vec(v, v->out);

	return weft_alltoallv_init(v->run->world, &from, &to, req_p);
}

/* ---- content ---- */

/* What is not to be sent is of another round. */
static void fill_bcast(const struct bench_vectors *v, long round)
{
	int rank = v->run->rank;

	bench_pattern_fill(v->out, v->bytes,
			   stamp_of(rank, 0, round + (rank != v->root)));
}

static size_t wrong_bcast(const struct bench_vectors *v, long round)
{
	return bench_pattern_check(v->out, v->bytes,
				   stamp_of(v->root, 0, round));
}

static void *at(void *base, const struct bench_vectors *v, int rank)
{
	return (char *)base + (size_t)rank * v->bytes;
}

static void clear(const struct bench_vectors *v)
{
	bool all = v->coll->shape & BENCH_GETS_ALL;

	memset(v->out, 0xff, v->bytes * (all ? (size_t)v->run->ranks : 1));
}

/* The same for all ranks. */
static void fill_one(const struct bench_vectors *v, long round)
{
	bench_pattern_fill(v->in, v->bytes, stamp_of(v->run->rank, 0, round));
	clear(v);
}

/* Another one for each rank. */
static void fill_each(const struct bench_vectors *v, long round)
{
	for (int to = 0; to < v->run->ranks; to++)
		bench_pattern_fill(at(v->in, v, to), v->bytes,
				   stamp_of(v->run->rank, to, round));
	clear(v);
}

/* Of what all ranks have made for one, or for all as 0. */
static size_t wrong_for(const struct bench_vectors *v, int to, long round)
{
	size_t wrong = 0;

	for (int from = 0; from < v->run->ranks; from++)
		wrong += bench_pattern_check(at(v->out, v, from), v->bytes,
					     stamp_of(from, to, round));
	return wrong;
}

static size_t wrong_allgather(const struct bench_vectors *v, long round)
{
	return wrong_for(v, 0, round);
}

static size_t wrong_gather(const struct bench_vectors *v, long round)
{
	return v->root == v->run->rank ? wrong_for(v, 0, round) : 0;
}

static size_t wrong_scatter(const struct bench_vectors *v, long round)
{
	return bench_pattern_check(v->out, v->bytes,
				   stamp_of(v->root, v->run->rank, round));
}

static size_t wrong_alltoall(const struct bench_vectors *v, long round)
{
	return wrong_for(v, v->run->rank, round);
}

/* Long ones of the arena go straight to where they belong. */
static enum bench_bound bound(const struct bench_vectors *v)
{
	if (v->bytes > SLOT_BYTES && !v->run->options->heap)
		return BENCH_BY_COPY;
	return bench_bound_loop(v);
}

static const struct bench_coll colls[] = {
	[BENCH_BARRIER] = {
		"barrier", 0, barrier, ibarrier, barrier_init,
		NULL, NULL, bench_bound_loop, NULL, NULL
	},
	[BENCH_BCAST] = {
		"broadcasts, from each rank in turn", BENCH_ROOTED,
		bcast, ibcast, bcast_init,
		fill_bcast, wrong_bcast, bound, NULL, NULL
	},
	[BENCH_ALLGATHER] = {
		"the vectors of all ranks, to all", BENCH_GETS_ALL,
		allgather, iallgather, allgather_init,
		fill_one, wrong_allgather, bound, NULL, NULL
	},
	[BENCH_GATHER] = {
		"the vectors of all ranks, to each rank in turn",
		BENCH_ROOTED | BENCH_GETS_ALL,
		gather, igather, gather_init,
		fill_one, wrong_gather, bound, NULL, NULL
	},
	[BENCH_SCATTER] = {
		"a vector for each rank, from each rank in turn",
		BENCH_ROOTED | BENCH_GIVES_ALL,
		scatter, iscatter, scatter_init,
		fill_each, wrong_scatter, bound, NULL, NULL
	},
	[BENCH_ALLTOALL] = {
		"a vector from each rank for each",
		BENCH_GIVES_ALL | BENCH_GETS_ALL,
		alltoall, ialltoall, alltoall_init,
		fill_each, wrong_alltoall, bound, NULL, NULL
	},
	[BENCH_ALLGATHERV] = {
		"the vectors of all ranks, to all, lengths told",
		BENCH_GETS_ALL,
		allgatherv, iallgatherv, allgatherv_init,
		fill_one, wrong_allgather, bound, NULL, NULL
	},
	[BENCH_GATHERV] = {
		"the vectors of all ranks, to each in turn, lengths "
		"told",
		BENCH_ROOTED | BENCH_GETS_ALL,
		gatherv, igatherv, gatherv_init,
		fill_one, wrong_gather, bound, NULL, NULL
	},
	[BENCH_SCATTERV] = {
		"a vector for each rank, from each in turn, lengths "
		"told",
		BENCH_ROOTED | BENCH_GIVES_ALL,
		scatterv, iscatterv, scatterv_init,
		fill_each, wrong_scatter, bound, NULL, NULL
	},
	[BENCH_ALLTOALLV] = {
		"a vector from each rank for each, lengths told",
		BENCH_GIVES_ALL | BENCH_GETS_ALL,
		alltoallv, ialltoallv, alltoallv_init,
		fill_each, wrong_alltoall, bound, NULL, NULL
	},
};

int bench_run_moves(struct bench_run *run)
{
	return bench_run_coll(run, &colls[run->options->command]);
}
