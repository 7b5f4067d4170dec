/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests: operations under way (nonblocking) or prepared to be started many
 * times (persistent).
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
 * weft_request_wait - drive the job until the request is complete
 *
 * Returns:  WEFT_OK, or the error with which the request completed; waiting
 *           for an inactive request returns its last status at once.
 * Blocks:   yes; it ends, also when peers die.   Collective: no.
 */
WEFT_API int weft_request_wait(struct weft_request *req) WEFT_MUST_CHECK;

/**
 * weft_request_free - give a request up
 *
 * req_p  set to NULL; NULL inside is fine
 *
 * Returns:  WEFT_OK, WEFT_ERR_REQUEST (active: wait first, nothing changed).
 * Blocks:   never.   Collective: no.
 */
WEFT_API int weft_request_free(struct weft_request **req_p) WEFT_MUST_CHECK;

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
