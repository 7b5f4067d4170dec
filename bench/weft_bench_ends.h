/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a rank has at the edges of a graph, for the cases that exchange along
 * them: neighbours, and buffers laid out edge after edge, each on cache lines
 * of its own where the layout allows it.
 */
#ifndef WEFT_BENCH_ENDS_H
#define WEFT_BENCH_ENDS_H

#include "bench/weft_bench_run.h"

#include <stddef.h>
#include <stdint.h>

enum {
	BENCH_EDGES_MAX = 2,
	BENCH_WORD = 8		/* bytes, as many as between two apart */
};

enum bench_layout {
	BENCH_DENSE = 1u << 0,		/* no gaps between messages */
	BENCH_SAME = 1u << 1,		/* one goes along all edges */
	BENCH_TYPED = 1u << 2		/* each edge has a type, with gaps */
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
	struct weft_vec vec;			/* of these */
};

struct bench_ends {
	struct bench_run *run;
	unsigned layout;
	struct bench_half out, in;
	struct weft_type *apart;	/* of a message with gaps, else NULL */
	size_t bytes;			/* of a message, without gaps */
	uint64_t epoch;			/* of the content in the send buffers */
};

/* Of a ring in both directions; tells the report how many messages go. */
void bench_ends_ring(struct bench_ends *ends);

/* Collective. */
int bench_ends_graph(const struct bench_ends *ends, struct weft_comm **graph_p);

/* So many bytes for each edge; behind an error they are released, too. */
int bench_ends_allocate(struct bench_ends *ends, size_t bytes);
int bench_ends_release(struct bench_ends *ends);

/* Content to send, of the next epoch; the number of bytes that did not come. */
void bench_ends_fill(struct bench_ends *ends);
size_t bench_ends_check(const struct bench_ends *ends);

#endif
