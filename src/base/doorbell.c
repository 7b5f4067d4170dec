/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Doorbells are pipes, not eventfds: those cannot be opened through /proc.
 * What is in one says only that somebody rang; a full one says so as well.
 */
#include "base/doorbell.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <weft/status.h>

/* The pipe behind a path of /proc, for both directions; -1: there is none. */
static int open_pipe(const char *path, uint64_t *id_p)
{
	int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	struct stat st;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && S_ISFIFO(st.st_mode)) {
		*id_p = st.st_ino;
		return fd;
	}
	close(fd);
	return -1;
}

int wf_doorbell_open(struct wf_doorbell *bell)
{
	char path[48];
	int ends[2];

	bell->fd = -1;
	bell->id = 0;
	if (pipe2(ends, O_NONBLOCK | O_CLOEXEC))
		return WEFT_ERR_DEVICE;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
	bell->fd = open_pipe(path, &bell->id);
	close(ends[0]);
	close(ends[1]);
	return bell->fd < 0 ? WEFT_ERR_DEVICE : WEFT_OK;
}

void wf_doorbell_close(struct wf_doorbell *bell)
{
	if (bell->fd >= 0)
		close(bell->fd);
	bell->fd = -1;
}

int wf_doorbell_reach(pid_t pid, int fd, uint64_t id)
{
	char path[48];
	uint64_t there = 0;
	int own;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, fd);
	own = open_pipe(path, &there);
	if (own >= 0 && there == id)
		return own;
	if (own >= 0)
		close(own);
	return WEFT_ERR_DEVICE;
}

void wf_doorbell_ring(int fd)
{
	int saved = errno;

	/* Full: it rings already. */
	while (write(fd, "", 1) < 0 && errno == EINTR)
		;
	errno = saved;
}

void wf_doorbell_drain(int fd)
{
	char bytes[64];
	ssize_t n;

	do
		n = read(fd, bytes, sizeof(bytes));
	while (n == (ssize_t)sizeof(bytes) || (n < 0 && errno == EINTR));
}
