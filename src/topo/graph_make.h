/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Making a graph, in what all of its constructors have in common: the new
 * communicator, the edges of this rank, and the agreement of all ranks, which
 * makes an error at one of them an error at all; with WEFT_CHECK=0 nobody asks
 * the others.
 */
#ifndef WEFT_TOPO_GRAPH_MAKE_H
#define WEFT_TOPO_GRAPH_MAKE_H

#include "topo/graph.h"
#include "topo/reorder_keys.h"

struct wf_graph_maker {
	struct weft_comm *parent;
	const char *call;
	struct weft_comm *made;		/* NULL: none */
	struct wf_lore *lore;		/* NULL: it is a distributed one */
	/* Of ranks of the parent; wf_graph_begin() takes it; NULL: of all. */
	struct weft_group *group;
	bool outside;			/* this rank is in no graph */
	bool located;			/* in the graph, and not only as in
					   the parent: */
	double coords[3];
	/* What arguments of this rank say; those of no edges: neither. */
	bool weighted, unweighted;
	int whose;			/* the rank whose error one is here */
	bool reorder;
	struct wf_reorder_wishes wishes;
};

/* The call of a constructor, and what it is given. */
struct wf_graph_call {
	struct wf_origin origin;
	const char *result;		/* for people: of its last argument */
	/* By all ranks: checks the edges, begins, adds them; told. */
	int (*create)(struct wf_graph_maker *m, const void *edges);
	const void *edges;
	const struct weft_info *info;
	bool reorder;
};

/* All of such a call. */
int wf_graph_construct(struct weft_comm *comm, const struct wf_graph_call *c,
		       struct weft_comm **graph_p);

/*
 * One side of the edges of this rank, which errors call by that name: is it
 * good?  Notes whether it has weights.  The error is told.
 */
int wf_graph_check_side(struct wf_graph_maker *m, const char *name,
			const struct weft_edges *edges);

/* Of n edges: NULL, or each at least 0?  Notes which. */
int wf_graph_check_weights(struct wf_graph_maker *m, const char *name,
			   const int *weights, int n);

/*
 * That of the first ranks of the parent, as many as the lore says, whose
 * reference it takes; the others are outside.  The error is told.
 */
int wf_graph_choose(struct wf_graph_maker *m, struct wf_lore *lore);

/*
 * The communicator, if this rank is to have one, which early mails find from
 * now on.  By all ranks, whatever has failed here, as ids are taken on all of
 * them.  The error is told.
 */
int wf_graph_begin(struct wf_graph_maker *m);

/* The ids of a communicator that other ranks have. */
void wf_graph_pass_over(struct weft_job *job,
			const struct wf_cid_block *block);

/* Its edges; in a good communicator.  The error is told. */
int wf_graph_add_edges(struct wf_graph_maker *m, const struct weft_edges *in,
		       const struct weft_edges *out);

/* By all ranks: the error of one becomes that of all. */
int wf_graph_settle(struct wf_graph_maker *m, int status);

/* As if it was freed: others may have theirs, and send.  NULL: nothing. */
void wf_graph_give_up(struct weft_comm *graph);

#endif
