/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What weft_bench_edges.c times: a neighbour exchange along the edges of a
 * rank, by one of the calls that weft_bench_neighbor.c has.
 */
#ifndef WEFT_BENCH_EDGES_H
#define WEFT_BENCH_EDGES_H

#include "bench/weft_bench_run.h"

#include <stdint.h>

enum {
	BENCH_EDGES_MAX = 2
};

/* One direction at this rank. */
struct bench_half {
	int n;
	int ranks[BENCH_EDGES_MAX];
	/* What the sender calls each edge. */
	uint32_t edges[BENCH_EDGES_MAX];
	char *base;
	size_t counts[BENCH_EDGES_MAX];		/* of elements */
	ptrdiff_t displs[BENCH_EDGES_MAX];	/* in bytes */
	const struct weft_type *types[BENCH_EDGES_MAX];
};

struct bench_edges {
	struct bench_run *run;
	const struct bench_exchange *exchange;
	struct weft_comm *graph;
	struct weft_request *req;	/* NULL: blocking calls */
	struct bench_half out;
	struct bench_half in;
	struct weft_vec send;
	struct weft_vec recv;
	struct weft_type *apart;	/* of a message with gaps, else NULL */
	size_t bytes;			/* of a message, without gaps */
	uint64_t epoch;		/* of the content in the send buffers */
	double clock;
	uint64_t sum;		/* of what was read, so that it is read */
};

enum bench_layout {
	BENCH_DENSE = 1u << 0,		/* no gaps between messages */
	BENCH_SAME = 1u << 1,		/* one goes along all edges */
	BENCH_TYPED = 1u << 2		/* each edge has a type, with gaps */
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
