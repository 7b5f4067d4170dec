/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Patterns: the edges and channels of a graph (weft/graph.h), without a
 * communicator that the program would have in hand.  A pattern has no
 * attributes, no topology to ask for, no messages and no collectives; its ranks
 * are those of the communicator that it was made of, whose group it shares, and
 * which may be freed before it.  So it is what a library takes for exchanges of
 * its own.
 *
 * Exchanges are those of weft/neighbor.h, weft/batch.h and weft/fold.h by other
 * names, and all that is said there holds.
 */
#ifndef WEFT_PATTERN_H
#define WEFT_PATTERN_H

#include <weft/fold.h>
#include <weft/graph.h>
#include <weft/status.h>
#include <weft/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_comm;
struct weft_info;
struct weft_pattern;
struct weft_request;

/**
 * weft_pattern_create - a pattern from each rank's own edges
 *
 * comm, in, out    as of weft_graph_create_adjacent()
 * info             read as there, and of no effect: ranks stay
 * pattern_p [out]  free it with weft_pattern_free()
 *
 * Returns:  as weft_graph_create_adjacent().
 * Blocks:   yes.   Collective: over comm.
 */
WEFT_API int weft_pattern_create(struct weft_comm *comm,
				 const struct weft_edges *in,
				 const struct weft_edges *out,
				 const struct weft_info *info,
				 struct weft_pattern **pattern_p)
	WEFT_MUST_CHECK;

/**
 * weft_pattern_free - give a pattern up
 *
 * pattern_p  set to NULL; NULL inside is fine.  What is under way is completed.
 *
 * Returns:  as weft_comm_free().
 * Blocks:   no.   Collective: yes, but it does not synchronise.
 */
WEFT_API int weft_pattern_free(struct weft_pattern **pattern_p)
	WEFT_MUST_CHECK;

/**
 * weft_pattern_allgather, weft_pattern_allgatherv, weft_pattern_alltoall,
 * weft_pattern_alltoallv, weft_pattern_alltoallw - neighbour exchanges
 *
 * Returns:  as weft_neighbor_allgather() and so on.
 * Blocks:   as those.   Collective: over the pattern.
 */
WEFT_API int weft_pattern_allgather(struct weft_pattern *pattern,
				    struct weft_part send,
				    struct weft_part recv) WEFT_MUST_CHECK;
WEFT_API int weft_pattern_allgatherv(struct weft_pattern *pattern,
				     struct weft_part send,
				     const struct weft_vec *recv)
	WEFT_MUST_CHECK;
WEFT_API int weft_pattern_alltoall(struct weft_pattern *pattern,
				   struct weft_part send,
				   struct weft_part recv) WEFT_MUST_CHECK;
WEFT_API int weft_pattern_alltoallv(struct weft_pattern *pattern,
				    const struct weft_vec *send,
				    const struct weft_vec *recv)
	WEFT_MUST_CHECK;
WEFT_API int weft_pattern_alltoallw(struct weft_pattern *pattern,
				    const struct weft_vec *send,
				    const struct weft_vec *recv)
	WEFT_MUST_CHECK;

/**
 * weft_ipattern_allgather, weft_ipattern_allgatherv, weft_ipattern_alltoall,
 * weft_ipattern_alltoallv, weft_ipattern_alltoallw - the same, nonblocking
 *
 * Returns:  as weft_ineighbor_allgather() and so on.
 * Blocks:   never.   Collective: over the pattern, in the same order.
 */
WEFT_API int weft_ipattern_allgather(struct weft_pattern *pattern,
				     struct weft_part send,
				     struct weft_part recv,
				     struct weft_request **req_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_ipattern_allgatherv(struct weft_pattern *pattern,
				      struct weft_part send,
				      const struct weft_vec *recv,
				      struct weft_request **req_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_ipattern_alltoall(struct weft_pattern *pattern,
				    struct weft_part send,
				    struct weft_part recv,
				    struct weft_request **req_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_ipattern_alltoallv(struct weft_pattern *pattern,
				     const struct weft_vec *send,
				     const struct weft_vec *recv,
				     struct weft_request **req_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_ipattern_alltoallw(struct weft_pattern *pattern,
				     const struct weft_vec *send,
				     const struct weft_vec *recv,
				     struct weft_request **req_p)
	WEFT_MUST_CHECK;

/**
 * weft_pattern_allgather_init, weft_pattern_allgatherv_init,
 * weft_pattern_alltoall_init, weft_pattern_alltoallv_init,
 * weft_pattern_alltoallw_init, weft_pattern_batch_init - to be started many
 *                                                        times
 *
 * Returns:  as weft_neighbor_allgather_init() and so on, and as
 *           weft_exchange_batch_init().
 * Blocks:   until all ranks have called it.   Collective: over the pattern.
 */
WEFT_API int weft_pattern_allgather_init(struct weft_pattern *pattern,
					 struct weft_part send,
					 struct weft_part recv,
					 struct weft_request **req_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_pattern_allgatherv_init(struct weft_pattern *pattern,
					  struct weft_part send,
					  const struct weft_vec *recv,
					  struct weft_request **req_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_pattern_alltoall_init(struct weft_pattern *pattern,
					struct weft_part send,
					struct weft_part recv,
					struct weft_request **req_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_pattern_alltoallv_init(struct weft_pattern *pattern,
					 const struct weft_vec *send,
					 const struct weft_vec *recv,
					 struct weft_request **req_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_pattern_alltoallw_init(struct weft_pattern *pattern,
					 const struct weft_vec *send,
					 const struct weft_vec *recv,
					 struct weft_request **req_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_pattern_batch_init(struct weft_pattern *pattern, int n,
				     const struct weft_vec *const send[],
				     const struct weft_vec *const recv[],
				     struct weft_request **req_p)
	WEFT_MUST_CHECK;

/**
 * weft_pattern_reduce, weft_ipattern_reduce, weft_pattern_reduce_init - what
 * comes is combined
 *
 * Returns:  as weft_neighbor_reduce(), weft_ineighbor_reduce() and
 *           weft_neighbor_reduce_init().
 * Blocks:   as those.   Collective: over the pattern.
 */
WEFT_API int weft_pattern_reduce(struct weft_pattern *pattern,
				 const struct weft_vec *send,
				 const struct weft_fold *recv,
				 const struct weft_op *op) WEFT_MUST_CHECK;
WEFT_API int weft_ipattern_reduce(struct weft_pattern *pattern,
				  const struct weft_vec *send,
				  const struct weft_fold *recv,
				  const struct weft_op *op,
				  struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_pattern_reduce_init(struct weft_pattern *pattern,
				      const struct weft_vec *send,
				      const struct weft_fold *recv,
				      const struct weft_op *op,
				      struct weft_request **req_p)
	WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
