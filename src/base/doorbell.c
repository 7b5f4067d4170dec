/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Doorbells are pipes, not eventfds: those cannot be opened through /proc.
 * What is in one says only that somebody rang; a full one says so as well.
 */
#include "base/doorbell.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <weft/status.h>
#include "base/process.h"

int wf_doorbell_open(struct wf_doorbell *bell)
{
	struct stat st;
	int ends[2];

	bell->fd = -1;
	bell->id = 0;
	if (pipe2(ends, O_NONBLOCK | O_CLOEXEC))
		return WEFT_ERR_DEVICE;
	bell->fd = wf_process_reopen(ends[0]);
	close(ends[1]);
	if (bell->fd < 0 || fstat(bell->fd, &st))
		return WEFT_ERR_DEVICE;
	bell->id = st.st_ino;
	return WEFT_OK;
}

void wf_doorbell_close(struct wf_doorbell *bell)
{
	if (bell->fd >= 0)
		close(bell->fd);
	bell->fd = -1;
}

int wf_doorbell_reach(pid_t pid, int fd, uint64_t id)
{
	struct stat st;
	int handle = wf_process_look(pid, fd, &st), own;

	if (handle < 0)
		return WEFT_ERR_DEVICE;
	if (!S_ISFIFO(st.st_mode) || st.st_ino != id) {
		close(handle);
		return WEFT_ERR_DEVICE;
	}
	own = wf_process_reopen(handle);
	return own < 0 ? WEFT_ERR_DEVICE : own;
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
