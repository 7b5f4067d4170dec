/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each public call does first and last. A part of job.h, which includes
 * it; compiled into its callers, the shortest of which take little more.
 */
#ifndef WEFT_JOB_JOB_ENTRY_H
#define WEFT_JOB_JOB_ENTRY_H

#include "job/job.h"

/* In the child of a fork, where a callback of the program may have returned. */
static inline bool wf_job_is_child(const struct weft_job *job)
{
	/* written by the kernel, at a fork */
	return !__atomic_load_n(job->fork_page, __ATOMIC_RELAXED);
}

/*
 * Each public call enters first and leaves last.  WEFT_ERR_FORKED in the
 * child of a fork, and then there is nothing to leave.
 */
WEFT_MUST_CHECK static inline int wf_job_enter(struct weft_job *job)
{
	if (wf_job_is_child(job))
		return WEFT_ERR_FORKED;
	if (job->threads)
		wf_threads_lock(job);
	return WEFT_OK;
}

/* One of several threads. */
void wf_job_let_others(struct weft_job *job);

static inline void wf_job_leave(struct weft_job *job)
{
	if (job->threads)
		wf_job_let_others(job);
}

/* The same for an object that may be of no job: NULL. */
WEFT_MUST_CHECK static inline int wf_job_enter_if(struct weft_job *job)
{
	return job ? wf_job_enter(job) : WEFT_OK;
}

static inline void wf_job_leave_if(struct weft_job *job)
{
	if (job)
		wf_job_leave(job);
}

/*
 * Keep the sentence of a failed call and return its status.  The function
 * that decides that something is an error calls it.  Without a job no sentence
 * is kept.
 */
int wf_job_fail(struct weft_job *job, int status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The same, for an argument. */
int wf_job_fail_for(struct weft_job *job, enum weft_argument argument,
		    int status, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* The same, for an argument of this name that is NULL. */
int wf_job_fail_null(struct weft_job *job, const char *call,
		     const char *argument);

/*
 * All of a public call whose argument of this name is NULL.  The job is where
 * another argument leads to; NULL: none does, and no sentence is kept.
 */
int wf_job_refuse(struct weft_job *job, const char *call,
		  const char *argument);

#endif
