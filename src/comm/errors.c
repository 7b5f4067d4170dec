/* SPDX-License-Identifier: BSD-3-Clause */
/* What a communicator was told to do about errors, and doing it. */
#include <stdio.h>
#include "base/clock.h"
#include "base/text.h"
#include "comm/comm.h"
#include "job/abort.h"
#include "job/threads.h"

/* Why, and where; the job says which rank, on which host. */
static void tell_where(const struct weft_comm *comm, const char *why,
		       char *text, size_t bytes)
{
	wf_text_add(text, bytes, "%s, on ", why);
	wf_comm_tell(comm, text, bytes);
	wf_text_add(text, bytes, ", here rank %d of %d", comm->rank,
		    comm->size);
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
 * or this one is called from there.
 */
static bool can_mail(struct weft_job *job)
{
	uint64_t end = wf_job_now(job) + WF_ABORT_MS * WF_NS_PER_MS;

	return !wf_job_is_child(job) &&
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
	const struct weft_errors errors = comm->errors;
	char text[WF_ERROR_TEXT];

	snprintf(text, sizeof(text), "%s", wf_sentence(job));
	wf_comm_hold(comm);
	wf_job_leave(job);
	if (errors.what == WEFT_ON_ERROR_FATAL)
		end_job(comm, 1, text);
	if (errors.what == WEFT_ON_ERROR_ABORT)
		end_comm(comm, 1, text);
	errors.call(comm, status, text, errors.arg);
	if (wf_job_enter(job))
		return;
	/* The call has failed with this one, whatever came behind it. */
	snprintf(wf_sentence(job), WF_ERROR_TEXT, "%s", text);
	wf_comm_drop(comm);
	wf_job_leave(job);
}

static bool is_to_act(const struct weft_comm *comm, int status)
{
	return status && comm->errors.what != WEFT_ON_ERROR_RETURN;
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
		if (wf_job_enter(job))
			return status;
	}
	wf_comm_drop(comm);
	wf_job_leave(job);
	return status;
}

static const char *find_wrong(const struct weft_errors *errors)
{
	if (errors->what < WEFT_ON_ERROR_RETURN ||
	    errors->what > WEFT_ON_ERROR_CALL)
		return "`what` is none of WEFT_ON_ERROR_...";
	if (errors->what == WEFT_ON_ERROR_CALL && !errors->call)
		return "`call` is NULL";
	return NULL;
}

int weft_comm_set_errors(struct weft_comm *comm,
			 const struct weft_errors *errors)
{
	const struct weft_errors none = { .what = WEFT_ON_ERROR_RETURN };
	int status = wf_comm_enter(comm);
	const char *wrong;

	if (status)
		return status;
	wrong = errors ? find_wrong(errors) : NULL;
	if (wrong)
		status = wf_job_fail(comm->job, WEFT_ERR_ARG,
				     "weft_comm_set_errors: %s", wrong);
	else
		comm->errors = errors ? *errors : none;
	return wf_comm_leave(comm, status);
}

int weft_comm_get_errors(struct weft_comm *comm, struct weft_errors *errors_p)
{
	int status = errors_p ? wf_comm_enter(comm) :
		wf_comm_refuse(comm, "weft_comm_get_errors", "errors_p");

	if (status)
		return status;
	*errors_p = comm->errors;
	return wf_comm_leave(comm, WEFT_OK);
}
