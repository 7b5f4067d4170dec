/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several fields in one neighbour exchange (weft/neighbor.h): a program that
 * exchanges n fields with the same neighbours sends one message along each
 * edge, not n.
 */
#ifndef WEFT_BATCH_H
#define WEFT_BATCH_H

#include <weft/status.h>
#include <weft/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_comm;
struct weft_request;

/**
 * weft_exchange_batch_init - n fields in one message along each edge, to be
 *                            started many times
 *
 * graph        from weft_graph_create_adjacent() or weft_graph_create()
 * n            fields, 0 allowed; the same at all ranks
 * send, recv   n vectors each: the i-th of both is a field, as of
 *              weft_neighbor_alltoallv(), or, with types of its edges, as of
 *              _alltoallw().  Both ends of an edge give the same number of
 *              bytes for each field; only their sum is compared.  NULL is
 *              allowed with 0 fields.
 * req_p [out]  inactive; weft_request_start() starts it.  It does not wait for
 *              other persistent requests of the graph.
 *
 * Buffers: fields may be anywhere in memory and have any types.  From each
 * start to its completion send parts may be read, receive parts may not be
 * touched, and no two of these may overlap.  Of several fields the request
 * keeps a packed copy of all that is sent and received, gathered at each start
 * and scattered at its completion; one alone goes as by the exchanges above.
 * The arrays, vectors and what these point to may go out of scope at return.
 *
 * Returns:  as weft_neighbor_alltoallv(); WEFT_ERR_ARG also if n is negative.
 *           At an error all ranks get one, and there is no request.  Of an
 *           exchange: WEFT_ERR_TRUNCATE or WEFT_ERR_SIZE where the fields of
 *           an edge together have another size at its sender; of several
 *           fields none of this edge has changed, those of other edges have
 *           come, and the next start is unaffected.
 * Blocks:   until all ranks have called it.   Collective: over the graph, in
 *           the same order on all ranks.
 */
WEFT_API int weft_exchange_batch_init(struct weft_comm *graph, int n,
				      const struct weft_vec *const send[],
				      const struct weft_vec *const recv[],
				      struct weft_request **req_p)
	WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
