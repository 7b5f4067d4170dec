/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank that sees few CPUs is either bound to a part of them, and the others
 * to other parts, or the whole job may use no more.  Launchers bind ranks, not
 * themselves, so the parent of a bound one sees more.
 */
#include "job/crowd.h"

#include <sched.h>
#include <unistd.h>

enum {
	MOST_CPUS = 1 << 18
};

/* The kernel says EINVAL if the mask has fewer bits than its own. */
static int count(pid_t pid)
{
	int n = 0;

	for (int cpus = CPU_SETSIZE; !n && cpus <= MOST_CPUS; cpus *= 4) {
		size_t bytes = CPU_ALLOC_SIZE(cpus);
		cpu_set_t *mask = CPU_ALLOC(cpus);

		if (mask && !sched_getaffinity(pid, bytes, mask))
			n = CPU_COUNT_S(bytes, mask);
		CPU_FREE(mask);
	}
	return n;
}

void wf_crowd_look(struct wf_crowd *crowd)
{
	crowd->own = count(0);
	/* 0 if it is in another PID namespace: then it is this process. */
	crowd->parent = count(getppid());
	crowd->online = (int)sysconf(_SC_NPROCESSORS_ONLN);
}

bool wf_crowd_is_dense(const struct wf_crowd *crowd, int ranks)
{
	int cpus = crowd->own > crowd->parent ? crowd->own : crowd->parent;

	/* Not known; or bound by a launcher that is no parent: who knows. */
	if (cpus <= 1)
		cpus = crowd->online;
	return ranks > cpus || ranks > crowd->online;
}
