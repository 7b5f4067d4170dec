/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How much of a nonblocking operation disappears behind computation.
 */
#ifndef WEFT_BENCH_OVERLAP_H
#define WEFT_BENCH_OVERLAP_H

#include "bench/weft_bench_run.h"

/* What is timed with and without computation between its start and its wait. */
struct bench_overlapped {
	bench_timed timed;
	void *arg;
	long *rounds_p;		/* of bench_compute(); 0 so far */
};

/* Plain computation: registers alone, no memory and no call. */
void bench_compute(long rounds);

/*
 * Times computation as long as the median of the line, and both together.
 * Collective. Returns a status.
 */
int bench_time_overlap(struct bench_run *run,
		       const struct bench_overlapped *operation,
		       struct bench_line *line);

#endif
