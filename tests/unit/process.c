/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Life of processes: a child that runs, is a zombie, is gone, or was never
 * the one that was meant; one whose first thread has ended.  With pidfds and
 * without.  A file that it has, and has no more.
 */
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <weft/status.h>
#include "tests/tap.h"

static bool no_pidfds;

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

long __wrap_syscall(long number, ...)
{
	long word[3];
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 3; i++)
		word[i] = va_arg(args, long);
	va_end(args);
	if (!no_pidfds || number != SYS_pidfd_open)
		return __real_syscall(number, word[0], word[1], word[2]);
	errno = ENOSYS;
	return -1;
}

static pid_t start(void (*run)(void))
{
	pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* a name that a careless parser trips over */
		prctl(PR_SET_NAME, "a) R 1 (b");
		run();
	}
	TAP_CHECK(pid > 0);
	return pid;
}

static void *wait_on(void *arg)
{
	for (;;)
		pause();
	return arg;
}

static void live(void)
{
	wait_on(NULL);
}

static void live_headless(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, wait_on, NULL))
		_exit(1);
	pthread_exit(NULL);
}

static pid_t start_child(void)
{
	return start(live);
}

static void end_child(pid_t pid)
{
	siginfo_t info;

	kill(pid, SIGKILL);
	TAP_EQUAL(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
}

static bool has_pidfds(void)
{
	int fd = (int)syscall(SYS_pidfd_open, getpid(), 0);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void lives_and_ends(void)
{
	uint64_t start;
	pid_t pid;
	int fd;

	pid = start_child();
	start = wf_process_start_time(pid);
	fd = wf_process_open(pid, start);

	TAP_CHECK(start >= wf_process_start_time(getpid()));
	TAP_CHECK(fd >= 0);
	TAP_EQUAL(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	TAP_EQUAL(wf_process_wakes(fd), has_pidfds());
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

/* What others see of it lies at its second thread. */
static void first_thread_ended(void)
{
	pid_t pid = start(live_headless);
	struct stat st;
	int fd = wf_process_open(pid, wf_process_start_time(pid)), handle;

	TAP_CHECK(fd >= 0);
	while (wf_process_thread(pid) == pid)
		sched_yield();
	TAP_CHECK(wf_process_thread(pid) > 0);
	handle = wf_process_look(pid, 2, &st);
	TAP_CHECK(handle >= 0);
	close(handle);
	TAP_CHECK(!wf_process_is_ending(pid));
	TAP_CHECK(!wf_process_ended(fd));
	end_child(pid);
	TAP_CHECK(wf_process_ended(fd));
	TAP_EQUAL(wf_process_thread(pid), 0);
	waitpid(pid, NULL, 0);
	TAP_CHECK(wf_process_ended(fd));
	close(fd);
}

static void other_start_time(void)
{
	uint64_t start = wf_process_start_time(getpid());
	int fd = dup(0);

	close(fd);
	TAP_CHECK(start > 0);
	TAP_EQUAL(wf_process_open(getpid(), start + 2), WEFT_ERR_PEER);
	TAP_EQUAL(dup(0), fd);		/* nothing was left open */
	close(fd);
}

static void no_process(void)
{
	TAP_CHECK(wf_process_open(-1, 1) < 0);
	TAP_EQUAL(wf_process_start_time(-1), 0);
}

/* One descriptor is left: a living process cannot be told from another. */
static void few_descriptors(void)
{
	uint64_t start = wf_process_start_time(getpid());
	struct rlimit old, few;
	int fd = dup(0);

	close(fd);
	TAP_EQUAL(getrlimit(RLIMIT_NOFILE, &old), 0);
	few = old;
	for (int left = 0; left < 2; left++) {
		few.rlim_cur = (rlim_t)fd + (rlim_t)left;
		TAP_EQUAL(setrlimit(RLIMIT_NOFILE, &few), 0);
		TAP_EQUAL(wf_process_open(getpid(), start), WEFT_ERR_NOMEM);
		TAP_EQUAL(errno, EMFILE);
	}
	TAP_EQUAL(setrlimit(RLIMIT_NOFILE, &old), 0);
	TAP_EQUAL(dup(0), fd);		/* nothing was left open */
	close(fd);
}

static int nameless(void)
{
	int fd = memfd_create("process", MFD_CLOEXEC);

	TAP_CHECK(fd >= 0);
	return fd;
}

static void drops_its_file(void)
{
	int fd = nameless(), other = nameless();
	pid_t me = getpid();
	uint64_t file = 0, none = 0;

	TAP_CHECK(!wf_process_has_dropped(me, fd, &file));
	TAP_CHECK(file != 0);
	TAP_CHECK(!wf_process_has_dropped(me, fd, &file));
	/* Its number is given again, for one of the same kind, and another. */
	TAP_EQUAL(dup2(other, fd), fd);
	TAP_CHECK(wf_process_has_dropped(me, fd, &file));
	TAP_CHECK(!wf_process_has_dropped(me, fd, &none));
	TAP_EQUAL(dup2(STDERR_FILENO, fd), fd);
	TAP_CHECK(wf_process_has_dropped(me, fd, &file));
	close(fd);
	TAP_CHECK(wf_process_has_dropped(me, fd, &file));
	TAP_EQUAL(dup(0), fd);		/* nothing was left open */
	close(fd);
	close(other);
}

static void be_another(void)
{
	execlp("sleep", "sleep", "60", (char *)NULL);
	_exit(1);
}

static void execs(void)
{
	int fd = nameless();
	pid_t pid = start(be_another);
	uint64_t file = 0;

	while (!wf_process_has_dropped(pid, fd, &file))
		sched_yield();
	TAP_CHECK(wf_process_thread(pid) == pid);
	end_child(pid);
	/* It does not go on. */
	TAP_CHECK(!wf_process_has_dropped(pid, fd, &file));
	waitpid(pid, NULL, 0);
	TAP_CHECK(!wf_process_has_dropped(pid, fd, &file));
	close(fd);
}

static void goes_on_headless(void)
{
	int fd = nameless();
	pid_t pid = start(live_headless);
	uint64_t file = 0;

	/* Before, meanwhile and behind. */
	while (wf_process_thread(pid) == pid)
		TAP_CHECK(!wf_process_has_dropped(pid, fd, &file));
	TAP_CHECK(!wf_process_has_dropped(pid, fd, &file));
	end_child(pid);
	TAP_CHECK(!wf_process_has_dropped(pid, fd, &file));
	waitpid(pid, NULL, 0);
	close(fd);
}

static void by_directory(void)
{
	no_pidfds = true;
	lives_and_ends();
	first_thread_ended();
	other_start_time();
	few_descriptors();
	no_pidfds = false;
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a child lives, is a zombie, is gone", lives_and_ends },
		{ "a pid given again is another process", other_start_time },
		{ "no such pid", no_process },
		{ "no descriptor for a look", few_descriptors },
		{ "its first thread has ended", first_thread_ended },
		{ "all this without pidfds", by_directory },
		{ "it drops a file", drops_its_file },
		{ "it runs another program", execs },
		{ "it goes on without its first thread", goes_on_headless },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
