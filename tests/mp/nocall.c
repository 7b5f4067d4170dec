/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Starts a program without some system calls, as old kernels and sandboxes do;
 * tests/mp/sandbox.t uses it.
 *
 *     nocall ERRNO NAME[,NAME...] PROGRAM [ARGUMENT...]
 *
 * Each call of these names fails with that number from then on.  wipeonfork is
 * madvise() with MADV_WIPEONFORK alone.  Exit code 77: there are no filters.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	MOST = 64,
	LOW_HALF = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0
};

static const struct call {
	const char *name;
	uint32_t number;
	uint32_t third;			/* argument; 0: any */
} calls[] = {
	{ "membarrier", SYS_membarrier, 0 },
	{ "memfd_create", SYS_memfd_create, 0 },
	{ "pidfd_open", SYS_pidfd_open, 0 },
	{ "process_vm_readv", SYS_process_vm_readv, 0 },
	{ "process_vm_writev", SYS_process_vm_writev, 0 },
	{ "wipeonfork", SYS_madvise, MADV_WIPEONFORK },
};

static struct sock_filter filter[MOST];
static unsigned short n;

static void add(uint16_t code, uint32_t k, uint8_t skipped)
{
	if (n < MOST)
		filter[n++] = (struct sock_filter){ code, 0, skipped, k };
}

/* What is there is compared with value; if it differs so many are skipped. */
static void compare(size_t at, uint32_t value, uint8_t skipped)
{
	add(BPF_LD | BPF_W | BPF_ABS, (uint32_t)at, 0);
	add(BPF_JMP | BPF_JEQ | BPF_K, value, skipped);
}

static void refuse(const struct call *call, uint32_t error)
{
	compare(offsetof(struct seccomp_data, nr), call->number,
		call->third ? 3 : 1);
	if (call->third)
		compare(offsetof(struct seccomp_data, args[2]) + LOW_HALF,
			call->third, 1);
	add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error, 0);
}

static void refuse_named(const char *name, uint32_t error)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (!strcmp(calls[i].name, name)) {
			refuse(&calls[i], error);
			return;
		}
	fprintf(stderr, "nocall: %s is not known\n", name);
	exit(2);
}

static void install(void)
{
	struct sock_fprog program = { n, filter };

	if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	    !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return;
	perror("nocall: seccomp");
	exit(77);
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	for (char *name = strtok(argv[2], ","); name; name = strtok(NULL, ","))
		refuse_named(name, (uint32_t)atoi(argv[1]));
	add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0);
	install();
	execvp(argv[3], argv + 3);
	perror(argv[3]);
	return 2;
}
