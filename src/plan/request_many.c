/* SPDX-License-Identifier: BSD-3-Clause */
/* The public calls on many requests at once: see weft/request.h. */
#include <string.h>
#include "base/text.h"
#include "plan/request_many.h"

static bool are_complete(struct wf_many *m)
{
	for (; m->complete < m->n; m->complete++) {
		struct weft_request *req = m->req[m->complete];
		int status;

		if (!wf_request_is_awaited(req))
			continue;
		status = req->ops->status(req);
		if (status == WEFT_INPROGRESS)
			return false;
		m->some_failed |= status != WEFT_OK;
		m->some_persist |= req->ops->start != NULL;
	}
	return true;
}

bool wf_many_is_over(void *arg)
{
	struct wf_many *m = arg;
	bool waits = false;

	if (m->wanted == WF_ALL)
		return are_complete(m);
	for (int i = 0; i < m->n; i++) {
		if (wf_request_is_complete(m->req[i]))
			return true;
		waits |= wf_request_is_awaited(m->req[i]);
	}
	return !waits;
}

static void describe(void *arg, char *text, size_t bytes)
{
	const struct wf_many *m = arg;
	int active = 0;

	for (int i = 0; i < m->n; i++)
		active += wf_request_is_awaited(m->req[i]) &&
			  wf_request_is_under_way(m->req[i]);
	wf_text_add(text, bytes, "%s: %s of %d requests", m->call,
		    m->wanted == WF_ALL ? "all" : "one", active);
}

static bool is_of(const struct weft_job *job, const struct weft_request *req)
{
	return req->comm && req->comm->job == job;
}

static int refuse(struct wf_many *m, int i)
{
	int status = wf_job_fail_for(m->comm->job, WEFT_ARGUMENT_REQUEST,
				     WEFT_ERR_ARG, "%s: request %d is of "
				     "another job, or was freed", m->call, i);

	return wf_comm_leave(m->comm, status);
}

static int refuse_null(struct wf_many *m, const char *argument)
{
	int status = wf_job_fail(m->comm->job, WEFT_ERR_ARG, "%s: %s is NULL",
				 m->call, argument);

	return wf_comm_leave(m->comm, status);
}

int wf_many_enter(struct wf_many *m, const char *null)
{
	int first = 0, status;

	if (m->n < 0 || (m->n && !m->req))
		return WEFT_ERR_ARG;
	while (first < m->n && !m->req[first])
		first++;
	if (first == m->n)
		return null ? WEFT_ERR_ARG : WEFT_OK;
	m->comm = m->req[first]->comm;
	if (!m->comm)
		return WEFT_ERR_ARG;	/* it was freed */
	status = wf_job_enter_by(m->comm->job, m->call);
	if (status)
		return status;
	if (null)
		return refuse_null(m, null);
	for (int i = first + 1; i < m->n; i++)
		if (m->req[i] && m->req[i]->comm != m->comm &&
		    !is_of(m->comm->job, m->req[i]))
			return refuse(m, i);
	wf_comm_hold(m->comm);
	return WEFT_OK;
}

/* Once, or until it is over. */
static void drive(struct wf_many *m, bool waits)
{
	struct wf_wait wait = { wf_many_is_over, describe, m };
	struct weft_job *job = m->comm->job;

	if (wf_many_is_over(m))
		return;
	if (waits)
		wf_job_wait(job, &wait);
	else if (!wf_job_progress(job))
		wf_job_idle(job);
}

/*
 * The status of one that is complete; its sentence becomes the job's last, and
 * what its communicator was told about errors is done.
 */
static int tell(struct wf_many *m, struct weft_request *req, int status)
{
	m->failed = req;
	return wf_job_fail(req->comm->job, status, "%s",
			   req->ops->error(req));
}

static inline int outcome(struct wf_many *m, struct weft_request *req)
{
	int status = req->ops->status(req);

	return status ? tell(m, req, status) : WEFT_OK;
}

int wf_many_leave(const struct wf_many *m, int status)
{
	struct weft_comm *comm = m->failed ? m->failed->comm : m->comm;

	if (comm != m->comm) {
		wf_comm_hold(comm);
		wf_comm_drop(m->comm);
	}
	return wf_comm_leave_held(comm, status);
}

/* The last one is told last: its sentence is that of the first error. */
static int gather(struct wf_many *m, int *status_p)
{
	int first = WEFT_OK;

	for (int i = m->n - 1; i >= 0; i--) {
		int status = wf_request_is_awaited(m->req[i]) ?
			     outcome(m, m->req[i]) : WEFT_OK;

		if (status_p)
			status_p[i] = status;
		if (status)
			first = status;
	}
	/* behind it: one may be there twice */
	for (int i = 0; m->some_persist && i < m->n; i++)
		if (m->req[i])
			wf_request_told(m->req[i]);
	return first;
}

static int all(struct wf_many *m, bool waits, bool *done_p, int *status_p)
{
	int status = wf_many_enter(m, done_p ? NULL : "done_p");

	if (status)
		return status;
	*done_p = true;
	if (!m->comm)
		return gather(m, status_p);
	drive(m, waits);
	*done_p = wf_many_is_over(m);
	if (*done_p && (m->some_failed || m->some_persist))
		status = gather(m, status_p);
	else if (*done_p && status_p)
		memset(status_p, WEFT_OK, (size_t)m->n * sizeof(*status_p));
	return wf_many_leave(m, status);
}

static int any(struct wf_many *m, bool waits, int *index_p)
{
	int status = wf_many_enter(m, index_p ? NULL : "index_p");

	if (status)
		return status;
	*index_p = -1;
	if (!m->comm)
		return WEFT_OK;
	drive(m, waits);
	for (int i = 0; *index_p < 0 && i < m->n; i++)
		if (wf_request_is_complete(m->req[i]))
			*index_p = i;
	if (*index_p >= 0) {
		status = outcome(m, m->req[*index_p]);
		wf_request_told(m->req[*index_p]);
	}
	return wf_many_leave(m, status);
}

static int some(struct wf_many *m, bool waits, int *index_p, int *count_p,
		int *status_p)
{
	int status = wf_many_enter(m, !count_p ? "count_p" :
			      index_p || !m->n ? NULL : "index_p");

	if (status)
		return status;
	*count_p = 0;
	if (!m->comm)
		return WEFT_OK;
	drive(m, waits);
	for (int i = 0; i < m->n; i++)
		if (wf_request_is_complete(m->req[i]))
			index_p[(*count_p)++] = i;
	for (int i = *count_p - 1; i >= 0; i--) {
		int one = outcome(m, m->req[index_p[i]]);

		if (status_p)
			status_p[i] = one;
		status = one ? one : status;
	}
	for (int i = 0; i < *count_p; i++)
		wf_request_told(m->req[index_p[i]]);
	return wf_many_leave(m, status);
}

int weft_request_wait_all(struct weft_request *const *req, int n,
			  int *status_p)
{
	struct wf_many m = {
		.req = req, .n = n, .wanted = WF_ALL,
		.call = "weft_request_wait_all"
	};
	bool done;

	return all(&m, true, &done, status_p);
}

int weft_request_test_all(struct weft_request *const *req, int n,
			  bool *done_p, int *status_p)
{
	struct wf_many m = {
		.req = req, .n = n, .wanted = WF_ALL,
		.call = "weft_request_test_all"
	};

	return all(&m, false, done_p, status_p);
}

int weft_request_wait_any(struct weft_request *const *req, int n,
			  int *index_p)
{
	struct wf_many m = {
		.req = req, .n = n, .wanted = WF_ONE,
		.call = "weft_request_wait_any"
	};

	return any(&m, true, index_p);
}

int weft_request_test_any(struct weft_request *const *req, int n,
			  int *index_p)
{
	struct wf_many m = {
		.req = req, .n = n, .wanted = WF_ONE,
		.call = "weft_request_test_any"
	};

	return any(&m, false, index_p);
}

int weft_request_wait_some(struct weft_request *const *req, int n,
			   int *index_p, int *count_p, int *status_p)
{
	struct wf_many m = {
		.req = req, .n = n, .wanted = WF_ONE,
		.call = "weft_request_wait_some"
	};

	return some(&m, true, index_p, count_p, status_p);
}

int weft_request_test_some(struct weft_request *const *req, int n,
			   int *index_p, int *count_p, int *status_p)
{
	struct wf_many m = {
		.req = req, .n = n, .wanted = WF_ONE,
		.call = "weft_request_test_some"
	};

	return some(&m, false, index_p, count_p, status_p);
}

/* Its communicator is the one that is told of the error. */
static int refuse_start(struct wf_many *m, int i)
{
	const char *why = wf_request_unstartable(m->req[i]);

	if (!why)
		return WEFT_OK;
	m->failed = m->req[i];
	return wf_job_fail(m->comm->job, WEFT_ERR_REQUEST, "%s: request %d is "
			   "%s", m->call, i, why);
}

int weft_request_start_all(struct weft_request *const *req, int n)
{
	struct wf_many m = {
		.req = req, .n = n, .wanted = WF_ALL,
		.call = "weft_request_start_all"
	};
	int status = wf_many_enter(&m, NULL);

	if (status || !m.comm)
		return status;
	for (int i = 0; !status && i < n; i++)
		status = req[i] ? refuse_start(&m, i) : WEFT_OK;
	if (status)
		return wf_many_leave(&m, status);
	for (int i = 0; !status && i < n; i++) {
		/* again: it may be there twice */
		status = req[i] ? refuse_start(&m, i) : WEFT_OK;
		if (req[i] && !status)
			wf_request_start(req[i]);
	}
	return wf_many_leave(&m, status);
}

/* Its communicator is the one that is told of the error. */
static int refuse_free(struct wf_many *m, int i)
{
	m->failed = m->req[i];
	return wf_job_fail(m->comm->job, WEFT_ERR_REQUEST, "%s: request %d is "
			   "active: wait for it first", m->call, i);
}

int weft_request_free_all(struct weft_request **req, int n)
{
	struct wf_many m = {
		.req = req, .n = n, .wanted = WF_ALL,
		.call = "weft_request_free_all"
	};
	int status = wf_many_enter(&m, NULL);

	if (status || !m.comm)
		return status;
	for (int i = 0; i < n; i++) {
		/* one that is there twice has gone */
		if (!req[i] || !req[i]->comm || wf_request_release(req[i]))
			req[i] = NULL;
		else if (!m.failed)
			status = refuse_free(&m, i);
		if (wf_job_is_child(m.comm->job))
			return WEFT_ERR_FORKED;
	}
	return wf_many_leave(&m, status);
}
