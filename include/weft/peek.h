/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looking at requests: are they complete, and what have they received, without
 * that being told: a persistent one stays active, and the call that waits or
 * tests returns the error, which the communicator hears of there.
 */
#ifndef WEFT_PEEK_H
#define WEFT_PEEK_H

#include <stdbool.h>
#include <weft/p2p.h>
#include <weft/request.h>
#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * weft_request_peek - drive the job; is the request complete?
 *
 * done_p [out]  whether it is, or is inactive
 * got_p [out]   as of weft_request_status(), with the error, once it is; of an
 *               inactive one that of nobody; NULL: not wanted
 *
 * Returns:  WEFT_OK, also of one that failed; WEFT_ERR_ARG (NULL; nothing is
 *           written).
 * Blocks:   never.   Collective: no.
 */
WEFT_API int weft_request_peek(struct weft_request *req, bool *done_p,
			       struct weft_message_status *got_p)
	WEFT_MUST_CHECK;

/**
 * weft_request_peek_all - are all of them complete?
 *
 * req           n requests of one job; left out: NULL, and inactive persistent
 *               ones
 * done_p [out]  whether they are
 * got_p [out]   n of them, once they are; nobody's of what was left out; NULL:
 *               not wanted
 *
 * Returns:  as weft_request_peek(); WEFT_ERR_ARG also for requests of two jobs.
 * Blocks:   never.   Collective: no.
 */
WEFT_API int weft_request_peek_all(struct weft_request *const *req, int n,
				   bool *done_p,
				   struct weft_message_status *got_p)
	WEFT_MUST_CHECK;

/**
 * weft_request_peek_any - is one of them complete?
 *
 * req, n         as of weft_request_peek_all()
 * index_p [out]  the first one that is; -1: none is, or all were left out
 * got_p [out]    of that one; NULL: not wanted
 *
 * Returns:  as weft_request_peek_all().
 * Blocks:   never.   Collective: no.
 */
WEFT_API int weft_request_peek_any(struct weft_request *const *req, int n,
				   int *index_p,
				   struct weft_message_status *got_p)
	WEFT_MUST_CHECK;

/**
 * weft_request_peek_some - which of them are complete?
 *
 * req, n         as of weft_request_peek_all()
 * index_p [out]  of those that are, ascending; has room for n
 * count_p [out]  how many; 0: none is, or all were left out
 * got_p [out]    of each of them, as index_p; NULL: not wanted
 *
 * Returns:  as weft_request_peek_all().
 * Blocks:   never.   Collective: no.
 */
WEFT_API int weft_request_peek_some(struct weft_request *const *req, int n,
				    int *index_p, int *count_p,
				    struct weft_message_status *got_p)
	WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
