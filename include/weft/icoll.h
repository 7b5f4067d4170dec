/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective operations that do not block: each has the arguments of the
 * blocking one (weft/coll.h), and a request.
 *
 * Nonblocking ones, weft_iX(), belong to the one order in which all ranks call
 * the collectives of a communicator; any number of them may be under way, and
 * others may be called meanwhile.
 *
 * Persistent ones, weft_X_init(), say the arguments once, for an operation that
 * is started many times.  The request is made inactive; all ranks start it the
 * same number of times, and different ones in any order.  What its channels
 * need is prepared, and its memory is registered where a device gains by it.
 *
 * Until a request is complete what is given is only read, and where results go
 * is the library's; of a persistent one both stay where they are while it
 * lives.  A wait tells what the blocking call would return.
 */
#ifndef WEFT_ICOLL_H
#define WEFT_ICOLL_H

#include <weft/coll.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_request;

/**
 * weft_ibarrier, weft_ibcast, weft_iallreduce, weft_ireduce, weft_iscan,
 * weft_iexscan, weft_ireduce_scatter, weft_ireduce_scatter_block,
 * weft_iallgather, weft_iallgatherv, weft_igather, weft_igatherv,
 * weft_iscatter, weft_iscatterv, weft_ialltoall, weft_ialltoallv - start a
 * collective operation
 *
 * req_p [out]   request, to be freed once it is complete
 *
 * A call that is refused for its arguments is not made: the others wait for
 * this rank until it calls again.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_RANGE, WEFT_ERR_NOMEM (an error at
 *           all ranks that wait for this one), WEFT_ERR_DEVICE (a constructor
 *           failed with that before: the communicator is out of step).  Of the
 *           operation the wait for it tells.
 * Blocks:   never.   Collective: yes.
 */
WEFT_API int weft_ibarrier(struct weft_comm *comm,
			   struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_ibcast(struct weft_comm *comm, struct weft_part data,
			 int root, struct weft_request **req_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_iallreduce(struct weft_comm *comm, const void *in,
			     struct weft_part out, const struct weft_op *op,
			     struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_ireduce(struct weft_comm *comm, const void *in,
			  struct weft_part out, const struct weft_op *op,
			  int root, struct weft_request **req_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_iscan(struct weft_comm *comm, const void *in,
			struct weft_part out, const struct weft_op *op,
			struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_iexscan(struct weft_comm *comm, const void *in,
			  struct weft_part out, const struct weft_op *op,
			  struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_iallgather(struct weft_comm *comm, struct weft_part send,
			     struct weft_part recv,
			     struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_igather(struct weft_comm *comm, struct weft_part send,
			  struct weft_part recv, int root,
			  struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_iscatter(struct weft_comm *comm, struct weft_part send,
			   struct weft_part recv, int root,
			   struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_igatherv(struct weft_comm *comm, struct weft_part send,
			   const struct weft_vec *recv, int root,
			   struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_iscatterv(struct weft_comm *comm, const struct weft_vec *send,
			    struct weft_part recv, int root,
			    struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_ireduce_scatter(struct weft_comm *comm, const void *in,
				  const struct weft_vec *out,
				  const struct weft_op *op,
				  struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_ireduce_scatter_block(struct weft_comm *comm, const void *in,
					struct weft_part out,
					const struct weft_op *op,
					struct weft_request **req_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_iallgatherv(struct weft_comm *comm, struct weft_part send,
			      const struct weft_vec *recv,
			      struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_ialltoallv(struct weft_comm *comm,
			     const struct weft_vec *send,
			     const struct weft_vec *recv,
			     struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_ialltoall(struct weft_comm *comm, struct weft_part send,
			    struct weft_part recv,
			    struct weft_request **req_p) WEFT_MUST_CHECK;

/**
 * weft_barrier_init, weft_bcast_init, weft_allreduce_init, weft_reduce_init,
 * weft_scan_init, weft_exscan_init, weft_reduce_scatter_init,
 * weft_reduce_scatter_block_init, weft_allgather_init, weft_allgatherv_init,
 * weft_gather_init, weft_gatherv_init, weft_scatter_init, weft_scatterv_init,
 * weft_alltoall_init, weft_alltoallv_init - prepare a collective operation
 *
 * req_p [out]   inactive request
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_RANGE, WEFT_ERR_NOMEM; an error at
 *           one rank is one at all.  WEFT_ERR_DEVICE, WEFT_ERR_PEER.
 * Blocks:   until all ranks have called it.   Collective: yes.
 */
WEFT_API int weft_barrier_init(struct weft_comm *comm,
			       struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_bcast_init(struct weft_comm *comm, struct weft_part data,
			     int root, struct weft_request **req_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_allreduce_init(struct weft_comm *comm, const void *in,
				 struct weft_part out, const struct weft_op *op,
				 struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_reduce_init(struct weft_comm *comm, const void *in,
			      struct weft_part out, const struct weft_op *op,
			      int root, struct weft_request **req_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_scan_init(struct weft_comm *comm, const void *in,
			    struct weft_part out, const struct weft_op *op,
			    struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_exscan_init(struct weft_comm *comm, const void *in,
			      struct weft_part out, const struct weft_op *op,
			      struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_allgather_init(struct weft_comm *comm, struct weft_part send,
				 struct weft_part recv,
				 struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_gather_init(struct weft_comm *comm, struct weft_part send,
			      struct weft_part recv, int root,
			      struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_scatter_init(struct weft_comm *comm, struct weft_part send,
			       struct weft_part recv, int root,
			       struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_gatherv_init(struct weft_comm *comm, struct weft_part send,
			       const struct weft_vec *recv, int root,
			       struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_scatterv_init(struct weft_comm *comm,
				const struct weft_vec *send,
				struct weft_part recv, int root,
				struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_reduce_scatter_init(struct weft_comm *comm, const void *in,
				      const struct weft_vec *out,
				      const struct weft_op *op,
				      struct weft_request **req_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_reduce_scatter_block_init(struct weft_comm *comm,
					    const void *in,
					    struct weft_part out,
					    const struct weft_op *op,
					    struct weft_request **req_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_allgatherv_init(struct weft_comm *comm, struct weft_part send,
				  const struct weft_vec *recv,
				  struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_alltoallv_init(struct weft_comm *comm,
				 const struct weft_vec *send,
				 const struct weft_vec *recv,
				 struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_alltoall_init(struct weft_comm *comm, struct weft_part send,
				struct weft_part recv,
				struct weft_request **req_p) WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
