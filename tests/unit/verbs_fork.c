/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A child keeps nothing of a device by which its parent would seem to live: no
 * descriptor, and nothing that is mapped by one.  A file takes the place of
 * that of the device.
 */
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/tap.h"
#include "tests/unit/verbs_made.h"

enum { PIECES = 40, PAGE = 4096 };	/* their lines are longer than a page */

static struct ibv_comp_channel channel;
static char *piece[PIECES], *other;

static int make_file(void)
{
	int fd = memfd_create("device", 0);

	TAP_CHECK(fd >= 0);
	TAP_EQUAL(ftruncate(fd, 2 * PIECES * PAGE), 0);
	return fd;
}

static char *map(int fd, int page)
{
	void *at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			(off_t)page * PAGE);

	TAP_CHECK(at != MAP_FAILED);
	return at;
}

static bool is_mapped(char *at)
{
	unsigned char there;

	return !mincore(at, PAGE, &there);
}

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

/* What the child finds, as its exit code. */
static int look(int others)
{
	int held = is_open(made.context.cmd_fd) +
		   is_open(made.context.async_fd) + is_open(channel.fd);

	for (int i = 0; i < PIECES; i++)
		held += is_mapped(piece[i]);
	if (!is_open(others) || !is_mapped(other))
		return 100;
	return held;
}

static int held_by_child(int others)
{
	pid_t pid = fork();
	int status = -1;

	if (!pid)
		_exit(look(others));
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 200;
}

static void nothing_is_kept(void)
{
	int others = make_file();

	verbs_made_open();
	made.context.cmd_fd = make_file();
	made.context.async_fd = eventfd(0, 0);
	channel.fd = eventfd(0, 0);
	made.dev.channel = &channel;
	for (int i = 0; i < PIECES; i++)
		piece[i] = map(made.context.cmd_fd, 2 * i);
	other = map(others, 0);
	TAP_EQUAL(held_by_child(others), 3 + PIECES);
	wf_forked_hold();
	wf_verbs_guard(&made.dev);
	wf_forked_let_go();
	TAP_EQUAL(held_by_child(others), 0);
	TAP_CHECK(is_open(channel.fd) && is_mapped(piece[0]));
	wf_verbs_unguard(&made.dev);
	TAP_EQUAL(held_by_child(others), 3 + PIECES);
	for (int i = 0; i < PIECES; i++)
		munmap(piece[i], PAGE);
	munmap(other, PAGE);
	close(others);
	close(made.context.cmd_fd);
	close(made.context.async_fd);
	close(channel.fd);
	verbs_made_close();
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "nothing of the device is kept", nothing_is_kept }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
