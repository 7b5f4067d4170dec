/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Neighbour reductions: what comes along the in-edges of a graph
 * (weft/graph.h) is combined with elements that are there, as the assembly of
 * a vector does whose entries several ranks add to.
 */
#ifndef WEFT_FOLD_H
#define WEFT_FOLD_H

#include <stddef.h>
#include <stdint.h>
#include <weft/op.h>
#include <weft/status.h>
#include <weft/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_comm;
struct weft_request;

/*
 * Where what arrives is combined: n elements of a type from base on, each its
 * extent behind the one before.  Along the i-th in-edge counts[i] elements
 * arrive.  The j-th that arrives, counted edge by edge in the order of the
 * edges, is combined into element at[j] of the n, from 0 on; where at is NULL
 * the elements of each edge go into elements 0, 1, 2 and so on.  An element
 * may be named any number of times, also by one edge; those that are not named
 * stay as they are.
 */
struct weft_fold {
	void *base;
	size_t n;
	const struct weft_type *type;
	const size_t *counts;		/* per in-edge */
	const uint32_t *at;		/* per element that arrives, or NULL */
};

/**
 * weft_neighbor_reduce - combine what comes along the in-edges of a graph
 *
 * graph  from weft_graph_create() or weft_graph_create_adjacent()
 * send   what goes along the out-edges, as of weft_neighbor_alltoallv(); both
 *        ends of an edge give the same number of bytes
 * recv   where it is combined.  At a rank without in-edges nothing of it is
 *        looked at.
 * op     a predefined one that is defined for the type, or one of the program,
 *        which need not commute.  One whose unit is more than an element takes
 *        the elements of an edge as a vector, and recv->at is NULL.
 *
 * Each element becomes (what it is) op (what arrives for it), in the order of
 * the in-edges, and of the positions on an edge: ((e op x) op y) op z.  So the
 * bits depend on the graph and the data alone, not on time, and the element
 * itself is the leftmost operand: put an identity there if you want none.
 *
 * Buffers:  from start to completion the library owns them.  base and its n
 *           elements may not be touched, and may not overlap what is sent; send
 *           buffers may be read.  What arrives lies in a packed copy of the
 *           call, which costs as many bytes as arrive, and 4 for each element
 *           if at is set.  After an error of the exchange some in-edges, from
 *           the first one on, have been combined, each whole; none that failed,
 *           and none behind it.  After an error of an argument here none has.
 * Returns:  as weft_neighbor_alltoallv(); WEFT_ERR_RANGE also for an element of
 *           at that is not below n, or, where at is NULL, a count above n.
 * Blocks:   until all in-edges are combined and the send buffers may be
 *           reused.   Collective: over the graph, started in the same order
 *           on all ranks; it does not synchronise.
 */
WEFT_API int weft_neighbor_reduce(struct weft_comm *graph,
				  const struct weft_vec *send,
				  const struct weft_fold *recv,
				  const struct weft_op *op) WEFT_MUST_CHECK;

/**
 * weft_ineighbor_reduce - the same, nonblocking
 *
 * req_p [out]  complete it with weft_request_wait() or _test(), then
 *              weft_request_free().  send and recv themselves, and arrays, may
 *              go out of scope at return, the buffers not before completion.
 *
 * An operation of the program may be freed at once.  Of several that are under
 * way none may name an element of another one.
 *
 * Returns:  WEFT_OK or an error as above; then there is no request.
 * Blocks:   never; any number may be in flight.   Collective: over the graph,
 *           started in the same order on all ranks.
 */
WEFT_API int weft_ineighbor_reduce(struct weft_comm *graph,
				   const struct weft_vec *send,
				   const struct weft_fold *recv,
				   const struct weft_op *op,
				   struct weft_request **req_p)
	WEFT_MUST_CHECK;

/**
 * weft_neighbor_reduce_init - the same, to be started many times
 *
 * req_p [out]  inactive; weft_request_start() starts it.  Each start combines
 *              with what the elements are then; indices were checked, and
 *              copied, by this call.  Persistent requests of a graph do not
 *              wait for each other.
 *
 * Returns:  WEFT_OK, or an error; then all ranks get one.
 * Blocks:   until all ranks have called it.   Collective: over the graph, in
 *           the same order on all ranks.
 */
WEFT_API int weft_neighbor_reduce_init(struct weft_comm *graph,
				       const struct weft_vec *send,
				       const struct weft_fold *recv,
				       const struct weft_op *op,
				       struct weft_request **req_p)
	WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
