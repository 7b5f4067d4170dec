/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What requests tell of the messages that they were for: one that is complete,
 * and those that a program looks at, which stay as they are.
 */
#include <weft/peek.h>
#include "plan/request_many.h"

struct weft_message_status wf_request_message(const struct weft_request *req)
{
	struct weft_message_status got = {
		.source = WEFT_PROC_NULL, .tag = WEFT_ANY_TAG
	};

	if (!req)
		return got;
	if (req->ops->message)
		req->ops->message(req, &got);
	got.error = req->ops->status(req);
	return got;
}

int weft_request_status(const struct weft_request *req,
			struct weft_message_status *got_p)
{
	static const char call[] = "weft_request_status";
	int status = req && req->comm ? wf_job_ask(req->comm->job) :
					WEFT_ERR_ARG;

	if (status)
		return status;
	if (!got_p)
		status = wf_job_fail(req->comm->job, WEFT_ERR_ARG,
				     "%s: got_p is NULL", call);
	else if (wf_request_is_under_way(req))
		status = wf_job_fail(req->comm->job, WEFT_ERR_REQUEST, "%s: "
				     "the request is active: wait for it "
				     "first", call);
	else
		*got_p = wf_request_message(req);
	return wf_comm_leave(req->comm, status);
}

/* ---- without an end ---- */

/* Of what is left out, nobody's. */
static struct weft_message_status look(struct weft_request *req)
{
	return wf_request_message(wf_request_is_awaited(req) ? req : NULL);
}

/* Also where some are complete: they stay, and others may be awaited. */
static void drive(const struct wf_many *m)
{
	if (m->comm && !wf_job_progress(m->comm->job))
		wf_job_idle(m->comm->job);
}

static int leave(const struct wf_many *m)
{
	return m->comm ? wf_many_leave(m, WEFT_OK) : WEFT_OK;
}

static int peek_all(struct wf_many *m, bool *done_p,
		    struct weft_message_status *got_p)
{
	int status = wf_many_enter(m, done_p ? NULL : "done_p");

	if (status)
		return status;
	drive(m);
	*done_p = wf_many_is_over(m);
	for (int i = 0; *done_p && got_p && i < m->n; i++)
		got_p[i] = look(m->req[i]);
	return leave(m);
}

int weft_request_peek(struct weft_request *req, bool *done_p,
		      struct weft_message_status *got_p)
{
	struct wf_many m = {
		.req = &req, .n = 1, .wanted = WF_ALL,
		.call = "weft_request_peek"
	};

	return req ? peek_all(&m, done_p, got_p) : WEFT_ERR_ARG;
}

int weft_request_peek_all(struct weft_request *const *req, int n,
			  bool *done_p, struct weft_message_status *got_p)
{
	struct wf_many m = {
		.req = req, .n = n, .wanted = WF_ALL,
		.call = "weft_request_peek_all"
	};

	return peek_all(&m, done_p, got_p);
}

int weft_request_peek_any(struct weft_request *const *req, int n,
			  int *index_p, struct weft_message_status *got_p)
{
	struct wf_many m = {
		.req = req, .n = n, .wanted = WF_ONE,
		.call = "weft_request_peek_any"
	};
	int status = wf_many_enter(&m, index_p ? NULL : "index_p");

	if (status)
		return status;
	drive(&m);
	*index_p = -1;
	for (int i = 0; *index_p < 0 && i < n; i++)
		if (wf_request_is_complete(req[i]))
			*index_p = i;
	if (*index_p >= 0 && got_p)
		*got_p = look(req[*index_p]);
	return leave(&m);
}

int weft_request_peek_some(struct weft_request *const *req, int n,
			   int *index_p, int *count_p,
			   struct weft_message_status *got_p)
{
	struct wf_many m = {
		.req = req, .n = n, .wanted = WF_ONE,
		.call = "weft_request_peek_some"
	};
	int status = wf_many_enter(&m, !count_p ? "count_p" :
				       index_p || !n ? NULL : "index_p");

	if (status)
		return status;
	drive(&m);
	*count_p = 0;
	for (int i = 0; i < n; i++) {
		if (!wf_request_is_complete(req[i]))
			continue;
		if (got_p)
			got_p[*count_p] = look(req[i]);
		index_p[(*count_p)++] = i;
	}
	return leave(&m);
}
