/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exactly one of the threads that wait makes progress, the others sleep.  It
 * asks each sleeper's wait after each pass and wakes whose time has come; when
 * its own wait is over it hands the role to one of them.  Were they to take
 * turns at the lock instead, one whose wait is over could not go on as long as
 * another one holds it, and that one may wait for what the first does next.
 */
#include "job/threads.h"

#include <sched.h>
#include <time.h>
#include "job/job.h"

enum {
	LENDING = 100,		/* yields in which the lock stays free */
	NS_PER_S = 1000000000
};

/* On the stack of a thread that sleeps, in the job's list until woken. */
struct sleeper {
	struct wf_list link;
	const struct wf_wait *wait;
	pthread_cond_t cond;
	bool woken;
};

void wf_threads_lock(struct weft_job *job)
{
	atomic_fetch_add_explicit(&job->entering, 1, memory_order_relaxed);
	pthread_mutex_lock(&job->lock);
	atomic_fetch_sub_explicit(&job->entering, 1, memory_order_relaxed);
}

bool wf_threads_lock_by(struct weft_job *job, uint64_t deadline)
{
	bool locked;

	atomic_fetch_add_explicit(&job->entering, 1, memory_order_relaxed);
	while (!(locked = !pthread_mutex_trylock(&job->lock)) &&
	       wf_job_now(job) < deadline)
		sched_yield();
	atomic_fetch_sub_explicit(&job->entering, 1, memory_order_relaxed);
	return locked;
}

static bool is_wanted(struct weft_job *job)
{
	return atomic_load_explicit(&job->entering, memory_order_relaxed);
}

void wf_threads_unlock(struct weft_job *job)
{
	pthread_mutex_unlock(&job->lock);
	/* A loop of tests would take it again before anybody has woken. */
	if (is_wanted(job))
		sched_yield();
}

/* It counts as entering from now on: it needs the lock. */
static void wake(struct weft_job *job, struct sleeper *s)
{
	wf_list_del(&s->link);
	s->woken = true;
	atomic_fetch_add_explicit(&job->entering, 1, memory_order_relaxed);
	pthread_cond_signal(&s->cond);
}

static void init_cond(pthread_cond_t *cond)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(cond, &attr);
	pthread_condattr_destroy(&attr);
}

static void sleep_until(struct weft_job *job, struct sleeper *s,
			uint64_t deadline)
{
	struct timespec until = {
		.tv_sec = (time_t)(deadline / NS_PER_S),
		.tv_nsec = (long)(deadline % NS_PER_S)
	};

	while (!s->woken &&
	       !pthread_cond_timedwait(&s->cond, &job->lock, &until))
		;
}

static void sleep_for(struct weft_job *job, const struct wf_wait *wait)
{
	struct sleeper s = { .wait = wait, .woken = false };
	uint64_t since = wf_job_now(job);

	/* The one who progresses looks for us, too. */
	wf_job_wake(job);
	init_cond(&s.cond);
	wf_list_add_tail(&job->sleepers, &s.link);
	if (job->config.stall_ns < UINT64_MAX / 2) {
		sleep_until(job, &s, since + job->config.stall_ns);
		if (!s.woken)
			wf_job_report_stall(job, wait, since);
	}
	while (!s.woken)
		pthread_cond_wait(&s.cond, &job->lock);
	atomic_fetch_sub_explicit(&job->entering, 1, memory_order_relaxed);
	pthread_cond_destroy(&s.cond);
}

bool wf_threads_take_turn(struct weft_job *job, const struct wf_wait *wait)
{
	while (!wait->ready(wait->arg)) {
		if (!job->progressing) {
			job->progressing = true;
			return true;
		}
		sleep_for(job, wait);
	}
	/* Woken for the role, perhaps, without a need for it. */
	if (!job->progressing)
		wf_threads_hand_on(job);
	return false;
}

void wf_threads_hand_on(struct weft_job *job)
{
	job->progressing = false;
	if (!wf_list_empty(&job->sleepers))
		wake(job, wf_container(wf_list_first(&job->sleepers),
				       struct sleeper, link));
}

void wf_threads_each(const struct weft_job *job,
		     void (*tell)(void *arg, const struct wf_wait *wait),
		     void *arg)
{
	const struct wf_list *at;

	for (at = job->sleepers.next; at != &job->sleepers; at = at->next)
		tell(arg, wf_container(at, struct sleeper, link)->wait);
}

void wf_threads_wake_ready(struct weft_job *job)
{
	struct wf_list *at = job->sleepers.next;

	while (at != &job->sleepers) {
		struct sleeper *s = wf_container(at, struct sleeper, link);

		at = at->next;
		if (s->wait->ready(s->wait->arg))
			wake(job, s);
	}
}

void wf_threads_lend(struct weft_job *job)
{
	wf_threads_wake_ready(job);
	if (!is_wanted(job))
		return;
	pthread_mutex_unlock(&job->lock);
	for (int i = 0; i < LENDING && is_wanted(job); i++)
		sched_yield();
	wf_threads_lock(job);
}
