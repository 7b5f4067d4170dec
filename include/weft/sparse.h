/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sparse exchange: each rank has messages for some others, which do not know
 * that they get any, from whom, or how long they are.  So it discovers a
 * graph: who has sent to a rank are its sources (weft/graph.h).
 *
 * It takes as many steps as an allreduce, along the same connections, and
 * neither memory nor messages for each rank of the communicator.  A message
 * passes through other ranks on its way, so it is meant for short ones.
 */
#ifndef WEFT_SPARSE_H
#define WEFT_SPARSE_H

#include <stddef.h>
#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_comm;
struct weft_request;

/*
 * What a rank gives: n messages, the i-th of bytes[i] bytes, 0 included, for
 * rank ranks[i], which may be the own one and may be there more than once.
 * They lie one behind the other in base.  Of 0 messages both arrays may be
 * NULL, of 0 bytes base.
 */
struct weft_sparse {
	int n;
	const int *ranks;
	const size_t *bytes;
	const void *base;
};

/*
 * What a rank gets: n messages, the i-th of bytes[i] bytes from rank ranks[i],
 * one behind the other in base.  They are sorted by the rank, those of one rank
 * as it had them, so all of it is the same in each run.  base is aligned for
 * any type.  The caller owns it, until weft_sparse_free().
 */
struct weft_sparse_got {
	int n;
	int *ranks;
	size_t *bytes;
	void *base;
	void *reserved[2];	/* NULL */
};

/**
 * weft_sparse_exchange - give messages to ranks that do not know of them
 *
 * comm       communicator
 * send       messages of this rank; each rank has its own
 * got [out]  messages for this rank; empty after an error.  What it had before
 *            is not looked at.
 *
 * A call that is refused for its arguments is an error at the others too,
 * which hear whose it is; the next one is made as if nothing had been.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (also a number of messages below 0, or an
 *           array that is NULL), WEFT_ERR_RANGE (a rank that there is not; sums
 *           of bytes beyond 2^63), WEFT_ERR_NOMEM, WEFT_ERR_DEVICE,
 *           WEFT_ERR_PEER; or what another rank has failed with, which the text
 *           names.  Who got all that is for it may have WEFT_OK then.
 * Blocks:   yes.   Collective: yes.
 */
WEFT_API int weft_sparse_exchange(struct weft_comm *comm,
				  const struct weft_sparse *send,
				  struct weft_sparse_got *got) WEFT_MUST_CHECK;

/**
 * weft_isparse_exchange - the same without waiting
 *
 * send         as above; the structure itself is not needed behind the call
 * got [out]    filled when the request is complete, and empty till then
 * req_p [out]  request, to be freed once it is complete
 *
 * Any number may be under way; they go one after the other.
 *
 * Buffers:  arrays and base are only read until the request is complete.
 * Returns:  as weft_sparse_exchange() of the arguments and of memory; of the
 *           exchange the wait for it tells.
 * Blocks:   never, but without any memory behind another one that lacked it.
 * Collective: yes, in one order with weft_sparse_exchange().
 */
WEFT_API int weft_isparse_exchange(struct weft_comm *comm,
				   const struct weft_sparse *send,
				   struct weft_sparse_got *got,
				   struct weft_request **req_p)
	WEFT_MUST_CHECK;

/**
 * weft_sparse_free - give back what came
 *
 * got  of a call that is complete, and empty behind this; NULL or an empty one:
 *      nothing is done.  Its job may be closed.
 */
WEFT_API void weft_sparse_free(struct weft_sparse_got *got);

#ifdef __cplusplus
}
#endif

#endif
