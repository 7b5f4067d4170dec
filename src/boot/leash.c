/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank does not outlive its launcher; see leash.h. Used by boot_pmi.c, whose
 * socket the launcher never closes while it lives.
 *
 * The thread reads nothing from the descriptor: it asks for its hang-up only,
 * so it is never in the way of a reply. The pipe wakes it when it is to end.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/log.h"
#include "boot/leash.h"

#define STACK_BYTES (256 * 1024)

struct wf_leash {
	int fd;
	int pipe[2];
	const char *what;
	const struct wf_log *log;
	pthread_t thread;
};

static void *watch(void *arg)
{
	struct wf_leash *leash = arg;
	struct pollfd fds[2] = {
		{ .fd = leash->pipe[0], .events = POLLIN },
		{ .fd = leash->fd, .events = POLLRDHUP },
	};

	while (poll(fds, 2, -1) < 0)
		if (errno != EINTR)
			return NULL;
	if (fds[0].revents != 0)
		return NULL;
	wf_error(leash->log, "%s is gone: this process ends, too",
		 leash->what);
	_exit(WF_LEASH_EXIT);
}

static int start(struct wf_leash *leash)
{
	pthread_attr_t attr;
	sigset_t all;
	sigset_t old;
	int error;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	error = pthread_create(&leash->thread, &attr, watch, leash);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	return error;
}

static void close_pipe(const int ends[2])
{
	for (int i = 0; i < 2; i++)
		if (ends[i] >= 0)
			close(ends[i]);
}

static int open_pipe(int ends[2])
{
	if (pipe2(ends, O_CLOEXEC) != 0)
		return -1;
	ends[0] = wf_fd_above(ends[0]);
	ends[1] = wf_fd_above(ends[1]);
	if (ends[0] >= 0 && ends[1] >= 0)
		return 0;
	close_pipe(ends);
	return -1;
}

int wf_leash_create(int fd, const char *what, const struct wf_log *log,
		    struct wf_leash **leash_p)
{
	struct wf_leash *leash = calloc(1, sizeof(*leash));

	if (leash == NULL)
		return WEFT_ERR_NOMEM;
	leash->fd = fd;
	leash->what = what;
	leash->log = log;
	if (open_pipe(leash->pipe) != 0)
		goto free_leash;
	if (start(leash) != 0)
		goto close_pipe;
	*leash_p = leash;
	return WEFT_OK;

close_pipe:
	close_pipe(leash->pipe);
free_leash:
	free(leash);
	return WEFT_ERR_NOMEM;
}

void wf_leash_destroy(struct wf_leash *leash)
{
	/* A byte, not a close: the child of a fork may hold the pipe, too. */
	while (write(leash->pipe[1], "", 1) < 0 && errno == EINTR)
		;
	pthread_join(leash->thread, NULL);
	close_pipe(leash->pipe);
	free(leash);
}
