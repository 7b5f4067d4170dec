/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts of the random exchange program, over what is drawn: graphs (graph), an
 * end of an exchange with its buffer (side), one exchange (op), collectives
 * (reduce), and the program itself.
 */
#ifndef WEFT_TESTS_EXCHANGE_PARTS_H
#define WEFT_TESTS_EXCHANGE_PARTS_H

#include <stdbool.h>
#include <weft.h>

#include "tests/exchange/exchange_draw.h"
#include "tests/exchange/exchange_program.h"
#include "tests/neighbor_call.h"

enum {
	REQUESTS = 3,			/* persistent, per graph at most */
	KEPT = 6,			/* complete, but not yet freed */
	GAP = 16,			/* bytes between edges, */
	GUARD = 0xa5			/* each of which has this */
};

/* ---- exchange_graph.c ---- */

/* An edge as both of its ends name it: the k-th from one to the other. */
struct edge {
	int from, to, k;
};

struct graph {
	struct weft_comm *comm;
	uint64_t key;
	int nall;			/* edges of the whole graph */
	struct edge *all;
	int nin, nout;
	struct edge *in, *out;		/* in the order of this rank */
	long started;			/* exchanges of set 0 */
	struct op *persistent[REQUESTS];
};

/* Shared by all parts of one run. */
struct run {
	struct weft_job *job;
	const struct exchange_options *options;
	struct exchange_result result;
	int rank, size;
	struct draw shared;		/* the same on all ranks */
	struct draw own;
	bool broken;			/* a call failed that may not */
	bool abandons;			/* it ends, and leaves its graphs */
	struct op *kept[KEPT];		/* ended: nothing may write them */
	unsigned int nkept;		/* ever kept */
};

void run_fail(struct run *run, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Status of a call that must succeed, or may tell a death. */
bool run_ok(struct run *run, int status, const char *call);

/*
 * Is it the error of somebody's death or of a fault, where that may be?
 * Nothing new is started then.
 */
bool run_bereaved(struct run *run, int status, const char *text);

/* True: no more starts. */
static inline bool run_is_over(const struct run *run)
{
	return run->broken || run->result.bereaved;
}

struct graph *graph_make(struct run *run);
void graph_drop(struct run *run, struct graph *graph);

/* ---- exchange_side.c ---- */

/* One end of an exchange. */
struct side {
	int n;
	const struct edge *edges;
	size_t *counts;			/* in elements, per edge */
	ptrdiff_t *displs;
	int *int_counts, *int_displs;	/* the same; which is used varies */
	const struct weft_type **types;	/* NULL: all have one */
	ptrdiff_t *byte_displs;		/* with types */
	size_t unit;			/* bytes of an element of this end, */
	bool gaps;			/* of which these are not moved */
	size_t bytes;			/* of the buffer */
	char *base;
	bool arena;
	bool ended;			/* poisoned after its exchange */
	bool same;			/* all edges have the one block */
	bool is_part;			/* what the call takes: */
	struct weft_part part;
	struct weft_vec vec;
};

struct op {
	struct op *next;		/* in the list of those under way */
	struct graph *graph;
	enum call call;
	enum form form;
	uint64_t lengths;		/* key of all lengths, */
	uint64_t content;		/* and of all bytes */
	long starts;
	size_t unit;			/* bytes of an element */
	struct edge wrong;		/* whose ends disagree; k < 0: none */
	struct weft_request *req;
	struct side send, recv;
};

void side_init(struct run *run, struct op *op, bool receiver);
void side_fini(struct run *run, struct side *side);

static inline char *side_at(const struct side *s, int i)
{
	return s->base + (size_t)s->displs[i] * s->unit;
}

/* The bytes of the i-th edge, by their key. */
void side_fill(const struct side *side, int i, uint64_t key);
bool side_holds(const struct side *side, int i, uint64_t key);

/* Has nothing been written between them? */
bool side_gaps_kept(const struct side *side, int i);

/* Of an edge the key of its bytes; a sender that gathers has one for all. */
uint64_t op_key(const struct op *op, uint64_t content, const struct edge *e);

/*
 * In elements, those of one that gathers for all edges, or for all of a sender.
 * The receiver of a wrong edge expects more or less, by a part from all.
 */
size_t op_count(const struct run *run, const struct op *op,
		const struct edge *e, bool receiver);
bool op_is_wrong(const struct op *op, const struct edge *e);

/* ---- exchange_op.c ---- */

/* Collective: draws the lengths; mismatch: of one edge they differ. */
struct op *op_make(struct run *run, struct graph *graph, enum form form,
		   bool mismatch);

/*
 * Starts it; a blocking one is complete and checked afterwards. False: it was
 * not started.
 */
bool op_start(struct run *run, struct op *op);

/* Has it completed? Then it is checked. */
bool op_test(struct run *run, struct op *op);

/* Waits for it, by wait or by test, and checks it. */
void op_complete(struct run *run, struct op *op);
void op_free(struct run *run, struct op *op);

/*
 * Give back its request, and keep its memory for a while, in which nobody may
 * write it.
 */
void op_retire(struct run *run, struct op *op);
void op_free_kept(struct run *run);

/* ---- exchange_reduce.c: a barrier or an allreduce, here or on the world */

void collective(struct run *run, struct weft_comm *graph);

#endif
