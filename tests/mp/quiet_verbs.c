/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The verbs calls of the data path: from the second exchange of a plan on, with
 * memory of the arena and a wait that spins, work requests are posted and
 * completions polled, and nothing else is asked of the device.
 *
 * The calls of libibverbs into the kernel come by here, because the program's
 * functions go before those of libc: any but the posting of a work request is
 * loud.  With Soft-RoCE posting to a send queue is such a call, with a command
 * of its own; polling, and posting to a receive queue, happen in memory.
 * Run by tests/mp/verbs.t, where there is a device.
 */
#include <rdma/ib_user_verbs.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/mp/quiet_loop.h"
#include "tests/tap.h"

enum {
	LARGE = 1 << 16			/* a device in software is slow */
};

/* By the libraries, too. */
#define SEEN __attribute__((visibility("default")))

static _Atomic long posts;

static bool is_post(const void *data, size_t bytes)
{
	const struct ib_uverbs_cmd_hdr *head = data;

	return bytes >= sizeof(*head) &&
	       head->command == IB_USER_VERBS_CMD_POST_SEND;
}

SEEN ssize_t write(int fd, const void *data, size_t bytes)
{
	if (is_post(data, bytes))
		posts++;
	else
		quiet_heard(SYS_write);
	return syscall(SYS_write, fd, data, bytes);
}

SEEN ssize_t read(int fd, void *data, size_t bytes)
{
	quiet_heard(SYS_read);
	return syscall(SYS_read, fd, data, bytes);
}

SEEN int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	quiet_heard(SYS_ioctl);
	return (int)syscall(SYS_ioctl, fd, request, arg);
}

static int registers(struct quiet_scene *s)
{
	static char memory[4096];
	struct weft_mem *mem;
	int status = weft_mem_register(quiet_job(), memory, s->bytes, &mem);

	if (!status)
		weft_mem_unregister(&mem);
	return status;
}

static int nothing(struct quiet_scene *s)
{
	(void)s;
	return WEFT_OK;
}

static void loud_ones_are_seen(void)
{
	struct quiet_scene s = { .once = registers, .bytes = 4096,
				 .times = 3 };
	struct quiet_verdict v;

	if (!quiet_listen(&s, &v))
		return;
	TAP_EQUAL(v.failed, 0);
	TAP_EQUAL(v.loud, v.judged);
	s.once = nothing;
	if (quiet_listen(&s, &v))
		TAP_EQUAL(v.loud, 0);
}

/* All calls are its business, in whichever thread. */
static int begin(void)
{
	return 0;
}

struct quiet_watch quiet_watch = { .begin = begin };

int main(int argc, char **argv)
{
	int result = quiet_main(argc, argv, loud_ones_are_seen, LARGE);

	return posts ? result : 1;
}
