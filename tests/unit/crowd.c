/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When a node counts as crowded: bound ranks, and jobs that may use a part of
 * the CPUs only.
 */
#include "job/crowd.h"

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/tap.h"

static void table(void)
{
	static const struct {
		struct wf_crowd crowd;
		int ranks;
		bool dense;
	} row[] = {
		/* nobody is bound */
		{ { 8, 8, 8 }, 8, false },
		{ { 8, 8, 8 }, 9, true },
		/* to a core of two threads, to a NUMA node */
		{ { 2, 64, 64 }, 32, false },
		{ { 32, 64, 64 }, 64, false },
		{ { 32, 64, 64 }, 65, true },
		/* to a CPU each */
		{ { 1, 8, 8 }, 8, false },
		{ { 1, 8, 8 }, 9, true },
		/* the same, behind a shell */
		{ { 1, 1, 8 }, 8, false },
		/* the job has two of them, as in a container */
		{ { 2, 2, 64 }, 2, false },
		{ { 2, 2, 64 }, 4, true },
		/* the system does not tell */
		{ { 0, 0, 8 }, 8, false },
		{ { 0, 0, 8 }, 9, true },
		{ { 4, 0, 8 }, 4, false },
		{ { 1, 1, 1 }, 2, true },
	};

	for (int i = 0; i < TAP_COUNT(row); i++)
		if (!TAP_EQUAL(wf_crowd_is_dense(&row[i].crowd, row[i].ranks),
			       row[i].dense))
			tap_diag("row %d", i);
}

/* A child that is bound sees itself and its parent. */
static int look_as_child(void)
{
	struct wf_crowd crowd;
	cpu_set_t mask;
	int all, first = 0;

	if (sched_getaffinity(0, sizeof(mask), &mask))
		return 1;
	all = CPU_COUNT(&mask);
	while (!CPU_ISSET(first, &mask))
		first++;
	CPU_ZERO(&mask);
	CPU_SET(first, &mask);
	if (sched_setaffinity(0, sizeof(mask), &mask))
		return 2;
	wf_crowd_look(&crowd);
	if (crowd.own != 1)
		return 3;
	if (crowd.parent != all)
		return 4;
	return crowd.online >= all ? 0 : 5;
}

static void bound(void)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		_exit(look_as_child());
	TAP_EQUAL(waitpid(pid, &status, 0), pid);
	TAP_EQUAL(status, 0);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "table", table },
		{ "a bound child", bound },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
