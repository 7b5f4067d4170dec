/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waiting until the messages that are in an attached buffer have left it: by a
 * call, or by a request, which the buffer tells when that is so.
 */
#include <stdlib.h>
#include <weft/buffered.h>
#include "base/handle.h"
#include "base/text.h"
#include "base/zeroed.h"
#include "p2p/p2p_buffer.h"

static int refuse(struct weft_job *job, const char *call)
{
	return wf_job_fail(job, WEFT_ERR_ARG, "%s: no buffer is attached",
			   call);
}

/* ---- calls that wait ---- */

struct waiting {
	const char *call;
	struct wf_p2p_buffer *buffer;
	struct wf_p2p_flush flush;
};

static bool is_over(void *arg)
{
	return !((struct waiting *)arg)->flush.active;
}

static void describe(void *arg, char *text, size_t bytes)
{
	const struct waiting *w = arg;

	/* Once it is over another thread may have detached the buffer. */
	wf_text_add(text, bytes, "%s: messages in the attached buffer, which "
		    "has %d", w->call,
		    w->flush.active ? wf_buffer_count(w->buffer) : 0);
}

static int flush(struct weft_job *job, const char *call,
		 struct wf_p2p_buffer *buffer)
{
	struct waiting waiting = { .call = call, .buffer = buffer };
	struct wf_wait until = { is_over, describe, &waiting };

	if (!buffer)
		return refuse(job, call);
	wf_buffer_flush(buffer, &waiting.flush);
	wf_job_wait(job, &until);
	return WEFT_OK;
}

int weft_buffer_flush(struct weft_job *job)
{
	int status = job ? wf_job_enter(job) : WEFT_ERR_ARG;

	if (status)
		return status;
	status = flush(job, __func__, wf_buffer_of_job(job));
	wf_job_leave(job);
	return status;
}

int weft_comm_buffer_flush(struct weft_comm *comm)
{
	int status = wf_comm_enter(comm);

	if (status)
		return status;
	wf_comm_hold(comm);
	status = flush(comm->job, __func__, wf_buffer_of_comm(comm));
	return wf_comm_leave_held(comm, status);
}

/* ---- the request ---- */

struct request {
	struct weft_request base;
	struct wf_p2p_flush flush;
	struct wf_leftover leftover;
	const char *call;
};

static struct request *request(const struct weft_request *req)
{
	return wf_container((struct weft_request *)req, struct request, base);
}

static bool has_ended(void *arg)
{
	return !((struct request *)arg)->flush.active;
}

static void tell(void *arg, char *text, size_t bytes)
{
	wf_text_add(text, bytes, "%s: messages in the attached buffer",
		    ((struct request *)arg)->call);
}

static void wait(struct weft_request *req)
{
	struct wf_wait until = { has_ended, tell, request(req) };

	wf_job_wait(req->comm->job, &until);
}

static int status_of(const struct weft_request *req)
{
	return request(req)->flush.active ? WEFT_INPROGRESS : WEFT_OK;
}

static const char *no_error(const struct weft_request *req)
{
	(void)req;
	return "";
}

static void release(struct weft_request *req)
{
	struct weft_comm *comm = req->comm;

	wf_list_del(&request(req)->leftover.link);
	free(request(req));
	wf_comm_drop(comm);
}

static void vanish(struct wf_p2p_flush *over)
{
	release(&wf_container(over, struct request, flush)->base);
}

static void give_up(struct weft_request *req)
{
	request(req)->flush.over = vanish;
}

static const struct wf_request_ops ops = {
	.wait = wait, .status = status_of, .error = no_error,
	.release = release, .give_up = give_up
};

/* The job closes: it was not given up. */
static void drop_leftover(struct wf_leftover *leftover)
{
	free(wf_container(leftover, struct request, leftover));
}

static int iflush(struct weft_comm *comm, const char *call,
		  struct wf_p2p_buffer *buffer, struct weft_request **req_p)
{
	struct request *req;

	if (!req_p)
		return wf_job_fail_null(comm->job, call, "req_p");
	if (!buffer)
		return refuse(comm->job, call);
	req = wf_zeroed(1, sizeof(*req));
	if (!req)
		return wf_job_fail(comm->job, WEFT_ERR_NOMEM, "%s: no memory "
				   "for a request", call);
	req->base = (struct weft_request){ &ops, comm };
	req->call = call;
	req->leftover.drop = drop_leftover;
	wf_list_add_tail(&wf_contexts(comm->job)->leftovers,
			 &req->leftover.link);
	wf_comm_hold(comm);
	wf_buffer_flush(buffer, &req->flush);
	*req_p = &req->base;
	return WEFT_OK;
}

int weft_buffer_iflush(struct weft_job *job, struct weft_request **req_p)
{
	int status = job ? wf_job_enter(job) : WEFT_ERR_ARG;

	wf_no_handle(req_p);
	if (status)
		return status;
	status = iflush(job->world, __func__, wf_buffer_of_job(job), req_p);
	wf_job_leave(job);
	return status;
}

int weft_comm_buffer_iflush(struct weft_comm *comm, struct weft_request **req_p)
{
	int status = wf_comm_enter(comm);

	wf_no_handle(req_p);
	if (status)
		return status;
	status = iflush(comm, __func__, wf_buffer_of_comm(comm), req_p);
	return wf_comm_leave(comm, status);
}
