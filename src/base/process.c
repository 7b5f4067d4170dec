/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Life of processes by /proc and pidfds; nothing is kept here.
 *
 * A process may live without its first thread, by whose number it is known: its
 * memory and its descriptors are found at another one then.
 */
#include "base/process.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <weft/status.h>
#include "base/descriptor.h"
#include "base/lack.h"

enum {
	EXITING = 4		/* of the kernel's flags: PF_EXITING */
};

/* What /proc/PID/stat tells. */
struct life {
	char state;
	uint64_t flags;
	uint64_t threads;	/* the first one counts until it is reaped */
	uint64_t start;
};

/* Closes fd; false: there is nothing to be read, errno says why. */
static bool read_text(int fd, char *text, size_t bytes)
{
	ssize_t n;
	int saved;

	if (fd < 0)
		return false;
	do
		n = read(fd, text, bytes - 1);
	while (n < 0 && errno == EINTR);
	saved = n ? errno : ENODATA;
	close(fd);
	errno = saved;
	if (n <= 0)
		return false;
	text[n] = 0;
	return true;
}

bool wf_process_read(const char *path, char *text, size_t bytes)
{
	return read_text(wf_fd_above(open(path, O_RDONLY | O_CLOEXEC)), text,
			 bytes);
}

/* Closes fd, of such a file; false, too, if errno was none. */
static bool read_life(int fd, struct life *life_p)
{
	char text[1024];
	const char *at;

	if (!read_text(fd, text, sizeof(text)))
		return false;
	errno = ENODATA;
	/* The name, field 2, is in brackets and may hold any character. */
	at = strrchr(text, ')');
	return at && sscanf(at + 1, " %c %*s %*s %*s %*s %*s %" SCNu64
			    " %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %" SCNu64
			    " %*s %" SCNu64, &life_p->state, &life_p->flags,
			    &life_p->threads, &life_p->start) == 4;
}

static bool look_at(pid_t pid, struct life *life_p)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	return read_life(wf_fd_above(open(path, O_RDONLY | O_CLOEXEC)),
			 life_p);
}

/* The time namespace of our children is another one than ours. */
static bool is_between_times(void)
{
	struct stat ours, theirs;

	return !stat("/proc/self/ns/time", &ours) &&
	       !stat("/proc/self/ns/time_for_children", &theirs) &&
	       ours.st_ino != theirs.st_ino;
}

/*
 * The first one of all has a number of its own, and adds nothing.  The file of
 * what is added cannot be read once the first thread of a process has ended.
 */
static bool is_in_first_time(void)
{
	char name[32] = "";

	return readlink("/proc/thread-self/ns/time", name,
			sizeof(name) - 1) > 0 &&
	       !strcmp(name, "time:[4026531834]");
}

/*
 * The kernel adds so many ticks to what it shows us: those of our time
 * namespace.  False: what it tells is not of that one.
 */
static bool read_shift(int64_t *ticks_p)
{
	static const char path[] = "/proc/self/timens_offsets";
	long long s, ns, hz = sysconf(_SC_CLK_TCK);
	const char *at;
	char text[256];

	*ticks_p = 0;
	if (access(path, F_OK))
		return true;	/* there are no time namespaces */
	if (!wf_process_read(path, text, sizeof(text)))
		return is_in_first_time();
	at = strstr(text, "boottime");
	if (!at || sscanf(at, "boottime %lld %lld", &s, &ns) != 2 ||
	    is_between_times())
		return false;
	*ticks_p = s * hz + ns * hz / 1000000000;
	return true;
}

uint64_t wf_process_start_time(pid_t pid)
{
	struct life life;
	int64_t shift;

	return look_at(pid, &life) && read_shift(&shift) ?
	       life.start - (uint64_t)shift : 0;
}

bool wf_process_sees_own(void)
{
	char text[16] = "";

	return readlink("/proc/self", text, sizeof(text) - 1) > 0 &&
	       strtol(text, NULL, 10) == getpid();
}

bool wf_process_is_ending(pid_t pid)
{
	struct life life;

	return look_at(pid, &life) && (life.flags & EXITING) &&
	       life.threads <= 1;
}

static bool runs(pid_t thread)
{
	struct life life;

	return look_at(thread, &life) && !(life.flags & EXITING);
}

static pid_t first_that_runs(DIR *threads)
{
	struct dirent *at;

	while ((at = readdir(threads)))
		if (isdigit((unsigned char)at->d_name[0]) &&
		    runs((pid_t)atoi(at->d_name)))
			return (pid_t)atoi(at->d_name);
	return 0;
}

pid_t wf_process_thread(pid_t pid)
{
	char path[32];
	DIR *threads;
	pid_t found;
	int fd;

	if (runs(pid))
		return pid;
	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	fd = wf_fd_above(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	threads = fd < 0 ? NULL : fdopendir(fd);
	if (!threads) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	found = first_that_runs(threads);
	closedir(threads);
	return found;
}

/*
 * A pidfd; where the kernel, or a sandbox, has none, the process's directory,
 * which is never that of another one with its pid.
 */
static int open_handle(pid_t pid)
{
	int fd = wf_fd_above((int)syscall(SYS_pidfd_open, pid, 0));
	char path[32];

	if (fd >= 0 || (errno != ENOSYS && errno != EPERM && errno != EACCES))
		return fd;
	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	fd = wf_fd_above(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	if (fd < 0 && errno == ENOENT)
		errno = ESRCH;
	return fd;
}

/* Another time namespace may round otherwise; a pid returns later than that. */
static bool is_same_time(uint64_t a, uint64_t b)
{
	return a - b + 1 <= 2;
}

static int status_of(int error)
{
	if (error == ESRCH)
		return WEFT_ERR_PEER;
	return wf_lack_is(error) ? WEFT_ERR_NOMEM : WEFT_ERR_DEVICE;
}

int wf_process_open(pid_t pid, uint64_t start_time)
{
	int fd = open_handle(pid), error;
	uint64_t start;

	if (fd < 0)
		return status_of(errno);
	errno = ENODATA;
	/*
	 * Compared after opening: from now on the handle means one process, so
	 * if the pid has the right start time it is the right one.
	 */
	start = wf_process_start_time(pid);
	if (start && is_same_time(start, start_time))
		return fd;
	/* 0: it has ended, or we cannot read (no descriptor is left). */
	error = errno;
	if (start || wf_process_ended(fd))
		error = ESRCH;
	close(fd);
	errno = error;
	return status_of(error);
}

/* For poll() a directory can always be read, and written, too; a pidfd not. */
static short events_of(int handle)
{
	struct pollfd p = { .fd = handle, .events = POLLIN | POLLOUT };

	return poll(&p, 1, 0) == 1 ? p.revents : 0;
}

static bool has_ended(int directory)
{
	int fd = wf_fd_above(openat(directory, "stat", O_RDONLY | O_CLOEXEC));
	struct life life;

	if (read_life(fd, &life))
		return (life.state == 'Z' || life.state == 'X') &&
		       life.threads <= 1;
	return errno == ENOENT || errno == ESRCH;
}

bool wf_process_ended(int handle)
{
	short events = events_of(handle);

	return events & POLLOUT ? has_ended(handle) : events & POLLIN;
}

bool wf_process_wakes(int handle)
{
	return !(events_of(handle) & POLLOUT);
}

static int look_for(pid_t thread, int fd)
{
	char path[48];

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)thread, fd);
	return wf_fd_above(open(path, O_PATH | O_CLOEXEC));
}

int wf_process_look(pid_t pid, int fd, struct stat *st_p)
{
	int handle = look_for(pid, fd), saved = errno;
	pid_t thread = pid;

	/* Behind an ended first thread the directory is root's, and empty. */
	if (handle < 0 && (saved == ENOENT || saved == EACCES))
		thread = wf_process_thread(pid);
	if (thread != pid)
		handle = look_for(thread, fd);
	else
		errno = saved;
	if (handle >= 0 && fstat(handle, st_p)) {
		close(handle);
		return -1;
	}
	return handle;
}

/* Behind the look the thread still runs: so it had its descriptors then. */
static bool has_nothing(pid_t pid, int fd)
{
	pid_t thread = wf_process_thread(pid);
	int handle = thread ? look_for(thread, fd) : -1;

	if (handle >= 0)
		close(handle);
	return thread && handle < 0 && errno == ENOENT && runs(thread);
}

bool wf_process_has_dropped(pid_t pid, int fd, uint64_t *file)
{
	struct stat st;
	int handle = wf_process_look(pid, fd, &st);

	if (handle < 0)
		return errno == ENOENT && has_nothing(pid, fd);
	close(handle);
	if (!S_ISREG(st.st_mode) || st.st_nlink)
		return true;
	if (!*file)
		*file = st.st_ino;
	return st.st_ino != *file;
}

int wf_process_reopen(int handle)
{
	char path[48];
	int fd, saved;

	snprintf(path, sizeof(path), "/proc/thread-self/fd/%d", handle);
	fd = wf_fd_above(open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC |
			      O_NOCTTY));
	saved = errno;
	close(handle);
	errno = saved;
	return fd;
}
