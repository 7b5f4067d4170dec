/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank of exchanges of drawn Dists between processes, against a serial
 * model; dist.t starts it.
 *
 *     dist_rank SEED PATTERNS
 *
 * Exit code 1 if anything was wrong at this rank.
 */
#include <stdio.h>
#include <stdlib.h>
#include "tests/coll/dist_play.h"

struct end {
	int me, failures;
};

static void report(void *arg, const char *text)
{
	struct end *end = arg;

	printf("# rank %d: %s\n", end->me, text);
	fflush(stdout);
	end->failures++;
}

int main(int argc, char **argv)
{
	struct end end = { 0, 0 };
	struct dist_play play = { .fail = report, .arg = &end };
	uint64_t seed;
	int n;

	if (argc != 3 || weft_job_open(NULL, &play.job))
		return 2;
	seed = strtoull(argv[1], NULL, 10);
	n = atoi(argv[2]);
	play.comm = weft_job_world(play.job);
	play.me = end.me = weft_job_rank(play.job);
	for (int i = 0; i < n; i++)
		dist_play(&play, seed + (uint64_t)i);
	if (weft_job_close(play.job))
		report(&end, "close");
	return end.failures > 0;
}
