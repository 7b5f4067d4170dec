/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-bench: what an operation of weft costs, beside what the machine allows.
 *
 * Order of things: rank 0 measures the limits while the others wait, asleep,
 * for it to open the job; ranks are bound to cores once the job is open,
 * because opening looks at the affinity mask; after the job is closed rank 0
 * measures the flag latency again. Uses the public interface only.
 */
#include "bench/weft_bench_run.h"
#include "bench/weft_bench_words.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number that a launcher left in the environment, or -1. */
static int launched_as(const char *const *names)
{
	for (; *names; names++) {
		const char *text = getenv(*names);

		if (text && *text)
			return atoi(text);
	}
	return -1;
}

/* Before the job is open the launcher's word is all there is. */
static bool is_first(void)
{
	static const char *const names[] = {
		"PMIX_RANK", "PMI_RANK", "SLURM_PROCID", NULL
	};

	return launched_as(names) <= 0;
}

/* A core for each rank? */
static bool has_cores(int ranks)
{
	cpu_set_t allowed;

	return !sched_getaffinity(0, sizeof(allowed), &allowed) &&
	       CPU_COUNT(&allowed) >= ranks;
}

/* To the core of its number on this node. */
static void bind_rank(int rank)
{
	static const char *const names[] = {
		"PMIX_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID", NULL
	};
	int local = launched_as(names), seen = 0;
	cpu_set_t allowed, one;

	if (local < 0)
		local = rank;
	CPU_ZERO(&allowed);
	CPU_ZERO(&one);
	(void)sched_getaffinity(0, sizeof(allowed), &allowed);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &allowed) && seen++ == local)
			CPU_SET(i, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		perror("weft-bench: a rank is not bound to its core");
}

/* Another mask for the limits, which need two cores. */
static void unbind(const cpu_set_t *allowed)
{
	(void)sched_setaffinity(0, sizeof(*allowed), allowed);
}

static bool fits_ranks(const struct bench_run *run)
{
	const struct bench_case *what = bench_case_of(run->options->command);

	if ((run->options->raw || what->traits & BENCH_OF_TWO) &&
	    run->ranks != 2) {
		if (run->report->talk)
			fprintf(stderr, "weft-bench: %s is for 2 ranks, "
				"not %d\n", run->options->raw ? "--raw" :
				what->name, run->ranks);
		return false;
	}
	if (run->ranks >= 2 || !(what->traits & BENCH_OF_MORE))
		return true;
	fprintf(stderr, "weft-bench: %s needs 2 ranks or more: weftrun -n 2 "
		"weft-bench %s\n", what->name, what->name);
	return false;
}

/*
 * All are bound, or none, whatever cores each one may use; two threads of a
 * rank are not for one core.
 */
static int bind_all(struct bench_run *run)
{
	int32_t bound = !bench_case_has(run->options->command,
					BENCH_THREADS) &&
			has_cores(run->ranks);
	int status = weft_allreduce(run->world, WEFT_IN_PLACE,
				    weft_part(&bound, 1, &weft_type_int32),
				    &weft_op_min);

	run->bound = bound;
	if (status == WEFT_OK && run->bound)
		bind_rank(run->rank);
	return status;
}

/* Between opening and closing the job; returns the exit code. */
static int measure(struct bench_run *run)
{
	int status;

	/* A launcher kills the others at the first failing rank. */
	if (!fits_ranks(run))
		return run->report->talk ? 2 : 0;
	status = bind_all(run);
	run->ratios = run->bound && run->ranks == 2;
	bench_report_job(run->report, run->ranks, run->bound);
	if (status == WEFT_OK)
		status = bench_case_of(run->options->command)->run(run);
	if (status != WEFT_OK)
		fprintf(stderr, "weft-bench: rank %d: %s: %s\n", run->rank,
			weft_status_name(status), weft_error_text(run->job));
	if (!run->wrong || !run->report->talk)
		return status != WEFT_OK;
	fprintf(stderr, "weft-bench: %zu bytes were wrong\n", run->wrong);
	return 1;
}

/* Opens the job, runs, closes; returns the exit code. */
static int run_job(struct bench_run *run)
{
	struct weft_job_options options;
	int status, code;

	weft_job_options_init(&options, sizeof(options));
	options.threads = bench_case_has(run->options->command, BENCH_THREADS);
	status = weft_job_open(&options, &run->job);
	if (status != WEFT_OK) {
		fprintf(stderr, "weft-bench: cannot open the job: %s\n",
			weft_status_text(status));
		return 1;
	}
	run->world = weft_job_world(run->job);
	run->rank = weft_job_rank(run->job);
	run->ranks = weft_job_size(run->job);
	code = measure(run);
	if (weft_job_close(run->job) != WEFT_OK && !code)
		code = 1;
	return code;
}

static int bench(int argc, char **argv)
{
	struct bench_options options;
	struct bench_report report;
	struct bench_run run;
	bool talk = is_first();
	cpu_set_t allowed;
	int code;

	switch (bench_options_parse(argc, argv, talk, &options)) {
	case BENCH_TODO_NOTHING:
		return 0;
	case BENCH_TODO_FAIL:
		return talk ? 2 : 0;
	case BENCH_TODO_RUN:
		break;
	}
	if (options.transport)
		setenv("WEFT_TRANSPORT", options.transport, 1);
	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		CPU_ZERO(&allowed);
	bench_report_open(&report, &options, talk);
	memset(&run, 0, sizeof(run));
	run.options = &options;
	run.report = &report;
	code = run_job(&run);
	unbind(&allowed);
	if (!code || run.wrong)
		bench_report_close(&report);
	return code;
}

int main(int argc, char **argv)
{
	return option_end("weft-bench", bench(argc, argv));
}
