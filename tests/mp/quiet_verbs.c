/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The verbs calls of the data path: from the second exchange of a plan on, with
 * a wait that spins, they are ibv_post_send(), ibv_post_srq_recv() and
 * ibv_poll_cq(), and no others: with memory of the arena, or that is
 * registered, or that a persistent request has, and with any memory as far as
 * it is copied.  A wait in which 65536 polls have found nothing may look at the
 * events of the device.
 *
 * The calls of the library come by verbs_calls.c.  Those of libibverbs into the
 * kernel come by here, because the program's functions go before those of libc:
 * any but the posting of a work request is loud.  With Soft-RoCE posting to a
 * send queue is such a call, with a command of its own; polling, and posting to
 * a receive queue, happen in memory.  Run by tests/mp/verbs.t, where there is a
 * device.
 */
#include <rdma/ib_user_verbs.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/mp/quiet_loop.h"
#include "tests/mp/verbs_calls.h"
#include "tests/tap.h"

enum {
	LARGE = 1 << 17,		/* no slot; a device in software is
					 * slow */
	VERBS_CALL = -1,		/* in the place of a system call */
	VAIN = 1 << 16			/* polls, before a look at events */
};

/* By the libraries, too. */
#define SEEN __attribute__((visibility("default")))

static _Atomic bool looks;		/* at events, as it may */

static bool is_post(const void *data, size_t bytes)
{
	const struct ib_uverbs_cmd_hdr *head = data;

	return bytes >= sizeof(*head) &&
	       head->command == IB_USER_VERBS_CMD_POST_SEND;
}

SEEN ssize_t write(int fd, const void *data, size_t bytes)
{
	if (!is_post(data, bytes))
		quiet_heard(SYS_write, NULL);
	return syscall(SYS_write, fd, data, bytes);
}

SEEN ssize_t read(int fd, void *data, size_t bytes)
{
	if (!atomic_exchange(&looks, false))
		quiet_heard(SYS_read, NULL);
	return syscall(SYS_read, fd, data, bytes);
}

SEEN int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	quiet_heard(SYS_ioctl, NULL);
	return (int)syscall(SYS_ioctl, fd, request, arg);
}

/* A wait that finds nothing for long asks whether its device has failed. */
void verbs_calls_other(const char *name)
{
	looks = !strcmp(name, "ibv_get_async_event") &&
		verbs_calls.vain >= VAIN;
	if (looks)
		verbs_calls.vain = 0;
	else
		quiet_heard(VERBS_CALL, name);
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
	TAP_EQUAL(quiet_watch.first_call, VERBS_CALL);
	s.once = nothing;
	if (quiet_listen(&s, &v))
		TAP_EQUAL(v.loud, 0);
}

/* All calls are its business, in whichever thread. */
static int begin(void)
{
	return 0;
}

struct quiet_watch quiet_watch = { .begin = begin, .registers = true };

int main(int argc, char **argv)
{
	int result = quiet_main(argc, argv, loud_ones_are_seen, LARGE);

	if (verbs_calls.sends && verbs_calls.receives && verbs_calls.polls)
		return result;
	tap_diag("no calls were seen that exchanges are made of");
	return 1;
}
