/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Persistent sends and receives: arguments said once, for a message that is
 * sent, or awaited, many times.
 *
 * A request is made inactive.  weft_request_start() does what the nonblocking
 * call of the same name would do, and never waits; a wait for it is over when
 * that is complete, and it may be started again, also after an error.  It
 * matches any other send or receive, persistent or not.
 *
 * Over RDMA devices a request for more than 8 KiB, if it is not buffered and
 * the memory not of weft_mem_alloc() or weft_mem_register(), registers that
 * while it lives: each start finds the same pages there, which are not
 * exchanged for others.
 */
#ifndef WEFT_PERSISTENT_H
#define WEFT_PERSISTENT_H

#include <stddef.h>
#include <weft/p2p.h>
#include <weft/status.h>
#include <weft/type.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_comm;
struct weft_request;

/**
 * weft_send_init, weft_ssend_init, weft_rsend_init - prepare a send
 *
 * data, n, type, to   as of weft_send(); the memory stays, and is read from a
 *                     start until that send is complete
 * req_p [out]         inactive
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_RANGE, WEFT_ERR_NOMEM.  Of a start
 *           the wait for it tells: as weft_isend().
 * Blocks:   never.   Collective: no.
 */
WEFT_API int weft_send_init(struct weft_comm *comm, const void *data, size_t n,
			    const struct weft_type *type,
			    struct weft_envelope to,
			    struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_ssend_init(struct weft_comm *comm, const void *data,
			     size_t n, const struct weft_type *type,
			     struct weft_envelope to,
			     struct weft_request **req_p) WEFT_MUST_CHECK;
WEFT_API int weft_rsend_init(struct weft_comm *comm, const void *data,
			     size_t n, const struct weft_type *type,
			     struct weft_envelope to,
			     struct weft_request **req_p) WEFT_MUST_CHECK;

/**
 * weft_recv_init - prepare a receive
 *
 * data, n, type, from   as of weft_recv(); the memory stays, and is the
 *                       library's from a start until that receive is complete
 * req_p [out]           inactive
 *
 * weft_request_status() tells what the last start has received, before the
 * first one: nothing, from WEFT_PROC_NULL.  weft_request_cancel() takes back a
 * start.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_RANGE, WEFT_ERR_NOMEM.  Of a start
 *           the wait for it tells: as weft_irecv().
 * Blocks:   never.   Collective: no.
 */
WEFT_API int weft_recv_init(struct weft_comm *comm, void *data, size_t n,
			    const struct weft_type *type,
			    struct weft_envelope from,
			    struct weft_request **req_p) WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
