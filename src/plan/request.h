/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests: the user's handle of what is under way, or prepared.  What that is
 * says the room that made it; those whose work is a run of a plan are in
 * request_run.h.
 */
#ifndef WEFT_PLAN_REQUEST_H
#define WEFT_PLAN_REQUEST_H

#include <weft/p2p.h>
#include <weft/request.h>

#include <stdbool.h>
#include "comm/comm.h"

/* All with the job entered. */
struct wf_request_ops {
	/* Of one that is not active; NULL: it is not persistent. */
	void (*start)(struct weft_request *req);
	/*
	 * Where it is kept whether it is inactive: not started, or a wait or
	 * test has told of its end.  NULL: it is not persistent.
	 */
	bool *(*inactive)(struct weft_request *req);
	/* Until it is not active. */
	void (*wait)(struct weft_request *req);
	/*
	 * WEFT_INPROGRESS: it is active; else the status of the last
	 * completion, and the sentence of an error.
	 */
	int (*status)(const struct weft_request *req);
	const char *(*error)(const struct weft_request *req);
	/*
	 * Of one that is complete: what message it was for, all but the error.
	 * Nobody's is there already; NULL: it is for none.
	 */
	void (*message)(const struct weft_request *req,
			struct weft_message_status *got_p);
	/* The user gave it up: freed, or without a communicator from now on. */
	void (*release)(struct weft_request *req);
	/* The same of one that is active; NULL: that is refused. */
	void (*give_up)(struct weft_request *req);
};

/* First member of what its room makes. */
struct weft_request {
	const struct wf_request_ops *ops;
	struct weft_comm *comm;		/* referenced; NULL: given up */
};

static inline bool wf_request_is_inactive(struct weft_request *req)
{
	return req->ops->inactive && *req->ops->inactive(req);
}

/* A wait or test tells of its end. */
static inline void wf_request_told(struct weft_request *req)
{
	if (req->ops->inactive)
		*req->ops->inactive(req) = true;
}

/* Not over yet; what is over may be active still, until that is told. */
static inline bool wf_request_is_under_way(const struct weft_request *req)
{
	return req->ops->status(req) == WEFT_INPROGRESS;
}

/* It goes, at once or when it is over; false: it is active, and stays. */
static inline bool wf_request_release(struct weft_request *req)
{
	bool active = wf_request_is_under_way(req);

	if (!active)
		req->ops->release(req);
	else if (req->ops->give_up)
		req->ops->give_up(req);
	return !active || req->ops->give_up;
}

static inline void wf_request_start(struct weft_request *req)
{
	*req->ops->inactive(req) = false;
	req->ops->start(req);
}

/* What message one that is complete was for; NULL: nobody's. */
struct weft_message_status wf_request_message(const struct weft_request *req);

/* Why it cannot be started; NULL: it can. */
const char *wf_request_unstartable(struct weft_request *req);

#endif
