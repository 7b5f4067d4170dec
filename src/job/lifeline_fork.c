/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The child of a fork must not hold its parent's lifeline: the parent would
 * seem to live as long as the child does.  The kernel closes descriptors at an
 * exec only, so a fork handler does it, through the list of open lifelines,
 * which is, with its lock, the one mutable static of this room.
 *
 * fork() takes the lock, so what was done under it is done, or not begun, in
 * the child.  It closes once: by the next fork its numbers are those of others.
 */
#include <pthread.h>
#include <unistd.h>
#include "job/lifeline.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct wf_list lines = { &lines, &lines };
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void before(void)
{
	pthread_mutex_lock(&lock);
}

static void after(void)
{
	pthread_mutex_unlock(&lock);
}

static void close_line(struct wf_lifeline *line)
{
	if (line->fd >= 0)
		close(line->fd);
	if (line->events >= 0)
		close(line->events);
	line->fd = line->events = -1;
	for (int i = 0; i < WF_LINE_FDS; i++) {
		if (line->fds[i] >= 0)
			close(line->fds[i]);
		line->fds[i] = -1;
	}
}

static void in_child(void)
{
	struct wf_list *at;

	while ((at = wf_list_pop(&lines)))
		close_line(wf_container(at, struct wf_lifeline, in_fork));
	after();
}

static void install(void)
{
	pthread_atfork(before, after, in_child);
}

void wf_lifeline_hold(void)
{
	pthread_once(&once, install);
	before();
}

void wf_lifeline_let_go(void)
{
	after();
}

void wf_lifeline_guard(struct wf_lifeline *line)
{
	wf_list_add_tail(&lines, &line->in_fork);
}

void wf_lifeline_unguard(struct wf_lifeline *line)
{
	wf_list_del(&line->in_fork);
}
