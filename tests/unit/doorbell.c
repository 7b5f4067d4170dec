/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Doorbells: rung by their owner, by another process, when full, and when
 * their owner is dead; and whom they are not given to.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <weft/status.h>

#include "base/doorbell.h"
#include "base/membarrier.h"
#include "tests/tap.h"

static bool rings(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) == 1 && p.revents == POLLIN;
}

static void own(void)
{
	struct wf_doorbell bell;
	struct stat st;

	if (!TAP_EQUAL(wf_doorbell_open(&bell), WEFT_OK))
		return;
	TAP_CHECK(!rings(bell.fd));
	wf_doorbell_ring(bell.fd);
	wf_doorbell_ring(bell.fd);
	TAP_CHECK(rings(bell.fd));
	wf_doorbell_drain(bell.fd);
	TAP_CHECK(!rings(bell.fd));
	TAP_EQUAL(fstat(bell.fd, &st), 0);
	TAP_EQUAL(st.st_mode & 0777, 0600);
	TAP_CHECK(fcntl(bell.fd, F_GETFD) & FD_CLOEXEC);
	wf_doorbell_close(&bell);
	TAP_EQUAL(bell.fd, -1);
	wf_doorbell_close(&bell);
}

static void full(void)
{
	struct wf_doorbell bell;

	if (!TAP_EQUAL(wf_doorbell_open(&bell), WEFT_OK))
		return;
	TAP_EQUAL(fcntl(bell.fd, F_SETPIPE_SZ, 4096), 4096);
	errno = 7;
	for (int i = 0; i < 5000; i++)
		wf_doorbell_ring(bell.fd);
	TAP_EQUAL(errno, 7);
	TAP_CHECK(rings(bell.fd));
	wf_doorbell_drain(bell.fd);
	TAP_CHECK(!rings(bell.fd));
	wf_doorbell_close(&bell);
}

/* The child rings ours, and its own is rung when it is dead. */
static void another_process(void)
{
	struct wf_doorbell bell, theirs;
	int fd, status;
	pid_t child;

	if (!TAP_EQUAL(wf_doorbell_open(&bell), WEFT_OK) ||
	    !TAP_EQUAL(wf_doorbell_open(&theirs), WEFT_OK))
		return;
	child = fork();
	if (!child) {
		fd = wf_doorbell_reach(getppid(), bell.fd, bell.id);
		wf_doorbell_close(&bell);
		wf_doorbell_ring(fd);
		pause();
		_exit(0);
	}
	fd = wf_doorbell_reach(child, theirs.fd, theirs.id);
	TAP_CHECK(fd >= 0);
	wf_doorbell_close(&theirs);
	while (!rings(bell.fd))
		poll(&(struct pollfd){ .fd = bell.fd, .events = POLLIN }, 1,
		     -1);
	TAP_EQUAL(kill(child, SIGKILL), 0);
	TAP_EQUAL(waitpid(child, &status, 0), child);
	wf_doorbell_ring(fd);		/* no SIGPIPE */
	TAP_CHECK(wf_doorbell_reach(child, theirs.fd, theirs.id) < 0);
	close(fd);
	wf_doorbell_close(&bell);
}

static void only_the_right_file(void)
{
	struct wf_doorbell a, b;
	int fd;

	if (!TAP_EQUAL(wf_doorbell_open(&a), WEFT_OK) ||
	    !TAP_EQUAL(wf_doorbell_open(&b), WEFT_OK))
		return;
	fd = wf_doorbell_reach(getpid(), a.fd, a.id);
	TAP_CHECK(fd >= 0);
	close(fd);
	TAP_EQUAL(wf_doorbell_reach(getpid(), b.fd, a.id), WEFT_ERR_DEVICE);
	fd = open("/dev/null", O_RDWR);
	TAP_EQUAL(wf_doorbell_reach(getpid(), fd, a.id), WEFT_ERR_DEVICE);
	close(fd);
	TAP_EQUAL(wf_doorbell_reach(getpid(), fd, a.id), WEFT_ERR_DEVICE);
	wf_doorbell_close(&a);
	wf_doorbell_close(&b);
}

/*
 * What has the number by now is not even opened, as a device might answer to
 * that: whoever opens this file ends its lease.
 */
static void not_opened(void)
{
	FILE *file = tmpfile();
	int fd = file ? fileno(file) : -1;

	signal(SIGIO, SIG_IGN);
	if (fcntl(fd, F_SETLEASE, F_WRLCK)) {
		tap_skip("no leases on the file system of temporary files");
	} else {
		TAP_EQUAL(wf_doorbell_reach(getpid(), fd, 1), WEFT_ERR_DEVICE);
		TAP_EQUAL(fcntl(fd, F_GETLEASE), F_WRLCK);
	}
	if (file)
		fclose(file);
}

/* It holds only after joining. */
static void membarrier(void)
{
	if (!wf_membarrier_join()) {
		tap_skip("this kernel has no expedited membarrier");
		return;
	}
	TAP_CHECK(wf_membarrier_join());
	TAP_CHECK(wf_membarrier());
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "rung and drained", own },
		{ "full", full },
		{ "another process", another_process },
		{ "only the right file", only_the_right_file },
		{ "no other file is opened", not_opened },
		{ "membarrier", membarrier }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
