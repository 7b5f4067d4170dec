/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locked memory: what a limit allows, and the remedies that are told.
 */
#include "transport/memlock.h"

#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/tap.h"

enum {
	LIMIT = 64 << 10
};

static bool set_limit(rlim_t bytes)
{
	struct rlimit limit;

	if (!TAP_EQUAL(getrlimit(RLIMIT_MEMLOCK, &limit), 0))
		return false;
	limit.rlim_cur = bytes;
	if (!setrlimit(RLIMIT_MEMLOCK, &limit))
		return true;
	tap_skip("this user may not set a limit of locked memory");
	return false;
}

/* To the effective ones, if it is permitted. */
static bool set_privilege(bool has)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	TAP_EQUAL(syscall(SYS_capget, &head, data), 0);
	data[0].effective &= ~CAP_TO_MASK(CAP_IPC_LOCK);
	if (has)
		data[0].effective |= CAP_TO_MASK(CAP_IPC_LOCK);
	return !syscall(SYS_capset, &head, data);
}

static void up_to_the_limit(void)
{
	TAP_CHECK(set_privilege(false));
	if (!set_limit(LIMIT))
		return;
	TAP_CHECK(wf_memlock_allows(LIMIT));
	TAP_CHECK(!wf_memlock_allows(LIMIT + 1));
}

static void privileged(void)
{
	if (!set_limit(LIMIT))
		return;
	if (!set_privilege(true)) {
		tap_skip("this user lacks CAP_IPC_LOCK");
		return;
	}
	TAP_CHECK(wf_memlock_allows(LIMIT + 1));
	TAP_CHECK(set_privilege(false));
}

static void remedies(void)
{
	static const char *const each[] = {
		"; this process may lock 64 KiB: ",
		"in a shell: ulimit -l unlimited;",
		"LimitMEMLOCK=infinity for slurmd.service or sshd.service;",
		"PropagateResourceLimitsExcept=MEMLOCK in slurm.conf)"
	};
	char text[480] = "no memory";

	if (!set_limit(LIMIT))
		return;
	wf_memlock_tell(text, sizeof(text));
	TAP_CHECK(!strncmp(text, "no memory;", 10));
	for (int i = 0; i < TAP_COUNT(each); i++)
		if (!TAP_CHECK(strstr(text, each[i])))
			tap_diag("\"%s\" lacks \"%s\"", text, each[i]);
}

static void unlimited(void)
{
	char text[480] = "no memory";

	if (!set_limit(RLIM_INFINITY))
		return;
	wf_memlock_tell(text, sizeof(text));
	TAP_CHECK(!strcmp(text, "no memory"));
	TAP_CHECK(wf_memlock_allows(UINT64_MAX));
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "up to the limit", up_to_the_limit },
		{ "privileged beyond it", privileged },
		{ "each remedy is told", remedies },
		{ "without a limit", unlimited }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
