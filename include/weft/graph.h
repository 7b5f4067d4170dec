/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Distributed graphs.
 *
 * A graph is a communicator whose ranks know their in- and out-neighbours.
 * Each directed edge is a channel of its own: the k-th edge i->j in i's order
 * is the k-th edge i->j in j's order, so duplicate and self edges are distinct
 * messages.  What goes along them is in weft/neighbor.h.
 */
#ifndef WEFT_GRAPH_H
#define WEFT_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <weft/neighbor.h>
#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_comm;
struct weft_info;

/* What a communicator knows of who talks to whom in it. */
enum weft_topo {
	WEFT_TOPO_NONE,
	WEFT_TOPO_GRAPH,	/* the edges of each rank */
	WEFT_TOPO_CART,		/* the same, and a grid: weft/cart.h */
	WEFT_TOPO_GRAPH_FULL	/* of all ranks: weft/graph_full.h */
};

/* Weights of no edges: this rank says that the graph is weighted. */
#define WEFT_WEIGHTS_EMPTY ((const int *)-1)

/*
 * The edges of one rank in one direction.  Arrays may be NULL where n is 0.
 * Either all edges of all ranks have weights, or none has.
 *
 * An edge to or from WEFT_PROC_NULL, of nobody, has a place as others do: it is
 * counted and told, and what exchanges are given has a part for it.  Nothing
 * goes along it, and where something was to be received nothing is written.
 */
struct weft_edges {
	int n;
	const int *ranks;
	const int *weights;	/* n non-negative ones; NULL: unweighted; where
				 * n is 0 NULL says nothing, and
				 * WEFT_WEIGHTS_EMPTY as well as an array says
				 * that the edges of others have some */
};

/**
 * weft_graph_create_adjacent - a graph from each rank's own edges
 *
 * comm          the parent
 * in, out       all in- and out-edges of this rank; their order is the order
 *               of the neighbours.  The union of all out-edges must equal the
 *               union of all in-edges, with the same weights.
 * info          keys of a reorder (weft/reorder.h), others are left alone; NULL
 * reorder       true, and keys that ask for it: the ranks of the graph may be
 *               other processes than those of comm; else it keeps them, as true
 *               without keys says once at info level
 * graph_p [out] the new communicator; free it with weft_comm_free()
 *
 * Returns:  WEFT_OK; WEFT_ERR_ARG on all ranks if the arguments of one are
 *           bad, as the sentence of that rank says, or some edges have weights
 *           and others none; WEFT_ERR_NOMEM, WEFT_ERR_DEVICE, WEFT_ERR_PEER.
 * Blocks:   yes.   Collective: over comm.
 */
WEFT_API int weft_graph_create_adjacent(struct weft_comm *comm,
					const struct weft_edges *in,
					const struct weft_edges *out,
					const struct weft_info *info,
					bool reorder,
					struct weft_comm **graph_p)
	WEFT_MUST_CHECK;

/*
 * Edges that one rank gives, of any ranks: degrees[i] of them lead from
 * sources[i] to the next of the destinations.  Ranks and edges may be repeated,
 * also by other ranks: each counts.  Arrays may be NULL where they have no
 * values.
 */
struct weft_graph_edges {
	int n;			/* sources */
	const int *sources;
	const int *degrees;
	const int *destinations;	/* as many as all degrees together */
	const int *weights;		/* the same; NULL as above */
};

/**
 * weft_graph_create - a graph from edges that any rank gives
 *
 * Each rank gets its own in- and out-edges, in the order of the neighbour's
 * rank, the weight, the rank that gave the edge, and the position there.  So
 * the order is the same in every run.
 *
 * comm, info, reorder, graph_p  as above
 * edges         of any ranks, none of nobody; the other ranks need not know of
 *               them
 *
 * Returns:  as above; also WEFT_ERR_RANGE on all ranks (one gives more than
 *           INT_MAX edges).
 * Blocks:   yes.   Collective: over comm.
 * Source:   records go by weft_sparse_exchange().
 */
WEFT_API int weft_graph_create(struct weft_comm *comm,
			       const struct weft_graph_edges *edges,
			       const struct weft_info *info, bool reorder,
			       struct weft_comm **graph_p) WEFT_MUST_CHECK;

/**
 * weft_topo_kind - what a communicator knows of who talks to whom in it
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_topo_kind(const struct weft_comm *comm,
			    enum weft_topo *kind_p) WEFT_MUST_CHECK;

/**
 * weft_graph_degrees - number of in- and out-edges of this rank
 *
 * nin_p, nout_p [out]  NULL where not wanted
 * weighted_p [out]     have edges weights?  The same at all ranks, also those
 *                      without edges, unless $WEFT_CHECK is 0: then as this
 *                      rank says; NULL where not wanted
 *
 * Returns:  WEFT_OK, WEFT_ERR_GRAPH (comm is no graph).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_graph_degrees(const struct weft_comm *graph, int *nin_p,
				int *nout_p, bool *weighted_p) WEFT_MUST_CHECK;

/* Where neighbours of one direction are written to. */
struct weft_neighbors {
	int max;		/* edges at most: the first ones */
	int *ranks;		/* NULL where not wanted */
	int *weights;		/* the same; left alone if there are none */
};

/**
 * weft_graph_neighbors - all neighbours of this rank
 *
 * in, out       NULL where not wanted.  The i-th entry is that of the i-th
 *               edge, in the order in which exchanges take them.
 *
 * Returns:  WEFT_OK, WEFT_ERR_GRAPH (comm is no graph), WEFT_ERR_ARG (max is
 *           negative).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_graph_neighbors(const struct weft_comm *graph,
				  const struct weft_neighbors *in,
				  const struct weft_neighbors *out)
	WEFT_MUST_CHECK;

/* One edge of this rank, as weft_graph_edge() tells. */
struct weft_edge_info {
	int rank;		/* of the neighbour; WEFT_PROC_NULL: nobody */
	int weight;		/* -1: unweighted */
	int duplicate;		/* k: the k-th edge to or from that rank; of
				 * nobody 0 */
	const char *transport;	/* what carries it: "self", "shm", ...;
				 * NULL: not connected yet, or nobody */
	const char *host;	/* of the neighbour; NULL: the same */
	void *reserved[4];	/* NULL */
};

/**
 * weft_graph_edge - what an edge is, and what carries it
 *
 * out, i        the i-th out-edge, or the i-th in-edge
 * info_p [out]  strings are valid as long as the job is open
 *
 * Returns:  WEFT_OK, WEFT_ERR_GRAPH (comm is no graph), WEFT_ERR_RANGE (no
 *           such edge), WEFT_ERR_ARG.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_graph_edge(const struct weft_comm *graph, bool out, int i,
			     struct weft_edge_info *info_p) WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
