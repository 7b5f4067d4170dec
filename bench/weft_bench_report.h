/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What weft-bench prints: tables that grow line by line, or one JSON object.
 * Only the rank that talks has a report that writes.
 */
#ifndef WEFT_BENCH_REPORT_H
#define WEFT_BENCH_REPORT_H

#include "bench/weft_bench_limit.h"
#include "bench/weft_bench_options.h"

#include <stdbool.h>
#include <stddef.h>

struct bench_times {
	long iterations;	/* in all samples */
	double min;
	double median;
	double p99;		/* of BENCH_THREADS alone */
	double max;
};

/* Which limit a line is divided by. */
enum bench_bound {
	BENCH_NO_BOUND,		/* printed without a ratio */
	BENCH_BY_FLAG,
	BENCH_BY_LOOP,
	BENCH_BY_COPY,
	BENCH_BY_REWRITTEN,
	BENCH_BY_RAW
};

struct bench_line {
	size_t bytes;
	struct bench_times times;
	enum bench_bound bound;
	bool checked;
	size_t wrong;		/* bytes, where checked */
	double computation;	/* as long as the operation, alone; 0: none */
	double both;		/* the operation with that behind its start */
	char way[8];		/* as weft_neighbor_way(3) tells; "": nothing */
};

struct bench_report {
	const struct bench_options *options;
	bool talk;
	int messages;		/* to one rank, of an operation: of limits */
	int sends;		/* messages of a rank, of an operation */
	bool limits;		/* were measured */
	double flag_before;	/* one way, before the job and after it */
	double flag_after;
	struct bench_limit limit[BENCH_SIZES_MAX];	/* per size */
	double raw[BENCH_SIZES_MAX];	/* of the raw loop; 0: not timed */
	size_t lines;
	bool tables;		/* a table or a case was begun */
};

/* Measures what the lines will be divided by; while no job is open. */
void bench_report_open(struct bench_report *report,
		       const struct bench_options *options, bool talk);

/* The head of the output. */
void bench_report_job(struct bench_report *report, int ranks, bool bound);

void bench_report_case(struct bench_report *report, const char *title);

void bench_report_line(struct bench_report *report,
		       const struct bench_line *line);

/* The flag latency again, now that the job is closed; the end of the output. */
void bench_report_close(struct bench_report *report);

#endif
