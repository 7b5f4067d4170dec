/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel closes descriptors at an exec only, so a fork handler does it,
 * through the list of those that have some, which is, with its lock, the one
 * mutable static of this room.
 *
 * fork() takes the lock, so what was done under it is done, or not begun, in
 * the child.  It closes once: by the next fork its numbers are those of others.
 */
#include "base/forked.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct wf_list all = { &all, &all };
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void before(void)
{
	pthread_mutex_lock(&lock);
}

static void after(void)
{
	pthread_mutex_unlock(&lock);
}

static void in_child(void)
{
	struct wf_list *at;

	while ((at = wf_list_pop(&all))) {
		struct wf_forked *forked = wf_container(at, struct wf_forked,
							link);

		forked->close(forked);
	}
	after();
}

static void install(void)
{
	pthread_atfork(before, after, in_child);
}

void wf_forked_init(struct wf_forked *forked,
		    void (*close)(struct wf_forked *forked))
{
	wf_list_init(&forked->link);
	forked->close = close;
}

void wf_forked_hold(void)
{
	pthread_once(&once, install);
	before();
}

void wf_forked_let_go(void)
{
	after();
}

void wf_forked_guard(struct wf_forked *forked)
{
	wf_list_add_tail(&all, &forked->link);
}

void wf_forked_unguard(struct wf_forked *forked)
{
	wf_list_del(&forked->link);
}
