/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The handler of SIGUSR1.  A signal comes to the process and brings nothing
 * along, so that the handler needs a static to start from: the list of jobs
 * that can be asked, which is, with what guards it, a mutable static of this
 * room (docs/arch.md).
 *
 * The handler walks the list while other threads may change it: they take
 * turns by the lock, links are atomic, and who takes a job out waits until no
 * handler is under way.  A handler only comes to its end: it waits for nobody.
 * The child of a fork has no job, and the signal does there what it did before.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include "base/doorbell.h"
#include "job/report.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct wf_report_ask *) first;
static atomic_int walkers;		/* handlers under way */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool taken;			/* SIGUSR1 is ours; under the lock */
static struct sigaction before;		/* what it was */

static void on_signal(int number)
{
	struct wf_report_ask *at;

	(void)number;
	atomic_fetch_add(&walkers, 1);
	for (at = atomic_load(&first); at; at = atomic_load(&at->next)) {
		atomic_store(&at->asked, true);
		/* Another thread may sleep, whom no signal wakes. */
		if (at->doorbell >= 0)
			wf_doorbell_ring(at->doorbell);
	}
	atomic_fetch_sub(&walkers, 1);
}

/* Only what the system would do by default is replaced: end the process. */
static void take_signal(void)
{
	struct sigaction ours = { .sa_handler = on_signal,
				  .sa_flags = SA_RESTART };

	if (taken || sigaction(SIGUSR1, NULL, &before) ||
	    (before.sa_flags & SA_SIGINFO) || before.sa_handler != SIG_DFL)
		return;
	sigemptyset(&ours.sa_mask);
	taken = !sigaction(SIGUSR1, &ours, NULL);
}

/* The program may have put its own handler over ours since. */
static void give_signal_back(void)
{
	struct sigaction now;

	if (taken && !sigaction(SIGUSR1, NULL, &now) &&
	    !(now.sa_flags & SA_SIGINFO) && now.sa_handler == on_signal)
		sigaction(SIGUSR1, &before, NULL);
	taken = false;
}

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&lock);
}

/* The child is no rank, and the thread of a handler may be the parent's. */
static void in_child(void)
{
	atomic_store(&first, NULL);
	atomic_store(&walkers, 0);
	give_signal_back();
	pthread_mutex_unlock(&lock);
}

static void guard_forks(void)
{
	pthread_atfork(before_fork, after_fork, in_child);
}

void wf_report_listen(struct wf_report_ask *ask, int doorbell)
{
	ask->doorbell = doorbell;
	pthread_once(&once, guard_forks);
	pthread_mutex_lock(&lock);
	atomic_store(&ask->next, atomic_load(&first));
	atomic_store(&first, ask);
	ask->listed = true;
	take_signal();
	pthread_mutex_unlock(&lock);
}

void wf_report_deafen(struct wf_report_ask *ask)
{
	_Atomic(struct wf_report_ask *) *at = &first;

	if (!ask->listed)
		return;
	pthread_mutex_lock(&lock);
	while (atomic_load(at) != ask)
		at = &atomic_load(at)->next;
	atomic_store(at, atomic_load(&ask->next));
	/* A handler that comes from now on does not find it any more. */
	while (atomic_load(&walkers))
		sched_yield();
	ask->listed = false;
	if (!atomic_load(&first))
		give_signal_back();
	pthread_mutex_unlock(&lock);
}
