/* SPDX-License-Identifier: BSD-3-Clause */
/* Which numbers descriptors have; whoever opens one calls wf_fd_above(). */
#include "base/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int wf_fd_above(int fd)
{
	int moved, saved;

	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	saved = errno;
	close(fd);
	errno = saved;
	return moved;
}

/* The lowest number is taken, so the loop ends behind the three. */
void wf_fd_hold_standard(void)
{
	int fd;

	do
		fd = open("/", O_PATH | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

int wf_fd_lack(int n)
{
	int fd = n ? open("/", O_PATH | O_CLOEXEC) : -1, lack;

	if (fd < 0)
		return n ? errno : 0;
	lack = wf_fd_lack(n - 1);
	close(fd);
	return lack;
}
