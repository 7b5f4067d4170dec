/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each public call does last in a job of several threads, and what one
 * that failed leaves.
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <weft/group.h>
#include "job/job.h"
#include "job/threads.h"

static uint64_t this_thread(void)
{
	return (uint64_t)(uintptr_t)pthread_self();
}

bool wf_job_is_in_op(const struct weft_job *job)
{
	return wf_job_gate(job) == this_thread();
}

int wf_job_bar(struct weft_job *job, const char *call)
{
	if (wf_job_is_child(job))
		return WEFT_ERR_FORKED;
	if (!wf_job_is_in_op(job))
		return WEFT_OK;
	return wf_job_fail(job, WEFT_ERR_IN_OP, "%s: called in an operation "
			   "that the program made: it may ask, but neither "
			   "communicate nor reduce", call);
}

void wf_job_begin_op(struct weft_job *job)
{
	__atomic_store_n(job->gate, this_thread(), __ATOMIC_RELAXED);
}

void wf_job_end_op(struct weft_job *job)
{
	__atomic_store_n(job->gate, WF_GATE_OPEN, __ATOMIC_RELAXED);
}

void wf_job_let_others(struct weft_job *job)
{
	if (wf_job_is_child(job) || wf_job_is_in_op(job))
		return;
	wf_job_wake(job);
	wf_threads_unlock(job);
}

static void keep(struct weft_job *job, enum weft_argument argument,
		 int status, const char *fmt, va_list args)
{
	struct wf_failure *failure;

	if (!job)
		return;
	failure = wf_failure(job);
	vsnprintf(failure->text, sizeof(failure->text), fmt, args);
	failure->argument = argument;
	wf_info(&job->log, "%s: %s", weft_status_name(status), failure->text);
}

int wf_job_fail(struct weft_job *job, int status, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	keep(job, WEFT_ARGUMENT_NONE, status, fmt, args);
	va_end(args);
	return status;
}

int wf_job_fail_for(struct weft_job *job, enum weft_argument argument,
		    int status, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	keep(job, argument, status, fmt, args);
	va_end(args);
	return status;
}

int wf_job_fail_null(struct weft_job *job, const char *call,
		     const char *argument)
{
	static const struct {
		const char *name;
		enum weft_argument argument;
	} known[] = {
		{ "comm", WEFT_ARGUMENT_COMM }, { "type", WEFT_ARGUMENT_TYPE },
		{ "of", WEFT_ARGUMENT_TYPE },
		{ "op", WEFT_ARGUMENT_OP }, { "group", WEFT_ARGUMENT_GROUP },
		{ "keyval", WEFT_ARGUMENT_KEYVAL },
		{ "info", WEFT_ARGUMENT_INFO },
		{ "ranks", WEFT_ARGUMENT_RANK }
	};
	enum weft_argument is = WEFT_ARGUMENT_NONE;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(known[i].name, argument))
			is = known[i].argument;
	return wf_job_fail_for(job, is, WEFT_ERR_ARG, "%s: %s is NULL", call,
			       argument);
}

int wf_job_refuse(struct weft_job *job, const char *call,
		  const char *argument)
{
	int status = job ? wf_job_ask(job) : WEFT_ERR_ARG;

	if (status)
		return status;
	status = wf_job_fail_null(job, call, argument);
	wf_job_leave(job);
	return status;
}

int weft_job_rank(const struct weft_job *job)
{
	return job ? job->rank : WEFT_UNDEFINED;
}

int weft_job_size(const struct weft_job *job)
{
	return job ? job->size : 0;
}
