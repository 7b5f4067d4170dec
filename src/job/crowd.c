/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank that sees few CPUs is either bound to a part of them, and the others
 * to other parts, or the whole job may use no more.  Launchers bind ranks, not
 * themselves, so the parent of a bound one sees more.
 */
#include "job/crowd.h"

#include <sched.h>
#include <unistd.h>

static int count(pid_t pid)
{
	cpu_set_t mask;

	return sched_getaffinity(pid, sizeof(mask), &mask) ? 0 :
							     CPU_COUNT(&mask);
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

	/* Bound by a launcher that is no parent, behind a shell: who knows. */
	if (cpus == 1)
		cpus = crowd->online;
	return ranks > cpus || ranks > crowd->online;
}
