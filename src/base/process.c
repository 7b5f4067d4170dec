/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Life of processes by /proc and pidfds; nothing is kept here.
 */
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <weft/status.h>
#include "base/descriptor.h"

enum {
	STAT_FLAGS = 9,		/* fields of /proc/PID/stat, from 1 */
	STAT_START = 22,
	EXITING = 4		/* of the kernel's flags: PF_EXITING */
};

bool wf_process_read(const char *path, char *text, size_t bytes)
{
	int fd = wf_fd_above(open(path, O_RDONLY | O_CLOEXEC));
	ssize_t n;

	if (fd < 0)
		return false;
	do
		n = read(fd, text, bytes - 1);
	while (n < 0 && errno == EINTR);
	close(fd);
	if (n <= 0)
		return false;
	text[n] = 0;
	return true;
}

/* 0: there is no such process, too. */
static uint64_t stat_field(pid_t pid, int wanted)
{
	char path[32], text[1024];
	char *at;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (!wf_process_read(path, text, sizeof(text)))
		return 0;
	/* The name, field 2, is in brackets and may hold any character. */
	at = strrchr(text, ')');
	for (int field = 2; at && field < wanted; field++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at, NULL, 10) : 0;
}

uint64_t wf_process_start_time(pid_t pid)
{
	return stat_field(pid, STAT_START);
}

bool wf_process_is_ending(pid_t pid)
{
	return stat_field(pid, STAT_FLAGS) & EXITING;
}

int wf_process_open(pid_t pid, uint64_t start_time)
{
	int fd = wf_fd_above((int)syscall(SYS_pidfd_open, pid, 0)), status;
	uint64_t start;

	if (fd < 0)
		return errno == ESRCH ? WEFT_ERR_PEER : WEFT_ERR_DEVICE;
	/*
	 * Compared after opening: from now on the pidfd means one process, so
	 * if the pid has the right start time it is the right one.
	 */
	start = wf_process_start_time(pid);
	if (start == start_time)
		return fd;
	/* 0: it has ended, or we cannot read (no descriptor is left). */
	status = start || wf_process_ended(fd) ? WEFT_ERR_PEER :
						 WEFT_ERR_DEVICE;
	close(fd);
	return status;
}

bool wf_process_ended(int pidfd)
{
	struct pollfd p = { .fd = pidfd, .events = POLLIN };

	return poll(&p, 1, 0) == 1 && (p.revents & POLLIN);
}

int wf_process_look(pid_t pid, int fd, struct stat *st_p)
{
	char path[48];
	int handle;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, fd);
	handle = wf_fd_above(open(path, O_PATH | O_CLOEXEC));
	if (handle >= 0 && fstat(handle, st_p)) {
		close(handle);
		return -1;
	}
	return handle;
}

int wf_process_reopen(int handle)
{
	char path[48];
	int fd, saved;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", handle);
	fd = wf_fd_above(open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC |
			      O_NOCTTY));
	saved = errno;
	close(handle);
	errno = saved;
	return fd;
}
