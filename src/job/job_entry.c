/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each public call does last in a job of several threads, and what one
 * that failed leaves.
 */
#include <stdarg.h>
#include <stdio.h>
#include "job/job.h"
#include "job/threads.h"

void wf_job_let_others(struct weft_job *job)
{
	if (wf_job_is_child(job))
		return;
	wf_job_wake(job);
	wf_threads_unlock(job);
}

int wf_job_fail(struct weft_job *job, int status, const char *fmt, ...)
{
	char *sentence = wf_sentence(job);
	va_list args;

	va_start(args, fmt);
	vsnprintf(sentence, WF_ERROR_TEXT, fmt, args);
	va_end(args);
	wf_info(&job->log, "%s: %s", weft_status_name(status), sentence);
	return status;
}

int wf_job_refuse(struct weft_job *job, const char *call,
		  const char *argument)
{
	int status = job ? wf_job_enter(job) : WEFT_ERR_ARG;

	if (status)
		return status;
	status = wf_job_fail(job, WEFT_ERR_ARG, "%s: %s is NULL", call,
			     argument);
	wf_job_leave(job);
	return status;
}

int weft_job_rank(const struct weft_job *job)
{
	return job ? job->rank : -1;
}

int weft_job_size(const struct weft_job *job)
{
	return job ? job->size : 0;
}
