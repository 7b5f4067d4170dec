/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Timing of an operation on all ranks.
 *
 * Called by the cases. Samples begin with a barrier, so that no rank measures
 * how late another one is.
 */
#include "bench/weft_bench_run.h"
#include "bench/weft_bench_time.h"

#include <stdint.h>
#include <stdlib.h>

enum {
	SAMPLE_USEC = 50000,	/* a sample takes at most about this, or at
				   least, where ranks share cores by turns */
	VERIFY_MOST = 100	/* operations of a verifying pass */
};

/*
 * Operations of a sample, after a warm-up: all ranks take what the slowest one
 * can do in SAMPLE_USEC, if the user gave no number.
 */
static int choose_count(struct bench_run *run, bench_timed timed, void *arg,
			long *n_p)
{
	double us = 0;
	int status = timed(arg, *n_p / 20 + 1, &us);

	if (status == WEFT_OK)
		status = weft_allreduce(run->world, WEFT_IN_PLACE,
					weft_part(&us, 1, &weft_type_double),
					&weft_op_max);
	if (status == WEFT_OK && !run->options->iterations &&
	    us * (double)*n_p > SAMPLE_USEC)
		*n_p = us < SAMPLE_USEC ? (long)(SAMPLE_USEC / us) : 1;
	return status;
}

/*
 * Where ranks share cores, in a short sample some have not had a turn yet, or
 * one turn is most of it: doubled until a sample lasts.
 */
static int lengthen(struct bench_run *run, bench_timed timed, void *arg,
		    long *n_p)
{
	double took = 0, us;
	int status;

	for (;; *n_p *= 2) {
		double start = bench_now();

		status = timed(arg, *n_p, &us);
		took = bench_now() - start;
		if (status == WEFT_OK)
			status = weft_allreduce(run->world, WEFT_IN_PLACE,
						weft_part(&took, 1,
							  &weft_type_double),
						&weft_op_max);
		if (status != WEFT_OK || took >= SAMPLE_USEC)
			return status;
	}
}

static int take_samples(struct bench_run *run, bench_timed timed, void *arg,
			long n, double *samples)
{
	int status = WEFT_OK;

	for (int i = 0; i < run->options->repeat && status == WEFT_OK; i++) {
		status = weft_barrier(run->world);
		if (status == WEFT_OK)
			status = timed(arg, n, &samples[i]);
	}
	return status;
}

int bench_time(struct bench_run *run, bench_timed timed, void *arg,
	       size_t bytes, struct bench_times *times_p)
{
	int repeat = run->options->repeat;
	long n = bench_iterations(run->options, bytes);
	double *samples = calloc((size_t)repeat, sizeof(*samples));
	int status;

	if (!samples)
		return WEFT_ERR_NOMEM;
	status = choose_count(run, timed, arg, &n);
	if (status == WEFT_OK && !run->bound && !run->options->iterations)
		status = lengthen(run, timed, arg, &n);
	if (status == WEFT_OK)
		status = take_samples(run, timed, arg, n, samples);
	if (status == WEFT_OK)
		status = weft_allreduce(run->world, WEFT_IN_PLACE,
					weft_part(samples, (size_t)repeat,
						  &weft_type_double),
					&weft_op_max);
	if (status == WEFT_OK) {
		times_p->iterations = n * repeat;
		times_p->median = bench_median(samples, repeat);
		times_p->min = samples[0];
		times_p->max = samples[repeat - 1];
	}
	free(samples);
	return status;
}

int bench_sum_wrong(struct bench_run *run, size_t mine, size_t *all_p)
{
	uint64_t all = mine;
	int status = weft_allreduce(run->world, WEFT_IN_PLACE,
				    weft_part(&all, 1, &weft_type_uint64),
				    &weft_op_sum);

	if (status == WEFT_OK) {
		run->wrong += all;
		*all_p = all;
	}
	return status;
}

/* About 16 MiB of content, but 4 operations at least. */
long bench_verify_count(size_t bytes)
{
	long fit = (long)(((size_t)16 << 20) / (bytes + 64));

	if (fit < 4)
		return 4;
	return fit < VERIFY_MOST ? fit : VERIFY_MOST;
}
