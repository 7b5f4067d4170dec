/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests: operations under way (nonblocking) or prepared to be started many
 * times (persistent).
 *
 * A nonblocking request is active from the call that made it until it is
 * complete, a persistent one from its start until a call that waits or tests
 * has told that it is complete.  These calls free nothing.
 */
#ifndef WEFT_REQUEST_H
#define WEFT_REQUEST_H

#include <stdbool.h>
#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_request;

/**
 * weft_request_start - start a persistent request
 *
 * Returns:  WEFT_OK, WEFT_ERR_REQUEST (active already, or not persistent:
 *           nothing was changed), WEFT_ERR_PEER.
 * Blocks:   never.   Collective: as the operation that made the request.
 */
WEFT_API int weft_request_start(struct weft_request *req) WEFT_MUST_CHECK;

/**
 * weft_request_start_all - start all of them
 *
 * req   n requests of one job, or NULL: that one is left out; none is there
 *       twice
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (NULL, or requests of two jobs), or
 *           WEFT_ERR_REQUEST (one is active already, or not persistent): none
 *           was started.  WEFT_ERR_REQUEST for one that is there twice: those
 *           before it were.
 * Blocks:   never.   Collective: as each of them.
 */
WEFT_API int weft_request_start_all(struct weft_request *const *req, int n)
	WEFT_MUST_CHECK;

/**
 * weft_request_is_active - is it under way, or its end to be told?
 *
 * Returns:  false: NULL, a nonblocking request that is complete, a persistent
 *           one that is not started or whose end a call has told.
 * Blocks:   never.   Collective: no.
 */
WEFT_API bool weft_request_is_active(const struct weft_request *req);

/**
 * weft_request_is_persistent - can it be started, again and again?
 *
 * Returns:  false: NULL, and a nonblocking request.
 * Blocks:   never.   Collective: no.
 */
WEFT_API bool weft_request_is_persistent(const struct weft_request *req);

/**
 * weft_request_test - drive the job; is the request complete?
 *
 * done_p [out]  true: complete, with the status that is returned; a persistent
 *               request may be started again, another only freed
 *
 * Returns:  WEFT_OK, the error with which the request completed, or
 *           WEFT_ERR_ARG (NULL; done_p is not written).
 * Blocks:   never.   Collective: no.
 */
WEFT_API int weft_request_test(struct weft_request *req, bool *done_p)
	WEFT_MUST_CHECK;

/**
 * weft_request_wait - drive the job until the request is complete; free nothing
 *
 * Returns:  WEFT_OK, or the error with which the request completed; waiting
 *           for an inactive request returns its last status at once.
 * Blocks:   yes; it ends, also when peers die.   Collective: no.
 */
WEFT_API int weft_request_wait(struct weft_request *req) WEFT_MUST_CHECK;

/**
 * weft_request_wait_all, weft_request_test_all - are all of them complete?
 *
 * req             n requests of one job; left out: NULL, and inactive
 *                 persistent ones
 * done_p [out]    true: they are
 * status_p [out]  n statuses, those of the requests, once they are; WEFT_OK of
 *                 what was left out; NULL: not wanted
 *
 * Returns:  WEFT_OK, the error of the first one that failed, or WEFT_ERR_ARG
 *           (NULL, or requests of two jobs: nothing was done).
 * Blocks:   _wait_all until they are; _test_all never.   Collective: no.
 */
WEFT_API int weft_request_wait_all(struct weft_request *const *req, int n,
				   int *status_p) WEFT_MUST_CHECK;
WEFT_API int weft_request_test_all(struct weft_request *const *req, int n,
				   bool *done_p, int *status_p)
	WEFT_MUST_CHECK;

/**
 * weft_request_wait_any, weft_request_test_any - is one of them complete?
 *
 * req            n requests of one job; left out: NULL, and inactive
 *                 persistent ones
 * index_p [out]  the first one that is; -1: none is, or all were left out
 *
 * Returns:  WEFT_OK, the error of that request, or WEFT_ERR_ARG.
 * Blocks:   _wait_any until there is one; _test_any never.   Collective: no.
 */
WEFT_API int weft_request_wait_any(struct weft_request *const *req, int n,
				   int *index_p) WEFT_MUST_CHECK;
WEFT_API int weft_request_test_any(struct weft_request *const *req, int n,
				   int *index_p) WEFT_MUST_CHECK;

/**
 * weft_request_wait_some, weft_request_test_some - which of them are complete?
 *
 * req             n requests of one job; left out: NULL, and inactive
 *                 persistent ones
 * index_p [out]   of those that are, ascending; has room for n
 * count_p [out]   how many; 0: none is, or all were left out
 * status_p [out]  the status of each of them, as index_p; NULL: not wanted
 *
 * Returns:  WEFT_OK, the error of the first of them that failed, or
 *           WEFT_ERR_ARG.
 * Blocks:   _wait_some until there is one; _test_some never.
 *           Collective: no.
 */
WEFT_API int weft_request_wait_some(struct weft_request *const *req, int n,
				    int *index_p, int *count_p, int *status_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_request_test_some(struct weft_request *const *req, int n,
				    int *index_p, int *count_p, int *status_p)
	WEFT_MUST_CHECK;

/**
 * weft_request_free - give a request up
 *
 * req_p  set to NULL; NULL inside is fine
 *
 * An active one of matched messages goes when it is complete: nobody hears of
 * an error, its memory is the library's until then, and the close of the job
 * waits for it.
 *
 * Returns:  WEFT_OK, WEFT_ERR_REQUEST (active, and of something else: wait
 *           first, nothing changed).
 * Blocks:   never.   Collective: no.
 */
WEFT_API int weft_request_free(struct weft_request **req_p) WEFT_MUST_CHECK;

/**
 * weft_request_free_all - give all of them up
 *
 * req   n requests of one job, or NULL, none of them twice; each that goes is
 *       set to NULL
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (NULL, or requests of two jobs: nothing was
 *           done), WEFT_ERR_REQUEST (some are active, and of something else
 *           than matched messages: these stay, all others have gone; the text
 *           names the first).
 * Blocks:   never.   Collective: no.
 */
WEFT_API int weft_request_free_all(struct weft_request **req, int n)
	WEFT_MUST_CHECK;

/**
 * weft_request_error - the sentence of a failed request
 *
 * Returns:  what failed, with whom, and what to do; an empty string if the
 *           request did not fail.
 * Blocks:   no.   Collective: no.
 */
WEFT_API const char *weft_request_error(const struct weft_request *req);

#ifdef __cplusplus
}
#endif

#endif
