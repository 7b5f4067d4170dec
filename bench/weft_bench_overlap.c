/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The overlap of weft-bench --nonblocking.
 *
 * All ranks compute the same number of rounds, which take the slowest of them
 * as long as the operation alone. Their time is measured like that of an
 * operation, since what was asked for is not quite what they take.
 */
#include "bench/weft_bench_overlap.h"
#include "bench/weft_bench_time.h"

#include <stdint.h>

enum {
	PROBES = 9,
	PROBE_ROUNDS = 1 << 16	/* a fraction of a millisecond */
};

/* A chain of multiplications that no compiler can shorten. */
void bench_compute(long rounds)
{
	uint64_t x = 1;

	for (long i = 0; i < rounds; i++) {
		x = x * 0x5851f42d4c957f2du + 1;
		__asm__ volatile("" : "+r"(x));
	}
}

static int time_computation(void *arg, long n, double *us_p)
{
	const long *rounds = arg;
	double start = bench_now();

	for (long i = 0; i < n; i++)
		bench_compute(*rounds);
	*us_p = (bench_now() - start) / (double)n;
	return WEFT_OK;
}

/* Microseconds of a probe that no other program has interrupted. */
static double probe(void)
{
	double samples[PROBES];

	for (int i = 0; i < PROBES; i++) {
		double start = bench_now();

		bench_compute(PROBE_ROUNDS);
		samples[i] = bench_now() - start;
	}
	bench_median(samples, PROBES);
	return samples[0];
}

/* How many take the slowest rank so long. */
static int find_rounds(struct bench_run *run, double us, long *rounds_p)
{
	double took = probe();
	int status = weft_allreduce(run->world, WEFT_IN_PLACE,
				    weft_part(&took, 1, &weft_type_double),
				    &weft_op_max);

	if (status == WEFT_OK)
		*rounds_p = (long)(us / took * PROBE_ROUNDS) + 1;
	return status;
}

int bench_time_overlap(struct bench_run *run,
		       const struct bench_overlapped *operation,
		       struct bench_line *line)
{
	struct bench_times times;
	long rounds = 0;
	int status = find_rounds(run, line->times.median, &rounds);

	if (status == WEFT_OK)
		status = bench_time(run, time_computation, &rounds, line->bytes,
				    &times);
	if (status != WEFT_OK)
		return status;
	line->computation = times.median;
	*operation->rounds_p = rounds;
	status = bench_time(run, operation->timed, operation->arg, line->bytes,
			    &times);
	*operation->rounds_p = 0;
	if (status == WEFT_OK)
		line->both = times.median;
	return status;
}
