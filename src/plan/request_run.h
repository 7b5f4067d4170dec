/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests whose work is a run of a plan: of calls that come and go, which use
 * the same ones over and over, and persistent ones.  They belong to what has
 * the exchange set, a graph or the tree of a communicator, which says what
 * becomes of their plans.
 */
#ifndef WEFT_PLAN_REQUEST_RUN_H
#define WEFT_PLAN_REQUEST_RUN_H

#include "plan/plan.h"
#include "plan/request.h"

/* Those of one owner. */
struct wf_run_requests {
	struct weft_comm *comm;		/* each in use holds it */
	const char *call;		/* how errors name the runs */
	bool keeps_plans;		/* a spare one has its plan still */
	bool reuses;			/* packed copies: the one that was used
					   last, of blocking and nonblocking
					   calls, or NULL: */
	struct wf_staged *left;
	struct wf_list made;		/* struct wf_run_request: all, */
	struct wf_list spare;		/* and those that nobody uses */
};

struct wf_run_request {
	struct weft_request base;
	struct wf_run run;
	struct wf_run_requests *of;
	int *users;			/* of its plan; NULL: this one alone */
	bool inactive;			/* of a persistent one */
	struct wf_list made, link;	/* link: in the list of spare ones */
};

static inline struct wf_run_request *wf_run_request(struct weft_request *req)
{
	return wf_container(req, struct wf_run_request, base);
}

/* Is it one of these? */
bool wf_request_is_run(const struct weft_request *req);

void wf_run_requests_init(struct wf_run_requests *of, struct weft_comm *comm,
			  const char *call);

/*
 * The owner goes.  While the job is open it stays as long as somebody has one
 * of them; a close takes those, too.
 */
void wf_run_requests_fini(struct wf_run_requests *of);

/* One that was used before; NULL: there is none. */
struct wf_run_request *wf_run_requests_spare(struct wf_run_requests *of);

/* A new one; WEFT_ERR_NOMEM: the plan is the caller's still. */
int wf_run_requests_add(struct wf_run_requests *of, struct wf_plan *plan,
			struct wf_run_request **req_p);

/* The same, persistent, with a set of its own, which goes with it. */
int wf_run_requests_add_persistent(struct wf_run_requests *of,
				   struct wf_plan *plan,
				   struct wf_run_request **req_p);

/* Until it is released: the communicator is held. */
void wf_run_request_use(struct wf_run_request *req);

/*
 * Over, it stays with who has used it, who starts its run again with the
 * communicator held, until it is used once more and released.
 */
void wf_run_request_rest(struct wf_run_request *req);

/* It was not used: it is a spare one again. */
void wf_run_request_unuse(struct wf_run_request *req);

/* A spare one, or a new one; WEFT_ERR_NOMEM: the plan is the caller's still. */
static inline int wf_run_requests_take(struct wf_run_requests *of,
				       struct wf_plan *plan,
				       struct wf_run_request **req_p)
{
	struct wf_run_request *req = wf_run_requests_spare(of);
	int status;

	if (!req)
		return wf_run_requests_add(of, plan, req_p);
	status = wf_run_take(&req->run, plan);
	if (status)
		wf_run_request_unuse(req);
	else
		*req_p = req;
	return status;
}

static inline void wf_run_request_release(struct wf_run_request *req)
{
	req->base.ops->release(&req->base);
}

/* Nobody waits for it: it is released when it completes. */
void wf_run_request_forget(struct wf_run_request *req);

#endif
