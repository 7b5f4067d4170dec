/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Clock and medians of the benchmark.
 */
#ifndef WEFT_BENCH_TIME_H
#define WEFT_BENCH_TIME_H

/* Microseconds since some moment. */
double bench_now(void);

/* What two readings of the clock add to a timed section. */
double bench_clock_cost(void);

/* Sorts the samples. */
double bench_median(double *samples, int n);

#endif
