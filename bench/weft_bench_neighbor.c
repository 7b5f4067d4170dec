/* SPDX-License-Identifier: BSD-3-Clause */
/* The neighbour exchanges of weft-bench, in their forms. */
#include "bench/weft_bench_edges.h"

/* All messages of a side, one behind the other, or that which is the same. */
static struct weft_part part(const struct bench_edges *e,
			     const struct bench_half *half)
{
	return weft_part(half->base, e->ends.bytes, &weft_type_byte);
}

static int alltoallv(const struct bench_edges *e)
{
	return weft_neighbor_alltoallv(e->graph, &e->ends.out.vec,
				       &e->ends.in.vec);
}

static int ialltoallv(const struct bench_edges *e, struct weft_request **req_p)
{
	return weft_ineighbor_alltoallv(e->graph, &e->ends.out.vec,
					&e->ends.in.vec, req_p);
}

static int alltoallv_init(const struct bench_edges *e,
			  struct weft_request **req_p)
{
	return weft_neighbor_alltoallv_init(e->graph, &e->ends.out.vec,
					    &e->ends.in.vec, req_p);
}

static int alltoallw(const struct bench_edges *e)
{
	return weft_neighbor_alltoallw(e->graph, &e->ends.out.vec,
				       &e->ends.in.vec);
}

static int ialltoallw(const struct bench_edges *e, struct weft_request **req_p)
{
	return weft_ineighbor_alltoallw(e->graph, &e->ends.out.vec,
					&e->ends.in.vec, req_p);
}

static int alltoallw_init(const struct bench_edges *e,
			  struct weft_request **req_p)
{
	return weft_neighbor_alltoallw_init(e->graph, &e->ends.out.vec,
					    &e->ends.in.vec, req_p);
}

static int alltoall(const struct bench_edges *e)
{
	return weft_neighbor_alltoall(e->graph, part(e, &e->ends.out),
				      part(e, &e->ends.in));
}

static int ialltoall(const struct bench_edges *e, struct weft_request **req_p)
{
	return weft_ineighbor_alltoall(e->graph, part(e, &e->ends.out),
				       part(e, &e->ends.in), req_p);
}

static int alltoall_init(const struct bench_edges *e,
			 struct weft_request **req_p)
{
	return weft_neighbor_alltoall_init(e->graph, part(e, &e->ends.out),
					   part(e, &e->ends.in), req_p);
}

static int allgather(const struct bench_edges *e)
{
	return weft_neighbor_allgather(e->graph, part(e, &e->ends.out),
				       part(e, &e->ends.in));
}

static int iallgather(const struct bench_edges *e, struct weft_request **req_p)
{
	return weft_ineighbor_allgather(e->graph, part(e, &e->ends.out),
					part(e, &e->ends.in), req_p);
}

static int allgather_init(const struct bench_edges *e,
			  struct weft_request **req_p)
{
	return weft_neighbor_allgather_init(e->graph, part(e, &e->ends.out),
					    part(e, &e->ends.in), req_p);
}

const struct bench_exchange *bench_exchange_of(enum bench_command command)
{
	static const struct bench_exchange usual = {
		0, alltoallv, ialltoallv, alltoallv_init
	}, to_each = {
		BENCH_DENSE, alltoall, ialltoall, alltoall_init
	}, to_all = {
		BENCH_DENSE | BENCH_SAME, allgather, iallgather, allgather_init
	}, typed = {
		BENCH_TYPED, alltoallw, ialltoallw, alltoallw_init
	};

	switch (command) {
	case BENCH_NEIGHBOR_ALLTOALL:
		return &to_each;
	case BENCH_NEIGHBOR_ALLGATHER:
		return &to_all;
	case BENCH_NEIGHBOR_ALLTOALLW:
		return &typed;
	default:
		return &usual;
	}
}
