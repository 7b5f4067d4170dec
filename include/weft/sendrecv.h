/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A send and a receive in one call: see weft/p2p.h for what each of them does.
 */
#ifndef WEFT_SENDRECV_H
#define WEFT_SENDRECV_H

#include <stddef.h>
#include <weft/p2p.h>
#include <weft/status.h>
#include <weft/type.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_comm;
struct weft_request;

/* One to be sent, or received, where a call has two of them. */
struct weft_outgoing {
	const void *data;
	size_t n;
	const struct weft_type *type;
	struct weft_envelope to;
};

struct weft_incoming {
	void *data;
	size_t n;
	const struct weft_type *type;
	struct weft_envelope from;
};

/**
 * weft_sendrecv - send a message and receive another one, at the same time
 *
 * send, recv   as of weft_send() and weft_recv(); their memory does not overlap
 * got_p [out]  as of weft_recv()
 *
 * weft_sendrecv(comm,
 *               &(struct weft_outgoing){ x, n, type, weft_to(right, 0) },
 *               &(struct weft_incoming){ y, n, type, weft_from(left, 0) },
 *               NULL);
 *
 * Returns:  as weft_send() and weft_recv(), the error of the send if both fail.
 *           Nothing was sent for WEFT_ERR_ARG and WEFT_ERR_RANGE.
 * Blocks:   until both are over, also if one fails.   Collective: no.
 */
WEFT_API int weft_sendrecv(struct weft_comm *comm,
			   const struct weft_outgoing *send,
			   const struct weft_incoming *recv,
			   struct weft_message_status *got_p) WEFT_MUST_CHECK;

/**
 * weft_sendrecv_replace - the same with one memory, sent and then overwritten
 *
 * data         what is sent, and how and from whom it is replaced
 * to           as of weft_send()
 * got_p [out]  as of weft_recv()
 *
 * Returns:  as weft_sendrecv(); WEFT_ERR_NOMEM also without memory for a copy
 *           of what is sent, and then nothing was.
 * Blocks:   as weft_sendrecv().   Collective: no.
 */
WEFT_API int weft_sendrecv_replace(struct weft_comm *comm,
				   const struct weft_incoming *data,
				   struct weft_envelope to,
				   struct weft_message_status *got_p)
	WEFT_MUST_CHECK;

/**
 * weft_isendrecv, weft_isendrecv_replace - the same without waiting
 *
 * send, recv, data, to  as above; read within the call, but for the memory that
 *                       they name
 * req_p [out]           to be waited for, and then freed; what it tells of a
 *                       message is of the receive
 *
 * Buffers:  those of both are the library's until the request is complete; what
 *           weft_isendrecv_replace() sends is copied within the call.
 * Returns:  as weft_sendrecv(); WEFT_ERR_NOMEM: nothing was sent.  The request
 *           tells of what comes later, the error of the send if both fail.
 * Blocks:   never.   Collective: no.
 */
WEFT_API int weft_isendrecv(struct weft_comm *comm,
			    const struct weft_outgoing *send,
			    const struct weft_incoming *recv,
			    struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_isendrecv_replace(struct weft_comm *comm,
				    const struct weft_incoming *data,
				    struct weft_envelope to,
				    struct weft_request **req_p)
	WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
