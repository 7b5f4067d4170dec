/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several threads in one job: the lock at the public entry, and whose turn it
 * is to make progress.  A job that was opened for one thread has none of it.
 */
#ifndef WEFT_JOB_THREADS_H
#define WEFT_JOB_THREADS_H

#include <stdbool.h>
#include <stdint.h>

struct weft_job;
struct wf_wait;

/* Take the lock; whoever holds it sees that somebody waits. */
void wf_threads_lock(struct weft_job *job);
void wf_threads_unlock(struct weft_job *job);

/* Tries to, until then (wf_job_now()): also of a thread that holds it. */
bool wf_threads_lock_by(struct weft_job *job, uint64_t deadline);

/*
 * A wait begins: true: this thread progresses, until it calls hand_on(); false:
 * the wait is over, because another thread's progress has brought it.
 */
bool wf_threads_take_turn(struct weft_job *job, const struct wf_wait *wait);
void wf_threads_hand_on(struct weft_job *job);

/* The waits of those who sleep; that of who progresses is job->wait. */
void wf_threads_each(const struct weft_job *job,
		     void (*tell)(void *arg, const struct wf_wait *wait),
		     void *arg);

/*
 * After each pass of the thread that progresses: wake those whose wait is
 * over, and let those have the lock who wait for it.
 */
void wf_threads_lend(struct weft_job *job);

/* Before and after a sleep in it: wake those whose wait is over. */
void wf_threads_wake_ready(struct weft_job *job);

#endif
