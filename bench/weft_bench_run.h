/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the cases of weft-bench share: the job, the report, and how an
 * operation is timed.
 */
#ifndef WEFT_BENCH_RUN_H
#define WEFT_BENCH_RUN_H

#include "bench/weft_bench_options.h"
#include "bench/weft_bench_report.h"

#include <weft.h>

struct bench_run {
	struct weft_job *job;
	struct weft_comm *world;
	int rank;
	int ranks;
	bool bound;		/* a core for each rank */
	bool ratios;		/* of 2 ranks that are bound */
	const struct bench_options *options;
	struct bench_report *report;
	size_t wrong;		/* bytes, in all checks of this rank */
};

/*
 * Does n operations and gives the microseconds of one, in what it chose to
 * time. Returns a status.
 */
typedef int (*bench_timed)(void *arg, long n, double *us_p);

/*
 * A warm-up sample, then as many as the options say; a sample's time is that
 * of the slowest rank. Collective. Returns a status.
 */
int bench_time(struct bench_run *run, bench_timed timed, void *arg,
	       size_t bytes, struct bench_times *times_p);

/* The wrong bytes of all ranks; notes them for the exit code. Collective. */
int bench_sum_wrong(struct bench_run *run, size_t mine, size_t *all_p);

/* Operations of a verifying pass. */
long bench_verify_count(size_t bytes);

/* The cases; each prints its tables and returns a status. */
int bench_run_edges(struct bench_run *run);
int bench_run_batch(struct bench_run *run);
int bench_run_dist(struct bench_run *run);
int bench_run_region(struct bench_run *run);
int bench_run_pingpong(struct bench_run *run);
int bench_run_strided(struct bench_run *run);
int bench_run_rate(struct bench_run *run);
int bench_run_reduction(struct bench_run *run);
int bench_run_moves(struct bench_run *run);
int bench_run_dup(struct bench_run *run);
int bench_run_split(struct bench_run *run);
int bench_run_entry(struct bench_run *run);

#endif
