/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The time limit for calls that may hang: who owns the argument afterwards,
 * and that the thread lets go of it when the call returns after all.
 */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

#include "base/clock.h"
#include "boot/watchdog.h"
#include "tests/fail_malloc.h"
#include "tests/tap.h"

struct work {
	sem_t go;      /* the call returns */
	sem_t dropped;
	int ticks;
	bool called;
	bool blocked;  /* signals, in the thread */
};

static void work_init(struct work *work)
{
	memset(work, 0, sizeof(*work));
	sem_init(&work->go, 0, 0);
	sem_init(&work->dropped, 0, 0);
}

static void call(void *arg)
{
	struct work *work = arg;
	sigset_t mask;

	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	work->blocked = sigismember(&mask, SIGINT) == 1;
	work->called = true;
	while (sem_wait(&work->go) != 0)
		;
}

static void drop(void *arg)
{
	struct work *work = arg;

	sem_post(&work->dropped);
}

/* The second one lets the call return. */
static void tick(void *owner)
{
	struct work *work = owner;

	if (++work->ticks == 2)
		sem_post(&work->go);
}

static void ignore(void *owner)
{
	(void)owner;
}

static int run(uint64_t timeout_ns, struct work *work)
{
	const struct wf_watchdog dog = { timeout_ns, WF_NS_PER_MS, ignore,
					 NULL };

	return wf_watchdog_run(&dog, call, drop, work);
}

static void ticks(void)
{
	struct work work;
	const struct wf_watchdog dog = { UINT64_MAX, WF_NS_PER_MS, tick,
					 &work };

	work_init(&work);
	TAP_EQUAL(wf_watchdog_run(&dog, call, drop, &work), WEFT_OK);
	TAP_CHECK(work.called && work.ticks >= 2);
}

static void returns(void)
{
	struct work work;
	sigset_t mask;

	work_init(&work);
	sem_post(&work.go);
	TAP_EQUAL(run(UINT64_MAX, &work), WEFT_OK);
	TAP_CHECK(work.called && work.blocked);
	TAP_CHECK(sem_trywait(&work.dropped) != 0);
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	TAP_EQUAL(sigismember(&mask, SIGINT), 0);
}

static void hangs(void)
{
	struct work work;
	uint64_t start = wf_clock_ns();

	work_init(&work);
	TAP_EQUAL(run(30 * WF_NS_PER_MS, &work), WEFT_ERR_TIMEOUT);
	TAP_CHECK(wf_clock_ns() - start >= 30 * WF_NS_PER_MS);
	TAP_CHECK(sem_trywait(&work.dropped) != 0);
	/* It returns late: the thread drops what was abandoned to it. */
	sem_post(&work.go);
	while (sem_wait(&work.dropped) != 0)
		;
	TAP_CHECK(work.called);
}

static void no_memory(void)
{
	struct work work;

	work_init(&work);
	fail_malloc_at(1);
	TAP_EQUAL(run(WF_NS_PER_S, &work), WEFT_ERR_NOMEM);
	fail_malloc_at(0);
	TAP_CHECK(!work.called);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a call that returns", returns },
		{ "a call that hangs", hangs },
		{ "a caller that is called meanwhile", ticks },
		{ "no memory", no_memory },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
