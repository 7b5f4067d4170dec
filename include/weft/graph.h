/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Distributed graphs and neighbour exchanges.
 *
 * A graph is a communicator whose ranks know their in- and out-neighbours.
 * Each directed edge is a channel of its own: the k-th edge i->j in i's order
 * is the k-th edge i->j in j's order, so duplicate and self edges are distinct
 * messages.  An exchange sends one message along each out-edge and receives
 * one along each in-edge, as one-sided puts into memory that the receiver
 * named before: lines of 64 bytes up to $WEFT_LINE_MAX, landing slots up to
 * $WEFT_SLOT_MAX, above that straight into the user's buffer where the peer may
 * write it (weft/mem.h, and below, persistent requests), else through chunk
 * slots.  weft_neighbor_way() tells which.
 *
 * Buffers: from start to completion the library owns them; send buffers may
 * be read, receive buffers may not be touched.  Receive areas of different
 * edges must not overlap; send areas may.
 */
#ifndef WEFT_GRAPH_H
#define WEFT_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <weft/status.h>
#include <weft/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_comm;
struct weft_info;
struct weft_request;

/* What a communicator knows of who talks to whom in it. */
enum weft_topo {
	WEFT_TOPO_NONE,
	WEFT_TOPO_GRAPH		/* the edges of each rank */
};

/* Weights of no edges: this rank says that the graph is weighted. */
#define WEFT_WEIGHTS_EMPTY ((const int *)-1)

/*
 * The edges of one rank in one direction.  Arrays may be NULL where n is 0.
 * Either all edges of all ranks have weights, or none has.
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
 * comm          the parent; its ranks are kept
 * in, out       all in- and out-edges of this rank; their order is the order
 *               of the neighbours.  The union of all out-edges must equal the
 *               union of all in-edges, with the same weights.
 * info          NULL, as nothing in it is known yet
 * reorder       true alone keeps the ranks, and says so at info level
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
 *                      without edges; NULL where not wanted
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
	int rank;		/* of the neighbour */
	int weight;		/* -1: unweighted */
	int duplicate;		/* k: the k-th edge to or from that rank */
	const char *transport;	/* what carries it: "self", "shm", ...;
				 * NULL: not connected yet */
	const char *host;	/* of the neighbour; NULL: not connected yet */
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

/**
 * weft_neighbor_alltoallv - one message along each edge, counts per edge
 *
 * graph       from weft_graph_create_adjacent()
 * send, recv  what goes along the out-edges and comes along the in-edges; both
 *             ends of an edge give the same number of bytes
 *
 * Returns:  WEFT_OK; WEFT_ERR_ARG; WEFT_ERR_RANGE (an edge, or its end, lies
 *           beyond 2^63 bytes); WEFT_ERR_GRAPH (comm is no graph, or the
 *           other side does not have an edge); the status of another rank's
 *           call that was refused there;
 *           WEFT_ERR_TRUNCATE or WEFT_ERR_SIZE (the sender of an edge sent
 *           more, or less; its bytes are dropped, the next exchange is
 *           unaffected); WEFT_ERR_NOMEM; WEFT_ERR_DEVICE (the transport failed
 *           on an edge, or none joins its ranks);
 *           WEFT_ERR_PEER (a rank of the graph is dead or has closed).
 * Blocks:   until all in-edges have arrived and the send buffers may be
 *           reused.   Collective: over the graph, started in the same order
 *           on all ranks; it does not synchronise.
 */
WEFT_API int weft_neighbor_alltoallv(struct weft_comm *graph,
				     const struct weft_vec *send,
				     const struct weft_vec *recv)
	WEFT_MUST_CHECK;

/**
 * weft_ineighbor_alltoallv - the same, nonblocking
 *
 * req_p [out]  complete it with weft_request_wait() or _test(), then
 *              weft_request_free().  send and recv themselves may go out of
 *              scope at return, the buffers not before completion.
 *
 * Returns:  WEFT_OK or an error as above; then there is no request.
 * Blocks:   never; any number may be in flight.   Collective: over the graph,
 *           started in the same order on all ranks.
 */
WEFT_API int weft_ineighbor_alltoallv(struct weft_comm *graph,
				      const struct weft_vec *send,
				      const struct weft_vec *recv,
				      struct weft_request **req_p)
	WEFT_MUST_CHECK;

/**
 * weft_neighbor_alltoallv_init - the same, to be started many times
 *
 * req_p [out]  inactive; weft_request_start() starts it.  Persistent requests
 *              of a graph do not wait for each other.
 *
 * Buffers: as above, from each start to its completion.  Over RDMA devices
 * they are registered while the request lives, as far as they are long and not
 * of weft_mem_alloc() or weft_mem_register(): each start finds the same pages
 * there, which are not exchanged for others.  They may be freed before the
 * request if it is not started any more; the system has them back with it.
 *
 * Returns:  WEFT_OK, or an error; then all ranks get one.
 * Blocks:   until all ranks have called it.   Collective: over the graph, in
 *           the same order on all ranks.
 */
WEFT_API int weft_neighbor_alltoallv_init(struct weft_comm *graph,
					  const struct weft_vec *send,
					  const struct weft_vec *recv,
					  struct weft_request **req_p)
	WEFT_MUST_CHECK;

/**
 * weft_neighbor_way - how a message of an exchange has come
 *
 * req          of weft_ineighbor_alltoallv() or _init(), not active
 * i            the i-th in-edge
 * way_p [out]  "line"; "slot", copied out of it; "direct" into the buffer, or
 *              by a copy of the "kernel"; "chunks", copied out of these; NULL:
 *              nothing has come yet, or the exchange has failed.  Valid as long
 *              as the program runs
 *
 * Returns:  WEFT_OK, WEFT_ERR_REQUEST (it is active, or of another call),
 *           WEFT_ERR_RANGE (no such edge), WEFT_ERR_ARG.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_neighbor_way(const struct weft_request *req, int i,
			       const char **way_p) WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
