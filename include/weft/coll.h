/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective operations.  All ranks of the communicator call them in the same
 * order, two threads of a rank not at the same time; what has to be alike each
 * of them says, and is compared with $WEFT_CHECK=2: where two ranks differ all
 * hear of it (WEFT_ERR_ARG).  weft_reduce_local() is what a rank does alone.
 * Their nonblocking and persistent forms are in weft/icoll.h, and belong to the
 * same order.
 */
#ifndef WEFT_COLL_H
#define WEFT_COLL_H

#include <stddef.h>
#include <weft/op.h>
#include <weft/status.h>
#include <weft/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_comm;
struct weft_job;

/*
 * In the place of what a rank gives: it is where the result goes.  As base of a
 * part it makes its count and type irrelevant.  The address is that of MPI.
 */
#define WEFT_IN_PLACE ((const void *)1)

/**
 * weft_barrier - return when all ranks of the communicator have called it
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_NOMEM, WEFT_ERR_DEVICE,
 *           WEFT_ERR_PEER (a rank is dead or has closed its job; the text
 *           names it).
 * Blocks:   yes.   Collective: yes.
 */
WEFT_API int weft_barrier(struct weft_comm *comm) WEFT_MUST_CHECK;

/**
 * weft_allreduce - combine one vector per rank; every rank gets the result
 *
 * in       as many elements as out, of its type; may be WEFT_IN_PLACE, else
 *          they do not overlap
 * out      any number of elements of a type that has operations (weft/op.h)
 * op       an operation defined for that type; it, the count and the type are
 *          the same at all ranks
 *
 * A call that is refused for its arguments is not made: the other ranks wait
 * for this one until it calls again.
 *
 * Every rank gets the same bits, and the bracket of the operands depends on
 * the number of ranks alone: the ranks are split at their middle, the first
 * half one longer if their number is odd, and each half again, down to single
 * ranks; the value of a range is op(first half, second half).
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (also an operation that is not defined for
 *           the type, or out that is WEFT_IN_PLACE), WEFT_ERR_RANGE (its
 *           elements exceed 2^63 bytes), WEFT_ERR_NOMEM, WEFT_ERR_DEVICE,
 *           WEFT_ERR_PEER, WEFT_ERR_TRUNCATE or WEFT_ERR_SIZE (another rank
 *           gave another count; not every rank hears of it, and then its result
 *           is undefined).
 * Blocks:   yes.   Collective: yes.
 */
WEFT_API int weft_allreduce(struct weft_comm *comm, const void *in,
			    struct weft_part out, const struct weft_op *op)
	WEFT_MUST_CHECK;

/**
 * weft_reduce_local - what a reduction does with two vectors of this rank
 *
 * in       left operands, as many as out has and of its type; they do not
 *          overlap
 * out      right operands, and then the results
 * op       an operation defined for that type
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (also an operation that is not defined for
 *           the type, or WEFT_IN_PLACE; job NULL, of which there is no text),
 *           WEFT_ERR_RANGE (its elements exceed 2^63 bytes).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_reduce_local(struct weft_job *job, const void *in,
			       struct weft_part out, const struct weft_op *op)
	WEFT_MUST_CHECK;

/**
 * weft_scan, weft_exscan - combine the vectors of the ranks up to this one
 *
 * in       as many elements as out, of its type; may be WEFT_IN_PLACE, else
 *          they do not overlap
 * out      any number of elements of a type that has operations
 * op       an operation defined for that type
 *
 * Of weft_scan() a rank gets the vectors of all ranks up to its own; of
 * weft_exscan() those of the ranks below it: at rank 0 out is left as it was.
 * The operands stand in ascending order, in a bracket that depends on the
 * number of ranks and the rank alone: the ranks combined are the fewest
 * ranges of the bracket of weft_allreduce(), from left to right.
 *
 * Returns:  as weft_allreduce().
 * Blocks:   until all ranks have called it.   Collective: yes.
 */
WEFT_API int weft_scan(struct weft_comm *comm, const void *in,
		       struct weft_part out, const struct weft_op *op)
	WEFT_MUST_CHECK;
WEFT_API int weft_exscan(struct weft_comm *comm, const void *in,
			 struct weft_part out, const struct weft_op *op)
	WEFT_MUST_CHECK;

/**
 * weft_reduce_scatter, weft_reduce_scatter_block - combine one vector per rank;
 * every rank gets its part
 *
 * in       as many elements as the parts of all ranks together, in the order of
 *          ranks; may be WEFT_IN_PLACE: then they are where out begins, which
 *          has room for all; else they do not overlap
 * out      the own part.  Its count is that of each rank, or, as a vec, counts
 *          has that of each rank, the same at all of them; types, displs and
 *          int_displs are NULL.
 * op       an operation defined for the type
 *
 * The bits are those of weft_allreduce().
 *
 * Returns:  as weft_allreduce().
 * Blocks:   yes.   Collective: yes.
 */
WEFT_API int weft_reduce_scatter(struct weft_comm *comm, const void *in,
				 const struct weft_vec *out,
				 const struct weft_op *op) WEFT_MUST_CHECK;
WEFT_API int weft_reduce_scatter_block(struct weft_comm *comm, const void *in,
				       struct weft_part out,
				       const struct weft_op *op)
	WEFT_MUST_CHECK;

/**
 * weft_allgather, weft_allgatherv - every rank gets the vectors of all
 *
 * send     what this rank gives; base may be WEFT_IN_PLACE: what recv has at
 *          the own place
 * recv     its count is that of one rank; room for all, in the order of ranks.
 *          As a vec it says the count and the place of each rank; the bytes of
 *          each are the same at all ranks, places and types may differ.  Does
 *          not overlap send, and has as many bytes for the own rank.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (also other bytes to send than to receive of
 *           the own rank), WEFT_ERR_RANGE (all elements exceed 2^63 bytes),
 *           WEFT_ERR_NOMEM, WEFT_ERR_DEVICE, WEFT_ERR_PEER, WEFT_ERR_TRUNCATE
 *           or WEFT_ERR_SIZE (another rank gave other bytes; not every rank
 *           hears of it, and then its result is undefined).
 * Blocks:   yes.   Collective: yes.
 */
WEFT_API int weft_allgather(struct weft_comm *comm, struct weft_part send,
			    struct weft_part recv) WEFT_MUST_CHECK;
WEFT_API int weft_allgatherv(struct weft_comm *comm, struct weft_part send,
			     const struct weft_vec *recv) WEFT_MUST_CHECK;

/**
 * weft_alltoall - every rank gets one vector from each, made for it
 *
 * send, recv   room for all ranks, in their order, and the count of one; as
 *              many bytes for each.  They do not overlap; send.base may be
 *              WEFT_IN_PLACE: what is given is where the result goes.
 *
 * With more than 8 ranks vectors of up to 512 bytes pass through others, and
 * need scratch memory several times the size of all of them together.  Longer
 * ones go another way: of ranks that disagree on that some wait.
 *
 * Returns:  as weft_allgather().
 * Blocks:   yes.   Collective: yes.
 */
WEFT_API int weft_alltoall(struct weft_comm *comm, struct weft_part send,
			   struct weft_part recv) WEFT_MUST_CHECK;

/**
 * weft_alltoallv - the same of any number of elements for each rank
 *
 * send, recv   the count and the place of what goes to each rank, or comes from
 *              it; with types a type for each as well (MPI's alltoallw).  Bytes
 *              that one rank gives to another are those that this one gets, or
 *              none at both: else one of them waits, and takes later ones.
 *              They do not overlap; send->base may be WEFT_IN_PLACE, and then
 *              nothing else of it is looked at: what is given is where the
 *              result goes.
 *
 * Ranks between which no bytes go do not wait for each other, and are not
 * connected for it.  Long vectors of weft_alltoall() go this way, too.  A rank
 * that lacks memory to take note of a call, or for ten seconds that to tell a
 * partner of one that has failed, is out of step for good, for calls of this
 * kind: they are errors there, and at those that wait for it.
 *
 * Returns:  as weft_allgather(); WEFT_ERR_GRAPH: another rank is out of step.
 * Blocks:   until all is here, and what is given may be changed.
 *           Collective: yes.
 */
WEFT_API int weft_alltoallv(struct weft_comm *comm,
			    const struct weft_vec *send,
			    const struct weft_vec *recv) WEFT_MUST_CHECK;

/**
 * weft_bcast - every rank gets the vector of one
 *
 * data     the vector at the root, where it is only read; at the others it is
 *          written
 * root     rank whose vector it is, the same at all ranks
 *
 * Nobody waits for others than those by which the vector comes: a root may be
 * some operations ahead of ranks that are slow.  A call that is refused for its
 * arguments is not made: the other ranks wait for this one until it calls
 * again.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_RANGE (no such root; more than
 *           2^63 bytes), WEFT_ERR_NOMEM, WEFT_ERR_DEVICE,
 *           WEFT_ERR_PEER, WEFT_ERR_TRUNCATE or WEFT_ERR_SIZE (another rank
 *           gave another count; not every rank hears of it, and then its vector
 *           is undefined).
 * Blocks:   at the root until the vector is on its way, at the others until it
 *           is there.   Collective: yes.
 */
WEFT_API int weft_bcast(struct weft_comm *comm, struct weft_part data,
			int root) WEFT_MUST_CHECK;

/**
 * weft_reduce - combine one vector per rank; the root gets the result
 *
 * in       as many elements as out, of its type; at the root it may be
 *          WEFT_IN_PLACE, else they do not overlap
 * out      any number of elements of a type that has operations; its base is
 *          that of the result at the root, and not looked at elsewhere
 * op       an operation defined for that type
 * root     the same at all ranks
 *
 * The result has the bits of weft_allreduce().  Nobody waits for others than
 * those whose values it combines or passes on; refusals as of weft_bcast().
 *
 * Returns:  as weft_allreduce(); WEFT_ERR_RANGE, too, for no such root.
 * Blocks:   at the root until the result is there, at the others until their
 *           part is on its way.   Collective: yes.
 */
WEFT_API int weft_reduce(struct weft_comm *comm, const void *in,
			 struct weft_part out, const struct weft_op *op,
			 int root) WEFT_MUST_CHECK;

/**
 * weft_gather, weft_scatter - the root gets the vectors of all, or gives them
 *
 * send, recv   what this rank gives and gets.  At the root recv of a gather and
 *              send of a scatter have room for all, in the order of ranks, and
 *              the count of one rank; at the others they are not looked at.
 *              At the root the base of the other one may be WEFT_IN_PLACE: the
 *              own elements are at the own place among all.  Else they do not
 *              overlap, and have as many bytes for each rank.
 * root         the same at all ranks
 *
 * Refusals as of weft_bcast().  With more than 8 ranks some pass on what others
 * give or get, and need scratch memory for that.
 *
 * Returns:  as weft_bcast().
 * Blocks:   until the own part, and what this rank passes on, is on its way, or
 *           there; at the root of a gather until all parts are.
 *           Collective: yes.
 */
WEFT_API int weft_gather(struct weft_comm *comm, struct weft_part send,
			 struct weft_part recv, int root) WEFT_MUST_CHECK;
WEFT_API int weft_scatter(struct weft_comm *comm, struct weft_part send,
			  struct weft_part recv, int root) WEFT_MUST_CHECK;

/**
 * weft_gatherv, weft_scatterv - the same of any number of elements of each rank
 *
 * send, recv   the part is that of this rank, as of weft_gather(); the vec has
 *              the count and the place of each rank at the root, and is not
 *              looked at elsewhere, where it may be NULL.  Bytes of a rank are
 *              the same on both sides.
 *
 * With more than 8 ranks the number of bytes of each goes ahead of them.
 *
 * Returns:  as weft_gather().  WEFT_ERR_TRUNCATE or WEFT_ERR_SIZE, where the
 *           bytes of a rank differ, is an error at the rank that sees it, at
 *           which they should arrive, and at those which wait for that one.
 * Blocks:   as weft_gather().   Collective: yes.
 */
WEFT_API int weft_gatherv(struct weft_comm *comm, struct weft_part send,
			  const struct weft_vec *recv, int root)
	WEFT_MUST_CHECK;
WEFT_API int weft_scatterv(struct weft_comm *comm, const struct weft_vec *send,
			   struct weft_part recv, int root) WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
