/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Test programs that are a job of several ranks.
 *
 * main() begins with ranks_start(): called by hand, by prove or by make check
 * the program starts itself again as a job, under tests/run; in a rank of that
 * job the call returns.
 */
#ifndef WEFT_TESTS_RANKS_H
#define WEFT_TESTS_RANKS_H

#include "tests/find_built.h"

#include <stdio.h>
#include <stdlib.h>

/* Returns in a rank only. The time limit is for the whole job. */
__attribute__((unused))
static void ranks_start(int argc, char **argv, int ranks, int seconds)
{
	char *words[16] = { find_built("tests/run"), "-n", NULL, "--timeout" };
	char numbers[2][20];
	int n = 5;

	if (!getenv("TEST_RANK") && getenv("PMIX_RANK"))
		setenv("TEST_RANK", getenv("PMIX_RANK"), 1);
	if (getenv("TEST_RANK")) {
		free(words[0]);
		return;
	}
	snprintf(numbers[0], sizeof(numbers[0]), "%d", ranks);
	snprintf(numbers[1], sizeof(numbers[1]), "%d", seconds);
	words[2] = numbers[0];
	words[4] = numbers[1];
	/* by its path: in a rank /proc/self/exe is tests/run at first */
	words[n++] = realpath("/proc/self/exe", NULL);
	for (int i = 1; i < argc && n < 15; i++)
		words[n++] = argv[i];
	if (words[0])
		execv(words[0], words);
	perror("tests/run");
	exit(125);
}

#endif
