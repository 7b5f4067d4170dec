/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each public call does first and last. A part of job.h, which includes
 * it; compiled into its callers, the shortest of which take little more.
 */
#ifndef WEFT_JOB_JOB_ENTRY_H
#define WEFT_JOB_JOB_ENTRY_H

#include "job/job.h"

/*
 * The word that each call reads first: 0, written by the kernel at a fork, in
 * its child; while a thread is in an operation of the program pthread_self() of
 * that one.
 */
enum { WF_GATE_OPEN = 1 };

static inline uint64_t wf_job_gate(const struct weft_job *job)
{
	return __atomic_load_n(job->gate, __ATOMIC_RELAXED);
}

/* In the child of a fork, where a callback of the program may have returned. */
static inline bool wf_job_is_child(const struct weft_job *job)
{
	return !wf_job_gate(job);
}

/* Is this thread in an operation of the program?  It has the job entered. */
bool wf_job_is_in_op(const struct weft_job *job);

/*
 * The gate is not open: WEFT_ERR_FORKED, WEFT_ERR_IN_OP with the sentence, or
 * WEFT_OK, where it is another thread that is in an operation.
 */
int wf_job_bar(struct weft_job *job, const char *call);

/*
 * Each public call enters first and leaves last.  WEFT_ERR_FORKED in the
 * child of a fork, WEFT_ERR_IN_OP in an operation of the program, and then
 * there is nothing to leave.
 */
WEFT_MUST_CHECK static inline int wf_job_enter_by(struct weft_job *job,
						  const char *call)
{
	if (__builtin_expect(wf_job_gate(job) != WF_GATE_OPEN, 0)) {
		int status = wf_job_bar(job, call);

		if (status)
			return status;
	}
	if (job->threads)
		wf_threads_lock(job);
	return WEFT_OK;
}

/* By the function that has this line. */
#define wf_job_enter(job) wf_job_enter_by(job, __func__)

/* The same for a call without a message: an operation may make it. */
WEFT_MUST_CHECK static inline int wf_job_ask(struct weft_job *job)
{
	if (__builtin_expect(wf_job_gate(job) != WF_GATE_OPEN, 0)) {
		if (wf_job_is_child(job))
			return WEFT_ERR_FORKED;
		if (wf_job_is_in_op(job))
			return WEFT_OK;
	}
	if (job->threads)
		wf_threads_lock(job);
	return WEFT_OK;
}

/* Around an operation of the program, with the job entered. */
void wf_job_begin_op(struct weft_job *job);
void wf_job_end_op(struct weft_job *job);

/* One of several threads. */
void wf_job_let_others(struct weft_job *job);

static inline void wf_job_leave(struct weft_job *job)
{
	if (job->threads)
		wf_job_let_others(job);
}

/* The same for an object that may be of no job: NULL. */
WEFT_MUST_CHECK static inline int wf_job_ask_if(struct weft_job *job)
{
	return job ? wf_job_ask(job) : WEFT_OK;
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
