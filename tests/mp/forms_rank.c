/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank of the random programs of collectives in real processes; forms.t
 * starts them.
 *
 *     forms_rank SEED SEEDS   the programs of so many seeds, one by one
 *
 * Exit code 1 if anything was wrong at this rank.
 */
#include <stdio.h>
#include <stdlib.h>
#include "tests/coll/play_coll.h"

int main(int argc, char **argv)
{
	struct play_coll play = { .deeds = 60, .most = 20000 };
	struct weft_job *job;
	int status;

	if (argc != 3) {
		fprintf(stderr, "usage: forms_rank SEED SEEDS\n");
		return 2;
	}
	status = weft_job_open(NULL, &job);
	if (status) {
		printf("# open: %s\n", weft_status_name(status));
		return 1;
	}
	play.comm = weft_job_world(job);
	play.seed = strtoull(argv[1], NULL, 10);
	for (long k = atol(argv[2]); k > 0 && !play.why[0]; k--, play.seed++)
		play_coll(&play);
	if (play.why[0]) {
		printf("# seed %llu: %s\n", (unsigned long long)play.seed - 1,
		       play.why);
		fflush(stdout);
		/* the others wait for this one: weftrun ends them */
		weft_job_abort(job, 1, "collectives failed");
	}
	status = weft_job_close(job);
	if (status)
		printf("# close: %s\n", weft_status_name(status));
	return status != WEFT_OK;
}
