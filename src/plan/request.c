/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The public calls on requests; what one does is its room's business.
 */
#include "plan/request.h"

static inline int enter(const struct weft_request *req, const char *call)
{
	/* no communicator: it was freed, and waits to be used again */
	return req && req->comm ? wf_job_enter_by(req->comm->job, call) :
				  WEFT_ERR_ARG;
}

static int ask(const struct weft_request *req)
{
	return req && req->comm ? wf_job_ask(req->comm->job) : WEFT_ERR_ARG;
}

static int fail(const struct weft_request *req, int status)
{
	return wf_job_fail(req->comm->job, status, "%s",
			   req->ops->error(req));
}

/* A request is over with this status: its sentence becomes the job's last. */
static inline int outcome(struct weft_request *req, int status)
{
	wf_request_told(req);
	return status ? fail(req, status) : WEFT_OK;
}

const char *wf_request_unstartable(struct weft_request *req)
{
	if (!req->ops->start)
		return "not persistent";
	return *req->ops->inactive(req) ? NULL :
		"active: wait for it first";
}

int weft_request_start(struct weft_request *req)
{
	int status = enter(req, __func__);
	const char *why;

	if (status)
		return status;
	why = wf_request_unstartable(req);
	if (why)
		status = wf_job_fail(req->comm->job, WEFT_ERR_REQUEST,
				     "weft_request_start: the request is %s",
				     why);
	else
		wf_request_start(req);
	return wf_comm_leave(req->comm, status);
}

bool weft_request_is_active(const struct weft_request *req)
{
	bool active;

	if (ask(req))
		return false;
	active = req->ops->inactive ?
		!*req->ops->inactive((struct weft_request *)req) :
		wf_request_is_under_way(req);
	wf_job_leave(req->comm->job);
	return active;
}

bool weft_request_is_persistent(const struct weft_request *req)
{
	return req && req->ops->start;
}

int weft_request_test(struct weft_request *req, bool *done_p)
{
	int status = enter(req, __func__);
	struct weft_job *job;

	if (status)
		return status;
	job = req->comm->job;
	if (!done_p) {
		status = wf_job_fail(job, WEFT_ERR_ARG,
				     "weft_request_test: done_p is NULL");
		return wf_comm_leave(req->comm, status);
	}
	if (wf_request_is_under_way(req) && !wf_job_progress(job))
		wf_job_idle(job);
	status = req->ops->status(req);
	*done_p = status != WEFT_INPROGRESS;
	return wf_comm_leave(req->comm, *done_p ? outcome(req, status) :
						  WEFT_OK);
}

int weft_request_wait(struct weft_request *req)
{
	int status = enter(req, __func__);

	if (status)
		return status;
	status = req->ops->status(req);
	if (status == WEFT_INPROGRESS) {
		req->ops->wait(req);
		status = req->ops->status(req);
	}
	return wf_comm_leave(req->comm, outcome(req, status));
}

int weft_request_free(struct weft_request **req_p)
{
	struct weft_request *req;
	struct weft_job *job;
	int status;

	if (req_p && !*req_p)
		return WEFT_OK;
	status = req_p ? enter(*req_p, __func__) : WEFT_ERR_ARG;
	if (status)
		return status;
	req = *req_p;
	job = req->comm->job;
	if (!wf_request_release(req)) {
		status = wf_job_fail(job, WEFT_ERR_REQUEST,
				     "weft_request_free: the request is "
				     "active: wait for it first");
		return wf_comm_leave(req->comm, status);
	}
	if (wf_job_is_child(job))
		return WEFT_ERR_FORKED;
	*req_p = NULL;
	wf_job_leave(job);
	return WEFT_OK;
}

const char *weft_request_error(const struct weft_request *req)
{
	const char *text = "";

	/* another thread's progress may be about to complete it */
	if (ask(req))
		return text;
	if (!wf_request_is_under_way(req))
		text = req->ops->error(req);
	wf_job_leave(req->comm->job);
	return text;
}
