/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What weft_bench_edges.c times: a neighbour exchange along the edges of a
 * rank, by one of the calls that weft_bench_neighbor.c has.
 */
#ifndef WEFT_BENCH_EDGES_H
#define WEFT_BENCH_EDGES_H

#include "bench/weft_bench_ends.h"

struct bench_edges {
	struct bench_run *run;
	const struct bench_exchange *exchange;
	struct weft_comm *graph;
	struct weft_request *req;	/* NULL: blocking calls */
	struct bench_ends ends;
	double clock;
	uint64_t sum;		/* of what was read, so that it is read */
};

/* A call in its forms. */
struct bench_exchange {
	unsigned layout;
	int (*call)(const struct bench_edges *edges);
	int (*start)(const struct bench_edges *edges,
		     struct weft_request **req_p);
	int (*init)(const struct bench_edges *edges,
		    struct weft_request **req_p);
};

const struct bench_exchange *bench_exchange_of(enum bench_command command);

#endif
