/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests: the user's handle of what is under way, or prepared.  What that is
 * says the room that made it; here are the ones whose work is a run of a plan.
 */
#ifndef WEFT_PLAN_REQUEST_H
#define WEFT_PLAN_REQUEST_H

#include <weft/request.h>

#include <stdbool.h>
#include "plan/plan.h"

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

struct wf_run_request {
	struct weft_request base;
	struct wf_run run;
	bool inactive;			/* of a persistent one */
	struct wf_list made;		/* in the owner's list of all */
	struct wf_list link;		/* in the owner's list of spare ones */
	void *owner;
};

static inline struct wf_run_request *wf_run_request(struct weft_request *req)
{
	return wf_container(req, struct wf_run_request, base);
}

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

/* Why it cannot be started; NULL: it can. */
const char *wf_request_unstartable(struct weft_request *req);

/* For the ops of requests that are runs. */
void wf_run_request_start(struct weft_request *req);
bool *wf_run_request_inactive(struct weft_request *req);
void wf_run_request_wait(struct weft_request *req);
int wf_run_request_status(const struct weft_request *req);
const char *wf_run_request_error(const struct weft_request *req);

#endif
