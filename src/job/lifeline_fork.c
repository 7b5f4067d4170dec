/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The child of a fork must not hold its parent's lifeline: the parent would
 * seem to live as long as the child does.  The kernel closes descriptors at an
 * exec only, so a fork handler does it, through the list of open lifelines,
 * which is, with its lock, the one mutable static of this room.
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

/* Another thread may have been anywhere: nothing but the table is looked at. */
static void close_line(struct wf_lifeline *line)
{
	close(line->fd);
	close(line->events);
	for (int i = 0; i < WF_LINE_FDS; i++) {
		int fd = atomic_load_explicit(&line->fds[i],
					      memory_order_relaxed);

		if (fd > 0)
			close(fd);
	}
}

static void in_child(void)
{
	for (struct wf_list *at = lines.next; at != &lines; at = at->next)
		close_line(wf_container(at, struct wf_lifeline, in_fork));
	after();
}

static void install(void)
{
	pthread_atfork(before, after, in_child);
}

void wf_lifeline_guard(struct wf_lifeline *line)
{
	pthread_once(&once, install);
	before();
	wf_list_add_tail(&lines, &line->in_fork);
	after();
}

void wf_lifeline_unguard(struct wf_lifeline *line)
{
	before();
	wf_list_del(&line->in_fork);
	after();
}
