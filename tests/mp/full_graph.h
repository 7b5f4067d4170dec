/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests: a rank of a graph in which each rank sends to each, itself too,
 * with buffers whose messages say who sent them in which round.
 */
#ifndef WEFT_TESTS_FULL_GRAPH_H
#define WEFT_TESTS_FULL_GRAPH_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <weft.h>

enum {
	FULL_GRAPH_MOST = 32		/* ranks */
};

struct full_graph {
	struct weft_job *job;
	struct weft_comm *graph;
	int me, n;
	size_t bytes;			/* of a message, from 8 on */
	bool arena;			/* buffers from weft_mem_alloc() */
	char *memory[2];		/* sent, received */
	char *own[2];			/* the caller's, used instead */
	size_t counts[FULL_GRAPH_MOST];
	ptrdiff_t displs[FULL_GRAPH_MOST];
	struct weft_vec send, recv;
};

__attribute__((unused))
static int full_graph_open(struct full_graph *g, struct weft_comm *comm)
{
	int ranks[FULL_GRAPH_MOST];
	struct weft_edges edges = { weft_comm_size(comm), ranks, NULL };

	memset(g, 0, sizeof(*g));
	g->job = weft_comm_job(comm);
	g->me = weft_comm_rank(comm);
	g->n = weft_comm_size(comm);
	for (int r = 0; r < g->n; r++)
		ranks[r] = r;
	return weft_graph_create_adjacent(comm, &edges, &edges, NULL, false,
					  &g->graph);
}

static void full_graph_drop_memory(struct full_graph *g)
{
	for (int i = 0; i < 2; i++) {
		if (g->own[i])
			;
		else if (g->arena)
			weft_mem_free(g->job, g->memory[i]);
		else
			free(g->memory[i]);
		g->memory[i] = NULL;
	}
}

/* Messages of so many bytes from now on. */
__attribute__((unused))
static int full_graph_shape(struct full_graph *g, size_t bytes, bool arena)
{
	int status = WEFT_OK;

	full_graph_drop_memory(g);
	g->bytes = bytes;
	g->arena = arena;
	for (int i = 0; !status && i < 2; i++) {
		void *at = g->own[i];

		if (!at && !arena)
			at = malloc((size_t)g->n * bytes);
		else if (!at)
			status = weft_mem_alloc(g->job, (size_t)g->n * bytes,
						&at);
		g->memory[i] = at;
	}
	for (int r = 0; r < g->n; r++) {
		g->counts[r] = bytes;
		g->displs[r] = r * (ptrdiff_t)bytes;
	}
	g->send = (struct weft_vec){ .base = g->memory[0],
		.type = &weft_type_byte, .counts = g->counts,
		.displs = g->displs };
	g->recv = g->send;
	g->recv.base = g->memory[1];
	return status;
}

/* What the first and the last word of a message say. */
static uint64_t full_graph_mark(int from, int to, int round)
{
	return (uint64_t)round << 16 | (uint64_t)from << 8 | (uint64_t)to;
}

__attribute__((unused))
static void full_graph_write(struct full_graph *g, int round)
{
	for (int r = 0; r < g->n; r++) {
		char *at = g->memory[0] + g->displs[r];
		uint64_t mark = full_graph_mark(g->me, r, round);

		memcpy(at, &mark, sizeof(mark));
		memcpy(at + g->bytes - sizeof(mark), &mark, sizeof(mark));
	}
}

/* The first rank from which something else came; -1: none. */
__attribute__((unused))
static int full_graph_wrong(const struct full_graph *g, int round)
{
	for (int r = 0; r < g->n; r++) {
		const char *at = g->memory[1] + g->displs[r];
		uint64_t mark = full_graph_mark(r, g->me, round);

		if (memcmp(at, &mark, sizeof(mark)) ||
		    memcmp(at + g->bytes - sizeof(mark), &mark, sizeof(mark)))
			return r;
	}
	return -1;
}

/* One blocking exchange, checked; WEFT_ERR_INTERNAL: wrong bytes came. */
__attribute__((unused))
static int full_graph_round(struct full_graph *g, int round)
{
	int status;

	full_graph_write(g, round);
	status = weft_neighbor_alltoallv(g->graph, &g->send, &g->recv);
	if (!status && full_graph_wrong(g, round) >= 0)
		status = WEFT_ERR_INTERNAL;
	return status;
}

__attribute__((unused))
static int full_graph_close(struct full_graph *g)
{
	full_graph_drop_memory(g);
	return g->graph ? weft_comm_free(&g->graph) : WEFT_OK;
}

#endif
