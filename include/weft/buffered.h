/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Buffered sends: their memory is reusable at once, because the message lies in
 * a buffer that the program has attached until it has left.  A communicator
 * with a buffer of its own uses that, any other one that of the job.
 *
 * A message needs as much of the buffer as its bytes and WEFT_BSEND_OVERHEAD:
 * where the sum over those that have not left is not more than the buffer, and
 * none of them has left before another one came, each finds room.  It leaves by
 * progress, as that of weft_isend() does, and nobody is told if it does not
 * arrive.
 */
#ifndef WEFT_BUFFERED_H
#define WEFT_BUFFERED_H

#include <stddef.h>
#include <weft/p2p.h>
#include <weft/status.h>
#include <weft/type.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_comm;
struct weft_job;
struct weft_request;

enum {
	WEFT_BSEND_OVERHEAD = 64	/* bytes of the buffer for a message */
};

/* In the place of a buffer: the library takes memory for each message. */
#define WEFT_BUFFER_AUTOMATIC ((void *)-1)

/**
 * weft_buffer_attach, weft_comm_buffer_attach - give a job, or a communicator,
 * memory for messages that leave later
 *
 * buffer   so many bytes, aligned or not; the library's until it is detached,
 *          or the job is closed, which waits until all has left; that of a
 *          communicator also until its last use is over, behind
 *          weft_comm_free().  WEFT_BUFFER_AUTOMATIC: bytes says nothing
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (also if there is one already),
 *           WEFT_ERR_NOMEM (for what is noted outside of it).
 * Blocks:   never.   Collective: no.
 */
WEFT_API int weft_buffer_attach(struct weft_job *job, void *buffer,
				size_t bytes) WEFT_MUST_CHECK;
WEFT_API int weft_comm_buffer_attach(struct weft_comm *comm, void *buffer,
				     size_t bytes) WEFT_MUST_CHECK;

/**
 * weft_buffer_detach, weft_comm_buffer_detach - take it back, when all messages
 * have left it
 *
 * buffer_p, bytes_p [out]  what was attached; WEFT_BUFFER_AUTOMATIC and 0
 *
 * Meanwhile other threads find none attached, those of a communicator that of
 * the job.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (also if there is none).
 * Blocks:   until all messages have left it, or failed: above 8 KiB, or without
 *           room at the receiver, when it takes them.   Collective: no.
 */
WEFT_API int weft_buffer_detach(struct weft_job *job, void **buffer_p,
				size_t *bytes_p) WEFT_MUST_CHECK;
WEFT_API int weft_comm_buffer_detach(struct weft_comm *comm, void **buffer_p,
				     size_t *bytes_p) WEFT_MUST_CHECK;

/**
 * weft_buffer_flush, weft_comm_buffer_flush - wait until the messages that are
 * in the buffer have left it
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (also if there is none).
 * Blocks:   as weft_buffer_detach(), but not for what other threads send
 *           meanwhile.   Collective: no.
 */
WEFT_API int weft_buffer_flush(struct weft_job *job) WEFT_MUST_CHECK;
WEFT_API int weft_comm_buffer_flush(struct weft_comm *comm) WEFT_MUST_CHECK;

/**
 * weft_buffer_iflush, weft_comm_buffer_iflush - the same without waiting
 *
 * req_p [out]  complete when the messages that are in the buffer now have left
 *              it; it may be freed before
 *
 * Returns:  as weft_buffer_flush(), WEFT_ERR_NOMEM.
 * Blocks:   never.   Collective: no.
 */
WEFT_API int weft_buffer_iflush(struct weft_job *job,
				struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_comm_buffer_iflush(struct weft_comm *comm,
				     struct weft_request **req_p)
	WEFT_MUST_CHECK;

/**
 * weft_bsend - send a message out of the attached buffer
 *
 * data, n, type, to   as of weft_send(); copied
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_RANGE, WEFT_ERR_NOMEM,
 *           WEFT_ERR_BUFFER (no room in the buffer: the text has both sizes; or
 *           there is none; nothing was sent), WEFT_ERR_PEER (that rank is known
 *           to be gone).  Of an automatic buffer WEFT_ERR_NOMEM is what is told
 *           where there is no room.
 * Blocks:   never.   Collective: no.
 */
WEFT_API int weft_bsend(struct weft_comm *comm, const void *data, size_t n,
			const struct weft_type *type, struct weft_envelope to)
	WEFT_MUST_CHECK;

/**
 * weft_ibsend - the same, with a request
 *
 * req_p [out]  complete at once; to be freed
 *
 * Returns:  as weft_bsend().
 * Blocks:   never.   Collective: no.
 */
WEFT_API int weft_ibsend(struct weft_comm *comm, const void *data, size_t n,
			 const struct weft_type *type, struct weft_envelope to,
			 struct weft_request **req_p) WEFT_MUST_CHECK;

/**
 * weft_bsend_init - prepare one, see weft/persistent.h
 *
 * Each start copies, and is complete at once.
 *
 * Returns:  as weft_send_init(); of a start the wait for it tells: as
 *           weft_bsend().
 * Blocks:   never.   Collective: no.
 */
WEFT_API int weft_bsend_init(struct weft_comm *comm, const void *data,
			     size_t n, const struct weft_type *type,
			     struct weft_envelope to,
			     struct weft_request **req_p) WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
