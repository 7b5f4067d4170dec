/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Neighbour exchanges drawn from a seed, and what a serial one leaves behind:
 * types as lists of their bytes, which owe the library nothing, and messages
 * that are a function of their edge, exchange and start.
 */
#ifndef WEFT_TESTS_SIM_NEIGHBOR_PLAY_H
#define WEFT_TESTS_SIM_NEIGHBOR_PLAY_H

#include "tests/pattern_call.h"
#include "tests/sim/scene.h"

enum {
	PLAY_RANKS = 9,
	PLAY_EDGES = 5 * PLAY_RANKS,	/* of the whole graph */
	PLAY_TYPES = 7
};

/* A rank and its graph; edges by their number in the list of all. */
struct play {
	struct scene s;
	uint64_t seed;
	int me, size;
	struct weft_comm *graph;
	struct weft_pattern *pattern;	/* takes its place; NULL: none */
	int nall, from[PLAY_EDGES], to[PLAY_EDGES];
	int nout, out[PLAY_EDGES];
	int nin, in[PLAY_EDGES];
	const struct weft_type *type[PLAY_TYPES];
	struct weft_type *made[PLAY_TYPES];
};

/* One end of an exchange; block i is that of its i-th edge. */
struct side {
	bool sends;
	int n;
	const int *edge;
	int type[PLAY_EDGES];
	size_t at[PLAY_EDGES];		/* bytes behind base */
	size_t counts[PLAY_EDGES];
	int int_counts[PLAY_EDGES];
	ptrdiff_t displs[PLAY_EDGES];
	int int_displs[PLAY_EDGES];
	const struct weft_type *types[PLAY_EDGES];
	unsigned char *base;
	size_t bytes;			/* of the buffer */
	struct weft_vec vec;
	struct weft_part part;
};

struct trial {
	int x;				/* exchange of the play */
	enum call call;
	enum form form;
	int start;			/* of a persistent one */
	struct side send, recv;
};

/* The job, types and the graph; NULL: it was told. */
struct play *play_begin(struct wf_sim_rank *rank, uint64_t seed);
void play_end(struct play *p);

/* From now on along the edges of a pattern, whose parent was freed. */
void play_by_pattern(struct play *p);

/* Has it an in-edge from that rank? */
bool gets_from(const struct play *p, int rank);

/* All ranks draw the same call, form and sizes; or the call is given. */
struct trial *trial_make(const struct play *p, int x);
struct trial *trial_make_of(const struct play *p, int x, enum call call);
void trial_free(struct trial *t);

/* Make the call; req_p is not used by one that blocks. */
int call_of(const struct play *p, const struct trial *t,
	    struct weft_request **req_p);

/* What is sent, and what the rest of memory has. */
void fill(const struct play *p, struct trial *t);

/* Everything has come, and nothing else. */
void check(const struct play *p, const struct trial *t);

/* Along each edge of it goes an element more than the other end expects. */
void side_grow(const struct play *p, struct trial *t);

#endif
