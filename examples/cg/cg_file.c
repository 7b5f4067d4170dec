/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads whole files for the readers of formats.  Refuses what is no regular
 * file before reading, so that a pipe or a device never makes a job wait.
 */
#include "cg_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* All bytes of the file and a NUL behind them. */
static int read_all(int fd, size_t size, char **text_p, struct cg_why *why)
{
	char *text = malloc(size + 1);
	size_t done = 0;
	ssize_t n;

	if (!text)
		return cg_fail_memory(why, "the text of the file");
	while (done < size) {
		n = read(fd, text + done, size - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			cg_fail(why, "reading: %s", n < 0 ? strerror(errno) :
				"the file became shorter");
			free(text);
			return -1;
		}
		done += (size_t)n;
	}
	text[size] = '\0';
	*text_p = text;
	return 0;
}

int cg_file_read(const char *path, char **text_p, size_t *size_p,
		 struct cg_why *why)
{
	struct stat st;
	int fd, status = -1;

	/* Without O_NONBLOCK the open of a pipe would wait for a writer. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return cg_fail(why, "%s", strerror(errno));
	if (fstat(fd, &st))
		cg_fail(why, "%s", strerror(errno));
	else if (S_ISDIR(st.st_mode))
		cg_fail(why, "is a directory");
	else if (!S_ISREG(st.st_mode))
		cg_fail(why, "is no regular file");
	else
		status = read_all(fd, (size_t)st.st_size, text_p, why);
	*size_p = status ? 0 : (size_t)st.st_size;
	close(fd);
	return status;
}
