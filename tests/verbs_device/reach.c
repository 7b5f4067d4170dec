/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Can two processes of this machine, neither the other's child, reach each
 * other's memory as the test device does?  Exit code 0: they can; else standard
 * error says why not.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t word = 1;

/* A child that says that it may be reached, and stays until it need not. */
static pid_t open_one(int *says, int *stays)
{
	char byte = 0;
	pid_t pid = fork();

	if (pid)
		return pid;
	close(stays[1]);
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
	if (write(says[1], &byte, 1) == 1 && read(stays[0], &byte, 1))
		_exit(1);
	_exit(0);
}

static int reach(pid_t pid)
{
	uint64_t found = 2;
	struct iovec to = { &found, sizeof(found) };
	struct iovec at = { &word, sizeof(word) };

	errno = 0;
	if (process_vm_readv(pid, &to, 1, &at, 1, 0) == sizeof(word) &&
	    process_vm_writev(pid, &to, 1, &at, 1, 0) == sizeof(word) &&
	    found == word)
		return 0;
	fprintf(stderr, "processes may not reach each other's memory: %s\n",
		strerror(errno));
	return 1;
}

int main(void)
{
	int says[2], stays[2], status = 1;
	char byte;
	pid_t pid, other;

	if (pipe(says) || pipe(stays))
		return 1;
	pid = open_one(says, stays);
	if (pid < 0 || read(says[0], &byte, 1) != 1)
		return 1;
	other = fork();
	if (!other)
		_exit(reach(pid));
	waitpid(other, &status, 0);
	close(stays[1]);
	waitpid(pid, NULL, 0);
	return status != 0;
}
