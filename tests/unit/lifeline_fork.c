/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forks at the worst moments: a child must hold no descriptor of a lifeline,
 * and close none that is not one.
 *
 * The linker leads listen(), accept4() and close() here (--wrap); where a case
 * asks for it, another thread forks right behind or before the call.  A fork
 * that is held off until later is what we want, so the call waits for it only
 * for a while.
 */
#include "job/lifeline.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <weft/status.h>
#include "base/log.h"
#include "tests/tap.h"

#define SEEN __attribute__((visibility("default")))

int __real_listen(int fd, int backlog);
int __real_accept4(int fd, struct sockaddr *from, socklen_t *n, int flags);
int __real_close(int fd);
SEEN int __wrap_listen(int fd, int backlog);
SEEN int __wrap_accept4(int fd, struct sockaddr *from, socklen_t *n, int flags);
SEEN int __wrap_close(int fd);

enum moment { NEVER, LISTEN, ACCEPT, CLOSE };

enum {
	MOST_FDS = 256,
	HELD_OFF_MS = 100
};

static enum moment moment;
static pthread_t forker;
static atomic_int child;		/* 0: not yet */

static struct wf_lifeline line;
static struct wf_blob blob;
static struct wf_log quiet;

/* ---- forking ---- */

/* Sockets here that are the lifeline's, told by a port that is no dialer's. */
static int count_held(void)
{
	struct sockaddr_storage at;
	int held = 0;

	for (int fd = 0; fd < MOST_FDS; fd++) {
		socklen_t n = sizeof(at);
		int listens = 0;
		uint16_t port;

		if (getsockname(fd, (struct sockaddr *)&at, &n) ||
		    (at.ss_family != AF_INET && at.ss_family != AF_INET6))
			continue;
		port = ntohs(at.ss_family == AF_INET ?
			     ((struct sockaddr_in *)&at)->sin_port :
			     ((struct sockaddr_in6 *)&at)->sin6_port);
		n = sizeof(listens);
		getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &n);
		held += listens || port == blob.lifelines[0].port;
	}
	return held;
}

static void *fork_now(void *arg)
{
	pid_t pid = fork();

	(void)arg;
	if (pid == 0)
		_exit(count_held());
	child = pid;
	return NULL;
}

static void fork_at(enum moment now)
{
	struct timespec ms = { 0, 1000000 };

	if (moment != now)
		return;
	moment = NEVER;
	if (pthread_create(&forker, NULL, fork_now, NULL))
		abort();
	for (int i = 0; i < HELD_OFF_MS && !child; i++)
		nanosleep(&ms, NULL);
}

int __wrap_listen(int fd, int backlog)
{
	int result = __real_listen(fd, backlog);

	fork_at(LISTEN);
	return result;
}

int __wrap_accept4(int fd, struct sockaddr *from, socklen_t *n, int flags)
{
	int got = __real_accept4(fd, from, n, flags);

	if (got >= 0)
		fork_at(ACCEPT);
	return got;
}

int __wrap_close(int fd)
{
	fork_at(CLOSE);
	return __real_close(fd);
}

/* The child that was made meanwhile held nothing. */
static void check_child(void)
{
	int status = -1;

	TAP_EQUAL(moment, NEVER);
	moment = NEVER;
	TAP_EQUAL(pthread_join(forker, NULL), 0);
	TAP_CHECK(child > 0);
	TAP_EQUAL(waitpid(child, &status, 0), child);
	TAP_EQUAL(status, 0);
	child = 0;
}

/* ---- the lifeline ---- */

static void open_line(void)
{
	memset(&blob, 0, sizeof(blob));
	wf_log_init(&quiet, WF_LOG_ERROR, "test");
	TAP_EQUAL(wf_lifeline_open(&line, &blob, true, &quiet), WEFT_OK);
}

static int dial(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	to.sin_port = htons(blob.lifelines[0].port);
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	TAP_EQUAL(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0);
	return fd;
}

/* ---- cases ---- */

static void while_opening(void)
{
	moment = LISTEN;
	open_line();
	check_child();
	wf_lifeline_close(&line);
}

static void while_accepting(void)
{
	int fd;

	open_line();
	fd = dial();
	moment = ACCEPT;
	wf_lifeline_serve(&line, 1);
	check_child();
	TAP_EQUAL(line.n_strangers, 1);
	close(fd);
	wf_lifeline_close(&line);
}

static void while_hanging_up(void)
{
	int fd;

	open_line();
	fd = dial();
	wf_lifeline_serve(&line, 1);
	TAP_EQUAL(line.n_strangers, 1);
	shutdown(fd, SHUT_WR);
	moment = CLOSE;
	wf_lifeline_serve(&line, 2);
	check_child();
	TAP_EQUAL(line.n_strangers, 0);
	close(fd);
	wf_lifeline_close(&line);
}

static void while_closing(void)
{
	open_line();
	moment = CLOSE;
	wf_lifeline_close(&line);
	check_child();
}

/* What a process would read there is no caller's. */
static void without_input(void)
{
	int input = fcntl(0, F_DUPFD_CLOEXEC, 3), fd, status = -1;
	pid_t pid;

	open_line();
	fd = dial();
	close(0);
	wf_lifeline_serve(&line, 1);
	TAP_EQUAL(line.n_strangers, 1);
	TAP_CHECK(fcntl(0, F_GETFD) < 0);
	pid = fork();
	if (pid == 0)
		_exit(count_held());
	TAP_EQUAL(waitpid(pid, &status, 0), pid);
	TAP_EQUAL(status, 0);
	wf_lifeline_close(&line);
	close(fd);
	if (input >= 0) {
		dup2(input, 0);
		close(input);
	}
}

/* The numbers are other files' in the child by the time it forks, too. */
static int count_lost(const int *fd, int n)
{
	int lost = 0;

	for (int i = 0; i < n; i++)
		lost += fcntl(fd[i], F_GETFD) < 0;
	return lost;
}

static void child_that_forks(void)
{
	enum { FILES = 8 };
	int file[FILES], status = -1;
	pid_t pid;

	for (int i = 0; i < FILES; i++)
		file[i] = open("/dev/null", O_RDONLY);
	pid = fork();
	if (pid == 0)
		_exit(count_lost(file, FILES));
	_exit(waitpid(pid, &status, 0) != pid || status != 0);
}

static void by_a_child_again(void)
{
	int fd, status = -1;
	pid_t pid;

	open_line();
	fd = dial();
	wf_lifeline_serve(&line, 1);
	pid = fork();
	if (pid == 0)
		child_that_forks();
	TAP_EQUAL(waitpid(pid, &status, 0), pid);
	TAP_EQUAL(status, 0);
	/* and it is whole here */
	TAP_CHECK(fcntl(line.fd, F_GETFD) >= 0);
	close(fd);
	wf_lifeline_serve(&line, 2);
	TAP_EQUAL(line.n_strangers, 0);
	wf_lifeline_close(&line);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "while it opens", while_opening },
		{ "while it accepts", while_accepting },
		{ "while it hangs up", while_hanging_up },
		{ "while it closes", while_closing },
		{ "a caller without standard input", without_input },
		{ "a child forks, too", by_a_child_again },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
