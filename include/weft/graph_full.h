/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs that each rank knows as a whole.
 *
 * Such a communicator is a graph (weft/graph.h) that was made from the lists of
 * neighbours of all its ranks, which can be asked for anywhere.  It keeps four
 * bytes for each rank and each edge, once for the ranks of a node where that is
 * more than $WEFT_GROUP_SHARE.  For exchanges its out-edges lead to the
 * neighbours of a rank, in their order.  Its in-edges come from the same ones,
 * in the same order, if as many edges lead back from each; else they come from
 * whoever names this rank, in the order of ranks.
 *
 * Queries are local: they send nothing and never wait.  The error that all of
 * them may return besides their own is WEFT_ERR_GRAPH: the communicator is not
 * such a graph.
 */
#ifndef WEFT_GRAPH_FULL_H
#define WEFT_GRAPH_FULL_H

#include <stdbool.h>
#include <weft/group.h>
#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_comm;
struct weft_info;

/*
 * The neighbours of all ranks, one list behind the other; arrays may be NULL
 * where they have no values.  A rank may be its own neighbour, and be named
 * repeatedly.
 */
struct weft_graph_full {
	int n;			/* ranks */
	const int *index;	/* where the list of each one ends in edges */
	const int *edges;	/* index[n - 1] ranks */
};

/**
 * weft_graph_full_create - a graph from the neighbours of all ranks
 *
 * comm           the parent, with at least full->n ranks
 * full           the same at all ranks
 * info, reorder  as weft_cart_create() has them, but for the grid
 * graph_p [out]  the new communicator, of the first ranks; NULL at the others;
 *                free it with weft_comm_free()
 *
 * Returns:  WEFT_OK; WEFT_ERR_ARG on all ranks if the arguments of one are bad,
 *           or, unless $WEFT_CHECK is 0, if they differ; WEFT_ERR_RANGE (full
 *           has more ranks than comm); WEFT_ERR_NOMEM, WEFT_ERR_DEVICE,
 *           WEFT_ERR_PEER.
 * Blocks:   yes.   Collective: over comm.
 */
WEFT_API int weft_graph_full_create(struct weft_comm *comm,
				    const struct weft_graph_full *full,
				    const struct weft_info *info, bool reorder,
				    struct weft_comm **graph_p)
	WEFT_MUST_CHECK;

/**
 * weft_graph_full_map - the rank that a process would have in such a graph made
 * without a reorder, or WEFT_UNDEFINED
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_RANGE.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_graph_full_map(struct weft_comm *comm,
				 const struct weft_graph_full *full,
				 int *rank_p) WEFT_MUST_CHECK;

/**
 * weft_graph_full_dims - how many ranks and edges the graph has
 *
 * n_p, edges_p [out]  NULL where not wanted
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_graph_full_dims(struct weft_comm *graph, int *n_p,
				  int *edges_p) WEFT_MUST_CHECK;

/**
 * weft_graph_full_get - the whole graph, as it was given
 *
 * max_index, max_edges  entries that are written at most, the first ones
 * index, edges [out]    NULL where not wanted
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (one of the former is negative).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_graph_full_get(struct weft_comm *graph, int max_index,
				 int max_edges, int *index, int *edges)
	WEFT_MUST_CHECK;

/**
 * weft_graph_full_neighbors_count - how many neighbours a rank has
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (also: no such rank).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_graph_full_neighbors_count(struct weft_comm *graph, int rank,
					     int *n_p) WEFT_MUST_CHECK;

/**
 * weft_graph_full_neighbors - the neighbours of a rank, in their order
 *
 * max          entries that are written at most, the first ones
 * ranks [out]  may be NULL where nothing is written
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (also: no such rank).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_graph_full_neighbors(struct weft_comm *graph, int rank,
				       int max, int *ranks) WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
