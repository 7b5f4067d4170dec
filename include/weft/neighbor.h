/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Neighbour exchanges: along the edges of a graph (weft/graph.h).
 *
 * An exchange sends one message along each out-edge and receives one along each
 * in-edge, as one-sided puts into memory that the receiver named before: lines
 * of 64 bytes up to $WEFT_LINE_MAX, landing slots up to $WEFT_SLOT_MAX, above
 * that straight into the user's buffer where the peer may write it (weft/mem.h,
 * and below, persistent requests), else through chunk slots.
 * weft_neighbor_way() tells which.
 *
 * Buffers: from start to completion the library owns them; send buffers may
 * be read, receive buffers may not be touched.  Receive areas of different
 * edges must not overlap; send areas may.  Along edges of nobody (weft/graph.h)
 * nothing is sent, received or combined, but arguments have parts for them,
 * which are checked as others are.
 */
#ifndef WEFT_NEIGHBOR_H
#define WEFT_NEIGHBOR_H

#include <weft/status.h>
#include <weft/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_comm;
struct weft_request;

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
 * weft_neighbor_alltoallw - the same, each edge with a type of its own
 *
 * send, recv  types is set where there are edges; displacements are bytes
 *
 * Returns:  as weft_neighbor_alltoallv().
 * Blocks:   as weft_neighbor_alltoallv().   Collective: over the graph.
 */
WEFT_API int weft_neighbor_alltoallw(struct weft_comm *graph,
				     const struct weft_vec *send,
				     const struct weft_vec *recv)
	WEFT_MUST_CHECK;

/**
 * weft_neighbor_alltoall - a message along each edge, all of one size
 *
 * send, recv  count elements for each edge, in the order of the edges: block i
 *             begins i * count extents of the type behind base; both ends of an
 *             edge give the same number of bytes.  Where there are no edges
 *             they are not looked at.
 *
 * Returns:  as weft_neighbor_alltoallv().
 * Blocks:   as weft_neighbor_alltoallv().   Collective: over the graph.
 */
WEFT_API int weft_neighbor_alltoall(struct weft_comm *graph,
				    struct weft_part send,
				    struct weft_part recv) WEFT_MUST_CHECK;

/**
 * weft_neighbor_allgather, weft_neighbor_allgatherv - the same message along
 *                                                     each out-edge
 *
 * send        goes along each of them, and is read once where it has gaps
 * recv        as that of weft_neighbor_alltoall(), or of _alltoallv()
 *
 * Returns:  as weft_neighbor_alltoallv().
 * Blocks:   as weft_neighbor_alltoallv().   Collective: over the graph.
 */
WEFT_API int weft_neighbor_allgather(struct weft_comm *graph,
				     struct weft_part send,
				     struct weft_part recv) WEFT_MUST_CHECK;
WEFT_API int weft_neighbor_allgatherv(struct weft_comm *graph,
				      struct weft_part send,
				      const struct weft_vec *recv)
	WEFT_MUST_CHECK;

/**
 * weft_ineighbor_alltoallv, weft_ineighbor_alltoallw, weft_ineighbor_alltoall,
 * weft_ineighbor_allgather, weft_ineighbor_allgatherv - the same, nonblocking
 *
 * req_p [out]  complete it with weft_request_wait() or _test(), then
 *              weft_request_free().  send and recv themselves, and arrays, may
 *              go out of scope at return, the buffers not before completion.
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
WEFT_API int weft_ineighbor_alltoallw(struct weft_comm *graph,
				      const struct weft_vec *send,
				      const struct weft_vec *recv,
				      struct weft_request **req_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_ineighbor_alltoall(struct weft_comm *graph,
				     struct weft_part send,
				     struct weft_part recv,
				     struct weft_request **req_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_ineighbor_allgather(struct weft_comm *graph,
				      struct weft_part send,
				      struct weft_part recv,
				      struct weft_request **req_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_ineighbor_allgatherv(struct weft_comm *graph,
				       struct weft_part send,
				       const struct weft_vec *recv,
				       struct weft_request **req_p)
	WEFT_MUST_CHECK;

/**
 * weft_neighbor_alltoallv_init, weft_neighbor_alltoallw_init,
 * weft_neighbor_alltoall_init, weft_neighbor_allgather_init,
 * weft_neighbor_allgatherv_init - the same, to be started many times
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
WEFT_API int weft_neighbor_alltoallw_init(struct weft_comm *graph,
					  const struct weft_vec *send,
					  const struct weft_vec *recv,
					  struct weft_request **req_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_neighbor_alltoall_init(struct weft_comm *graph,
					 struct weft_part send,
					 struct weft_part recv,
					 struct weft_request **req_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_neighbor_allgather_init(struct weft_comm *graph,
					  struct weft_part send,
					  struct weft_part recv,
					  struct weft_request **req_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_neighbor_allgatherv_init(struct weft_comm *graph,
					   struct weft_part send,
					   const struct weft_vec *recv,
					   struct weft_request **req_p)
	WEFT_MUST_CHECK;

/**
 * weft_neighbor_way - how a message of an exchange has come
 *
 * req          of weft_ineighbor_alltoallv() or the like, or of an _init(); not
 *              active
 * i            the i-th in-edge
 * way_p [out]  "line"; "slot", copied out of it; "direct" into the buffer, or
 *              by a copy of the "kernel"; "chunks", copied out of these; NULL:
 *              nothing has come yet, the exchange has failed, or the edge is
 *              from nobody.  Valid as long as the program runs
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
