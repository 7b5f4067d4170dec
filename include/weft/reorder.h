/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reorder: which process becomes which rank of a graph, so that heavy edges
 * stay within a node.
 *
 * It must be asked for twice, by the argument reorder of a constructor
 * (weft/graph.h) and by keys of its info, which all ranks pass alike:
 *
 * weft_reorder         none, as without this key: ranks stay, and what they
 *                      cost is measured; greedy; scotch (greedy where it is
 *                      not found); or rcb
 * weft_reorder_metric  what is to become less: sum, of weights between nodes,
 *                      as it is without this key, or max, of one node
 * weft_reorder_refine  passes of swaps at most behind the method; 8
 * weft_reorder_keep    ranks that stay: 0,4-7
 * weft_reorder_time    seconds after which no pass of swaps begins; inf
 * weft_weights         how weights are meant: bytes, or messages
 * weft_coords          yes: all ranks have coordinates, which rcb cuts
 *
 * Ranks change only where the metric becomes less by a tenth or more.  The
 * graph stays what the program gave: rank i of it has the neighbours, and the
 * order of edges, that rank i of the parent gave; what may be another one is
 * the process.  Weights of several edges between two ranks add up, and those
 * without one count 1 each.
 *
 * One rank computes: it needs memory for all edges, about 100 bytes each, and
 * all others for 8 bytes a rank.
 */
#ifndef WEFT_REORDER_H
#define WEFT_REORDER_H

#include <stdint.h>
#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_comm;

/**
 * weft_comm_set_coords - where this rank is, for weft_coords
 *
 * coords   three finite numbers, of any unit, copied; NULL: nowhere.  Another
 *          communicator made of this one has none.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_NOMEM.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_comm_set_coords(struct weft_comm *comm,
				  const double coords[3]) WEFT_MUST_CHECK;

/* What an order of ranks costs. */
struct weft_reorder_cost {
	int64_t sum;		/* weight of edges between nodes */
	int64_t max;		/* the same of the one node that has most */
	int64_t messages;	/* the most that a node has with others: pairs
				 * of ranks, or, of weights that are messages,
				 * their sum */
};

struct weft_reorder_info {
	int moved;		/* ranks that are another process */
	struct weft_reorder_cost before, after;	/* 0: not measured */
	double seconds;		/* that the method has taken */
	const char *method;	/* by its key: asked for, or run instead;
				 * NULL: none */
	const char *why;	/* all ranks stay, or another method was run
				 * than the key says; NULL: as it was asked */
	void *reserved[4];	/* NULL */
};

/**
 * weft_reorder_query - what a reorder has done to a graph
 *
 * info_p [out]  the same at all ranks; texts live as long as the graph
 *
 * Returns:  WEFT_OK, WEFT_ERR_GRAPH (comm is no graph), WEFT_ERR_ARG.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_reorder_query(const struct weft_comm *graph,
				struct weft_reorder_info *info_p)
	WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
