/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Life of processes: a child that runs, is a zombie, is gone, or was never
 * the one that was meant.
 */
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <weft/status.h>
#include "tests/tap.h"

static pid_t start_child(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* a name that a careless parser trips over */
		prctl(PR_SET_NAME, "a) R 1 (b");
		for (;;)
			pause();
	}
	TAP_CHECK(pid > 0);
	return pid;
}

static void end_child(pid_t pid)
{
	siginfo_t info;

	kill(pid, SIGKILL);
	TAP_EQUAL(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
}

/* valgrind 3.19 does not know the call */
static bool has_pidfds(void)
{
	int fd = wf_process_open(getpid(), wf_process_start_time(getpid()));

	if (fd < 0 && errno == ENOSYS) {
		tap_skip("this kernel, or valgrind, has no pidfds");
		return false;
	}
	TAP_CHECK(fd >= 0);
	close(fd);
	return true;
}

static void lives_and_ends(void)
{
	uint64_t start;
	pid_t pid;
	int fd;

	if (!has_pidfds())
		return;
	pid = start_child();
	start = wf_process_start_time(pid);
	fd = wf_process_open(pid, start);

	TAP_CHECK(start >= wf_process_start_time(getpid()));
	TAP_CHECK(fd >= 0);
	TAP_EQUAL(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	TAP_CHECK(!wf_process_ended(fd));
	TAP_CHECK(!wf_process_is_ending(pid));
	end_child(pid);
	TAP_CHECK(wf_process_ended(fd));	/* a zombie */
	TAP_CHECK(wf_process_is_ending(pid));
	waitpid(pid, NULL, 0);
	TAP_CHECK(!wf_process_is_ending(pid));
	TAP_CHECK(wf_process_ended(fd));
	TAP_EQUAL(wf_process_start_time(pid), 0);
	TAP_EQUAL(wf_process_open(pid, start), WEFT_ERR_PEER);
	close(fd);
}

static void other_start_time(void)
{
	uint64_t start = wf_process_start_time(getpid());
	int fd = dup(0);

	close(fd);
	TAP_CHECK(start > 0);
	if (!has_pidfds())
		return;
	TAP_EQUAL(wf_process_open(getpid(), start + 1), WEFT_ERR_PEER);
	TAP_EQUAL(dup(0), fd);		/* nothing was left open */
	close(fd);
}

static void no_process(void)
{
	TAP_EQUAL(wf_process_open(-1, 1), WEFT_ERR_DEVICE);
	TAP_EQUAL(wf_process_start_time(-1), 0);
}

/* One descriptor is left: a living process cannot be told from another. */
static void few_descriptors(void)
{
	uint64_t start = wf_process_start_time(getpid());
	struct rlimit old, few;
	int fd = dup(0);

	close(fd);
	if (!has_pidfds())
		return;
	TAP_EQUAL(getrlimit(RLIMIT_NOFILE, &old), 0);
	few = old;
	for (int left = 0; left < 2; left++) {
		few.rlim_cur = (rlim_t)fd + (rlim_t)left;
		TAP_EQUAL(setrlimit(RLIMIT_NOFILE, &few), 0);
		TAP_EQUAL(wf_process_open(getpid(), start), WEFT_ERR_DEVICE);
	}
	TAP_EQUAL(setrlimit(RLIMIT_NOFILE, &old), 0);
	TAP_EQUAL(dup(0), fd);		/* nothing was left open */
	close(fd);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a child lives, is a zombie, is gone", lives_and_ends },
		{ "a pid given again is another process", other_start_time },
		{ "no such pid", no_process },
		{ "no descriptor for a look", few_descriptors },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
