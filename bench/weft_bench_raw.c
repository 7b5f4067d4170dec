/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the ways of the raw loop have in common, and which of them it is.
 */
#include "bench/weft_bench_raw.h"

#include <stdio.h>

int bench_raw_fail(const char *what)
{
	fprintf(stderr, "weft-bench: the raw loop: %s\n", what);
	return WEFT_ERR_UNSUPPORTED;
}

size_t bench_raw_most(const struct bench_run *run)
{
	const struct bench_options *options = run->options;
	size_t bytes = 64;

	for (int i = 0; i < options->nsizes; i++)
		if (options->sizes[i] > bytes)
			bytes = options->sizes[i];
	return (bytes * (size_t)run->report->messages + 63) / 64 * 64;
}

int bench_raw_lines(struct bench_run *run, bench_timed timed, void *arg,
		    size_t *bytes_p)
{
	const struct bench_options *options = run->options;
	int status = WEFT_OK;

	for (int i = 0; i < options->nsizes && !status; i++) {
		struct bench_line line = {
			.bytes = options->sizes[i], .bound = BENCH_NO_BOUND
		};

		*bytes_p = options->sizes[i] * (size_t)run->report->messages;
		status = bench_time(run, timed, arg, *bytes_p, &line.times);
		if (status)
			break;
		bench_report_line(run->report, &line);
		run->report->raw[i] = line.times.median;
	}
	return status;
}

int bench_run_raw(struct bench_run *run, bool sends, bool receives)
{
	if (bench_raw_is_rdma(run->options->raw))
		return bench_raw_verbs(run, sends, receives);
	if (bench_case_has(run->options->command, BENCH_OF_TWO))
		return bench_raw_fail("no RDMA device has this name, and "
				      "stream and signal need one");
	return bench_raw_ofi(run, sends, receives);
}
