/* SPDX-License-Identifier: BSD-3-Clause */
/* What a communicator was told to do about errors, and doing it. */
#include <stdio.h>
#include <stdlib.h>
#include "base/clock.h"
#include "base/text.h"
#include "comm/comm.h"
#include "job/abort.h"
#include "job/threads.h"

/* Of the communicators that have it, and of calls of its function. */
struct wf_on_error {
	struct weft_errhandler handler;	/* as the program has set it */
	int users;
};

/* NULL, too: the same. */
static struct wf_on_error *hold(struct wf_on_error *errors)
{
	if (!errors)
		return NULL;
	errors->users++;
	if (errors->handler.hold)
		errors->handler.hold(errors->handler.arg);
	return errors;
}

static void drop(struct wf_on_error *errors)
{
	if (!errors)
		return;
	if (errors->handler.drop)
		errors->handler.drop(errors->handler.arg);
	if (!--errors->users)
		free(errors);
}

/* The new one first: it may be the same. */
void wf_comm_set_errors(struct weft_comm *comm, struct wf_on_error *errors)
{
	struct wf_on_error *old = comm->errors;

	comm->errors = hold(errors);
	drop(old);
}

void wf_comm_take_errors(struct weft_comm *comm, const struct weft_comm *from)
{
	wf_comm_set_errors(comm, from ? from->errors : NULL);
}

/* Why, and where; the job says which rank, on which host. */
static void tell_where(const struct weft_comm *comm, const char *why,
		       char *text, size_t bytes)
{
	wf_text_add(text, bytes, "%s, on ", why);
	wf_comm_tell(comm, text, bytes);
	wf_text_add(text, bytes, ", here rank %d of %d",
		    weft_comm_rank(comm), weft_comm_size(comm));
}

/*
 * Takes no lock: a thread that never leaves the job does not keep another one
 * from this.
 */
static void end_job(const struct weft_comm *comm, int code, const char *why)
	__attribute__((noreturn));

static void end_job(const struct weft_comm *comm, int code, const char *why)
{
	char text[WF_ERROR_TEXT] = "";

	tell_where(comm, why, text, sizeof(text));
	weft_job_abort(comm->job, code, text);
}

/*
 * It takes mails, and so the lock.  Not had in time: a thread stays in the job,
 * or this one is called from there, as in an operation of the program, which is
 * in the middle of progress.
 */
static bool can_mail(struct weft_job *job)
{
	uint64_t end = wf_job_now(job) + WF_ABORT_MS * WF_NS_PER_MS;

	return !wf_job_is_child(job) && !wf_job_is_in_op(job) &&
	       (!job->threads || wf_threads_lock_by(job, end));
}

static void end_comm(const struct weft_comm *comm, int code, const char *why)
	__attribute__((noreturn));

static void end_comm(const struct weft_comm *comm, int code, const char *why)
{
	struct weft_job *job = comm->job;
	char text[WF_ERROR_TEXT] = "";

	/* Launchers end all ranks sooner, and those that compute, too. */
	if (comm->size == job->size || !can_mail(job))
		end_job(comm, code, why);
	tell_where(comm, why, text, sizeof(text));
	wf_error(&job->log, "communicator aborted with code %d: %s",
		 wf_abort_code(code), text);
	wf_abort_context(job, comm->id, code);
}

void weft_comm_abort(struct weft_comm *comm, int code)
{
	static const char call[] = "weft_comm_abort";

	if (!comm)
		weft_job_abort(NULL, code, call);
	end_comm(comm, code, call);
}

/*
 * With the job entered, and left behind it.  What was told is of this call,
 * as another thread may tell meanwhile, and so is what went wrong, as the
 * function may fail.
 */
static void act(struct weft_comm *comm, int status)
{
	struct weft_job *job = comm->job;
	struct wf_on_error *errors = hold(comm->errors);
	const struct weft_errhandler *handler = &errors->handler;
	const struct wf_failure failure = *wf_failure(job);

	wf_comm_hold(comm);
	wf_job_leave(job);
	if (handler->kind == WEFT_ERRORS_ARE_FATAL)
		end_job(comm, 1, failure.text);
	if (handler->kind == WEFT_ERRORS_ABORT)
		end_comm(comm, 1, failure.text);
	handler->call(comm, status, failure.text, handler->arg);
	if (wf_job_ask(job))
		return;
	/* The call has failed with this one, whatever came behind it. */
	*wf_failure(job) = failure;
	drop(errors);
	wf_comm_drop(comm);
	wf_job_leave(job);
}

static bool is_to_act(const struct weft_comm *comm, int status)
{
	return status && comm->errors &&
	       comm->errors->handler.kind != WEFT_ERRORS_RETURN;
}

int wf_comm_leave_failed(struct weft_comm *comm, int status)
{
	if (is_to_act(comm, status))
		act(comm, status);
	else
		wf_job_leave(comm->job);
	return status;
}

int wf_comm_leave_held(struct weft_comm *comm, int status)
{
	struct weft_job *job = comm->job;

	if (is_to_act(comm, status)) {
		act(comm, status);
		if (wf_job_ask(job))
			return status;
	}
	wf_comm_drop(comm);
	wf_job_leave(job);
	return status;
}

static const char *find_wrong(const struct weft_errhandler *handler)
{
	if (handler->kind < WEFT_ERRORS_RETURN ||
	    handler->kind > WEFT_ERRORS_CALL)
		return "`kind` is none of WEFT_ERRORS_...";
	if (handler->kind == WEFT_ERRORS_CALL && !handler->call)
		return "`call` is NULL";
	return NULL;
}

static int set(struct weft_comm *comm, const struct weft_errhandler *handler)
{
	static const char call[] = "weft_comm_set_errhandler";
	const char *wrong = find_wrong(handler);
	struct wf_on_error *errors;

	if (wrong)
		return wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: %s", call,
				   wrong);
	errors = malloc(sizeof(*errors));
	if (!errors)
		return wf_job_fail(comm->job, WEFT_ERR_NOMEM, "%s: no memory "
				   "for a copy", call);
	*errors = (struct wf_on_error){ *handler, 0 };
	wf_comm_set_errors(comm, errors);
	return WEFT_OK;
}

int weft_comm_set_errhandler(struct weft_comm *comm,
			     const struct weft_errhandler *handler)
{
	int status = wf_comm_ask(comm);

	if (status)
		return status;
	if (handler)
		status = set(comm, handler);
	else
		wf_comm_set_errors(comm, NULL);
	return wf_comm_leave(comm, status);
}

int weft_comm_get_errhandler(struct weft_comm *comm,
			     struct weft_errhandler *handler_p)
{
	int status = handler_p ? wf_comm_ask(comm) :
		wf_comm_refuse(comm, "weft_comm_get_errhandler", "handler_p");

	if (status)
		return status;
	if (comm->errors)
		*handler_p = comm->errors->handler;
	else
		*handler_p = (struct weft_errhandler){
			.kind = WEFT_ERRORS_RETURN
		};
	return wf_comm_leave(comm, WEFT_OK);
}

int weft_comm_call_errhandler(struct weft_comm *comm, int status,
			      const char *text)
{
	int entered = wf_comm_ask(comm);
	char copy[WF_ERROR_TEXT];	/* it may be that of the last call */

	if (entered)
		return entered;
	if (!status) {
		entered = wf_job_fail(comm->job, WEFT_ERR_ARG,
				      "weft_comm_call_errhandler: status is "
				      "WEFT_OK, which is no error");
		return wf_comm_leave(comm, entered);
	}
	snprintf(copy, sizeof(copy), "%s",
		 text ? text : weft_status_text(status));
	wf_job_fail(comm->job, status, "%s", copy);
	wf_comm_leave_failed(comm, status);
	return WEFT_OK;
}
