/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matched probes: a probe that takes the message it has found, so that nobody
 * else receives it, not even another thread, and its receive afterwards.
 *
 * Who holds a message receives it; until then its sender waits as for one that
 * nobody has received, and it counts among those that a rank holds of it.  One
 * that is left when the job is closed goes with it.
 */
#ifndef WEFT_MPROBE_H
#define WEFT_MPROBE_H

#include <stddef.h>
#include <weft/p2p.h>
#include <weft/status.h>
#include <weft/type.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_comm;
struct weft_message;
struct weft_request;

/**
 * weft_mprobe, weft_improbe - take a message, to be received later
 *
 * from             as of weft_recv()
 * message_p [out]  the message; from WEFT_PROC_NULL one of nobody; NULL, of
 *                  weft_improbe() alone: there is none
 * got_p [out]      what its receive will get; NULL: not wanted.  Written if
 *                  there is a message
 *
 * Returns:  as weft_probe() and weft_iprobe().
 * Blocks:   weft_mprobe() until there is one; weft_improbe() never.
 *           Collective: no.
 */
WEFT_API int weft_mprobe(struct weft_comm *comm, struct weft_envelope from,
			 struct weft_message **message_p,
			 struct weft_message_status *got_p) WEFT_MUST_CHECK;
WEFT_API int weft_improbe(struct weft_comm *comm, struct weft_envelope from,
			  struct weft_message **message_p,
			  struct weft_message_status *got_p) WEFT_MUST_CHECK;

/**
 * weft_mrecv - receive a message that was taken
 *
 * message_p    set to NULL; where it is not, after WEFT_ERR_ARG, WEFT_ERR_RANGE
 *              and a WEFT_ERR_NOMEM, it is still to be received.  Its
 *              communicator may have been freed
 * data         room for n elements; what is behind a shorter message is left
 * got_p [out]  as of weft_recv(); one of nobody has source WEFT_PROC_NULL
 *
 * Returns:  as weft_recv().
 * Blocks:   until all of it has come.   Collective: no.
 */
WEFT_API int weft_mrecv(struct weft_message **message_p, void *data, size_t n,
			const struct weft_type *type,
			struct weft_message_status *got_p) WEFT_MUST_CHECK;

/**
 * weft_imrecv - the same without waiting
 *
 * req_p [out]  as of weft_irecv(); it cannot be cancelled any more
 *
 * Returns:  as weft_mrecv(); the request tells of what comes later.
 * Blocks:   never.   Collective: no.
 */
WEFT_API int weft_imrecv(struct weft_message **message_p, void *data, size_t n,
			 const struct weft_type *type,
			 struct weft_request **req_p) WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
