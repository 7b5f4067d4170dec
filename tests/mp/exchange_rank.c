/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank of the random exchange program in real processes; exchange.t
 * starts them.
 *
 *     exchange_rank SEED EXCHANGES MISMATCH_ONE_IN
 *
 * Exit code 1 if anything was wrong at this rank; rank 0 prints what was done.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <weft.h>

#include "tests/exchange/exchange_program.h"

enum { LARGEST = 1 << 20 };

static void sleep_a_little(void *arg)
{
	const struct timespec one_ms = { 0, 1000000 };

	(void)arg;
	nanosleep(&one_ms, NULL);
}

static void report(void *arg, const char *text)
{
	struct weft_job *job = arg;

	printf("# rank %d: %s\n", weft_job_rank(job), text);
	fflush(stdout);
}

static int run(struct weft_job *job, char **argv)
{
	const struct exchange_options options = {
		.seed = strtoull(argv[1], NULL, 10),
		.exchanges = strtol(argv[2], NULL, 10),
		.mismatch_one_in = (unsigned int)strtoul(argv[3], NULL, 10),
		.max_bytes = LARGEST, .max_degree = weft_job_size(job),
		.graphs = 2, .pause_one_in = 40, .replace_one_in = 40,
		.collective_one_in = 16, .every_call = true,
		.pause = sleep_a_little, .fail = report, .arg = job
	};
	struct exchange_result result;

	exchange_run(job, &options, &result);
	if (weft_job_rank(job) == 0)
		printf("seed %s: %ld exchanges, %ld mismatches, %llu bytes, "
		       "%ld failures\n", argv[1], result.exchanges,
		       result.mismatches, (unsigned long long)result.bytes,
		       result.failures);
	return result.failures != 0;
}

int main(int argc, char **argv)
{
	struct weft_job *job;
	int status, failed;

	if (argc != 4) {
		fprintf(stderr, "usage: exchange_rank SEED EXCHANGES "
			"MISMATCH_ONE_IN\n");
		return 2;
	}
	/* A program may: the environment moves, and again with the next one. */
	setenv("SET_BY_THE_PROGRAM", "1", 1);
	status = weft_job_open(NULL, &job);
	if (status) {
		printf("# open: %s\n", weft_status_name(status));
		return 1;
	}
	failed = run(job, argv);
	/* the others of a failed rank cannot go on: weftrun ends them */
	if (failed)
		weft_job_abort(job, 1, "the exchanges failed");
	status = weft_job_close(job);
	if (status)
		printf("# close: %s\n", weft_status_name(status));
	return status != WEFT_OK;
}
