/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The child of a fork.  The kernel ends the queue pairs of a process when
 * nobody holds the files of the device any more that were opened for them.  A
 * child holds copies of the descriptors and of what is mapped by them, and the
 * adapter would answer for a parent that is dead.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "base/descriptor.h"
#include "transport/verbs/verbs.h"

enum {
	TEXT = 4096		/* bytes of the table of mappings, at a time */
};

/* A mapping of a process, as its table in /proc tells. */
struct mapping {
	uintptr_t from, to;
	dev_t device;
	ino_t inode;
};

/* "7f00-7f01 rw-s 00000000 00:06 123  /dev/..." */
static bool parse(const char *line, struct mapping *m)
{
	char *at;
	unsigned high;

	m->from = (uintptr_t)strtoull(line, &at, 16);
	if (*at++ != '-')
		return false;
	m->to = (uintptr_t)strtoull(at, &at, 16);
	/* the rights, and the offset */
	for (int words = 0; words < 2; words++) {
		at += strspn(at, " ");
		at += strcspn(at, " ");
	}
	high = (unsigned)strtoul(at, &at, 16);
	if (*at++ != ':')
		return false;
	m->device = makedev(high, (unsigned)strtoul(at, &at, 16));
	m->inode = (ino_t)strtoull(at, NULL, 10);
	return true;
}

static void unmap_line(const char *line, const struct stat *file)
{
	struct mapping m;

	if (parse(line, &m) && m.device == file->st_dev &&
	    m.inode == file->st_ino)
		munmap((void *)m.from, m.to - m.from);
}

/* All lines that end in the text; where the rest of it begins. */
static size_t unmap_lines(char *text, const struct stat *file)
{
	char *line = text, *end;

	for (; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		unmap_line(line, file);
	}
	return (size_t)(line - text);
}

/* Nothing is allocated: another thread may have held the lock of the heap. */
static void unmap_all(const struct stat *file)
{
	int fd = wf_fd_above(open("/proc/self/maps", O_RDONLY | O_CLOEXEC));
	char text[TEXT + 1];
	size_t n = 0, used;
	ssize_t more;

	if (fd < 0)
		return;
	while (n < TEXT && (more = read(fd, text + n, TEXT - n)) > 0) {
		n += (size_t)more;
		text[n] = '\0';
		used = unmap_lines(text, file);
		n -= used;
		memmove(text, text + used, n);
	}
	close(fd);
}

void wf_verbs_close_in_child(const struct ibv_context *context)
{
	struct stat file;

	if (!fstat(context->cmd_fd, &file))
		unmap_all(&file);
	if (context->async_fd >= 0)
		close(context->async_fd);
	if (context->cmd_fd >= 0)
		close(context->cmd_fd);
}

static void close_in_child(struct wf_forked *forked)
{
	struct wf_verbs *dev = wf_container(forked, struct wf_verbs, forked);

	if (dev->channel)
		close(dev->channel->fd);
	wf_verbs_close_in_child(dev->port.context);
}

void wf_verbs_guard(struct wf_verbs *dev)
{
	wf_forked_init(&dev->forked, close_in_child);
	wf_forked_guard(&dev->forked);
}

void wf_verbs_unguard(struct wf_verbs *dev)
{
	wf_forked_hold();
	wf_forked_unguard(&dev->forked);
	wf_forked_let_go();
}
