/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A time limit for calls that may hang for ever. Called by boot_pmix.c for
 * everything that talks to the launcher's server.
 *
 * The watch is on the heap and has two holders, the caller and the thread;
 * `state` says which of them came first, and the second one frees it.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "boot/watchdog.h"

enum state { RUNNING, RETURNED, ABANDONED };

struct watch {
	void (*call)(void *arg);
	void (*drop)(void *arg);
	void *arg;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	enum state state; /* under lock; leaves RUNNING once */
};

static struct watch *watch_create(void (*call)(void *arg),
				  void (*drop)(void *arg), void *arg)
{
	struct watch *watch = calloc(1, sizeof(*watch));
	pthread_condattr_t attr;

	if (watch == NULL)
		return NULL;
	watch->call = call;
	watch->drop = drop;
	watch->arg = arg;
	watch->state = RUNNING;
	pthread_mutex_init(&watch->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&watch->changed, &attr);
	pthread_condattr_destroy(&attr);
	return watch;
}

static void watch_destroy(struct watch *watch)
{
	pthread_cond_destroy(&watch->changed);
	pthread_mutex_destroy(&watch->lock);
	free(watch);
}

static void *run(void *arg)
{
	struct watch *watch = arg;
	enum state was;

	watch->call(watch->arg);
	pthread_mutex_lock(&watch->lock);
	was = watch->state;
	if (was == RUNNING)
		watch->state = RETURNED;
	pthread_cond_signal(&watch->changed);
	pthread_mutex_unlock(&watch->lock);
	if (was == ABANDONED) {
		watch->drop(watch->arg);
		watch_destroy(watch);
	}
	return NULL;
}

static int start(struct watch *watch, pthread_t *thread_p)
{
	sigset_t all;
	sigset_t old;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	error = pthread_create(thread_p, NULL, run, watch);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return error;
}

static uint64_t after(uint64_t ns)
{
	uint64_t now = wf_clock_ns();

	return ns < UINT64_MAX - now ? now + ns : UINT64_MAX;
}

/* Locked, and so on return, but not while the owner is called. */
static void await(struct watch *watch, const struct wf_watchdog *dog,
		  uint64_t deadline)
{
	while (watch->state == RUNNING && wf_clock_ns() < deadline) {
		uint64_t next = after(dog->tick_ns);
		struct timespec until;

		if (next > deadline)
			next = deadline;
		until.tv_sec = (time_t)(next / WF_NS_PER_S);
		until.tv_nsec = (long)(next % WF_NS_PER_S);
		if (pthread_cond_timedwait(&watch->changed, &watch->lock,
					   &until) != ETIMEDOUT)
			continue;
		pthread_mutex_unlock(&watch->lock);
		dog->tick(dog->owner);
		pthread_mutex_lock(&watch->lock);
	}
}

int wf_watchdog_run(const struct wf_watchdog *dog, void (*call)(void *arg),
		    void (*drop)(void *arg), void *arg)
{
	struct watch *watch = watch_create(call, drop, arg);
	uint64_t deadline = after(dog->timeout_ns);
	pthread_t thread;

	if (watch == NULL)
		return WEFT_ERR_NOMEM;
	if (start(watch, &thread) != 0) {
		watch_destroy(watch);
		return WEFT_ERR_NOMEM;
	}
	pthread_mutex_lock(&watch->lock);
	await(watch, dog, deadline);
	if (watch->state == RUNNING) {
		watch->state = ABANDONED;
		pthread_mutex_unlock(&watch->lock);
		pthread_detach(thread);
		return WEFT_ERR_TIMEOUT;
	}
	pthread_mutex_unlock(&watch->lock);
	pthread_join(thread, NULL);
	watch_destroy(watch);
	return WEFT_OK;
}
