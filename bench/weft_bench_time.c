/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Clock and medians of the benchmark: used by the limits and by the cases, so
 * that both are measured alike.
 */
#include "bench/weft_bench_time.h"

#include <stdlib.h>
#include <time.h>

enum {
	CLOCK_SAMPLES = 501
};

double bench_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

double bench_clock_cost(void)
{
	double samples[CLOCK_SAMPLES];

	for (int i = 0; i < CLOCK_SAMPLES; i++) {
		double start = bench_now();

		samples[i] = bench_now() - start;
	}
	return bench_median(samples, CLOCK_SAMPLES);
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double bench_median(double *samples, int n)
{
	qsort(samples, (size_t)n, sizeof(*samples), ascending);
	return samples[n / 2];
}
