/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hardware goes on while the process computes or sleeps: a thread does what
 * is due, and who polls does it, too.  The thread sleeps on the bell of its
 * process, which others ring, until the next thing is due.
 */
#include "tests/verbs_device/device.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static struct {
	pthread_t thread;
	bool runs, ends;
	uint64_t due;			/* ns; UINT64_MAX: nothing is */
	uint64_t sleeps_until;
	uint32_t heard;			/* of the bell */
} engine;

static void wake(uint32_t *bell)
{
	__atomic_add_fetch(bell, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, bell, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

void vd_ring_process(uint32_t process)
{
	if (process == vd_me())
		__atomic_add_fetch(&vd_self->bell, 1, __ATOMIC_SEQ_CST);
	else if (process)
		wake(&vd_process(process)->bell);
}

void vd_due(uint64_t at)
{
	if (at >= engine.due)
		return;
	__atomic_store_n(&engine.due, at, __ATOMIC_RELAXED);
	if (at < engine.sleeps_until) {
		engine.sleeps_until = at;
		wake(&vd_self->bell);
	}
}

static void step(uint64_t now)
{
	__atomic_store_n(&engine.due, UINT64_MAX, __ATOMIC_RELAXED);
	vd_due(vd_mishaps(now));
	vd_due(vd_datagrams_due(now));
	for (struct vd_qp *q = vd_qps; q; q = q->next)
		vd_pump(q);
	vd_due(vd_show_completions(now));
}

void vd_step_if_due(void)
{
	uint32_t bell = __atomic_load_n(&vd_self->bell, __ATOMIC_SEQ_CST);
	uint64_t due = __atomic_load_n(&engine.due, __ATOMIC_RELAXED), now;

	if (due == UINT64_MAX && bell == engine.heard)
		return;
	now = vd_now();
	if (now < due && bell == engine.heard)
		return;
	__atomic_store_n(&engine.heard, bell, __ATOMIC_RELAXED);
	step(now);
}

/* Is there anything to look for?  Without the lock. */
bool vd_engine_is_due(void)
{
	return __atomic_load_n(&engine.due, __ATOMIC_RELAXED) != UINT64_MAX ||
	       __atomic_load_n(&vd_self->bell, __ATOMIC_SEQ_CST) !=
	       __atomic_load_n(&engine.heard, __ATOMIC_RELAXED);
}

static void sleep_until(uint64_t until, uint32_t bell)
{
	uint64_t now = vd_now(), ns = until - now;
	struct timespec wait = {
		(time_t)(ns / 1000000000), (long)(ns % 1000000000)
	};

	if (until > now)
		syscall(SYS_futex, &vd_self->bell, FUTEX_WAIT, bell,
			until == UINT64_MAX ? NULL : &wait, NULL, 0);
}

static void *run(void *arg)
{
	(void)arg;
	for (;;) {
		uint32_t bell;
		uint64_t until;
		bool ends;

		vd_lock();
		engine.sleeps_until = 0;
		vd_step_if_due();
		bell = engine.heard;
		until = engine.sleeps_until = engine.due;
		ends = engine.ends;
		vd_unlock();
		if (ends)
			return NULL;
		sleep_until(until, bell);
	}
}

int vd_engine_start(void)
{
	sigset_t all, old;
	int error;

	engine.due = 0;
	engine.sleeps_until = 0;
	engine.ends = false;
	engine.heard = 0;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	error = pthread_create(&engine.thread, NULL, run, NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return error;
}

void vd_engine_stop(void)
{
	vd_lock();
	engine.ends = true;
	wake(&vd_self->bell);
	vd_unlock();
	pthread_join(engine.thread, NULL);
}
