/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables and JSON of weft-bench.
 *
 * Owns the limits of the run. The rule: a ratio is printed only where the flag
 * latency says that the machine is in the state that limits are stated for;
 * whether it stayed there is said at the end.
 */
#include "bench/weft_bench_report.h"

#include <stdio.h>
#include <string.h>

enum {
	STEADY_BYTES = 16384	/* shorter copies vary by the clock alone */
};

static const char *const bounds[] = {
	[BENCH_NO_BOUND] = "-",
	[BENCH_BY_FLAG] = "flag",
	[BENCH_BY_LOOP] = "loop",
	[BENCH_BY_COPY] = "memcpy",
	[BENCH_BY_REWRITTEN] = "rewritten",
	[BENCH_BY_RAW] = "raw",
};

static const char *const forms[] = {
	[BENCH_BLOCKING] = "blocking",
	[BENCH_NONBLOCKING] = "nonblocking",
	[BENCH_PERSISTENT] = "persistent",
};

static bool measure(struct bench_report *report)
{
	const struct bench_options *options = report->options;

	if (!bench_limit_flag(&report->flag_before))
		return false;
	for (int i = 0; i < options->nsizes; i++)
		if (options->sizes[i] &&
		    !bench_limit_bytes(options->sizes[i], &report->limit[i]))
			return false;
	return true;
}

void bench_report_open(struct bench_report *report,
		       const struct bench_options *options, bool talk)
{
	memset(report, 0, sizeof(*report));
	report->options = options;
	report->talk = talk;
	report->messages = report->sends = 1;
	if (talk)
		report->limits = measure(report);
}

static bool calm(const struct bench_report *report)
{
	return report->limits && report->flag_before <= BENCH_FLAG_LIMIT;
}

static void print_limits(const struct bench_report *report, bool ratios)
{
	if (!ratios)
		puts("# ratios are for 2 ranks with a core for each");
	if (!report->limits) {
		puts("# the limits of this machine are not known: no ratios");
		return;
	}
	printf("# flag latency %.4f us one way\n", report->flag_before);
	if (!calm(report))
		printf("# above %.1f us the machine is busy or its cores are "
		       "far apart: no ratios\n", BENCH_FLAG_LIMIT);
}

static void json_number(const char *name, double value)
{
	printf(",\"%s\":%.4f", name, value);
}

/* Is it an exchange, whose messages go by their length? */
static bool has_way(const struct bench_report *report)
{
	return bench_case_has(report->options->command,
			      BENCH_WAY | BENCH_PREPARED);
}

void bench_report_job(struct bench_report *report, int ranks, bool bound)
{
	const struct bench_options *options = report->options;
	const char *name = bench_case_of(options->command)->name;
	const char *call = forms[options->form];
	const char *memory = options->heap ? "heap" : "arena";

	if (!report->talk)
		return;
	if (!options->json) {
		printf("# weft-bench %s %s, %d ranks%s, %s, %s memory\n",
		       PACKAGE_VERSION, name, ranks,
		       bound ? " bound to cores" : "", call, memory);
		print_limits(report, bound && ranks == 2);
		return;
	}
	printf("{\"version\":\"%s\",\"command\":\"%s\",\"ranks\":%d,"
	       "\"bound\":%s,\"call\":\"%s\",\"memory\":\"%s\"",
	       PACKAGE_VERSION, name, ranks, bound ? "true" : "false", call,
	       memory);
	if (report->limits)
		json_number("flag_before_usec", report->flag_before);
}

static bool has_tail(const struct bench_report *report)
{
	return bench_case_has(report->options->command, BENCH_THREADS);
}

static bool has_overlap(const struct bench_report *report)
{
	return report->options->form == BENCH_NONBLOCKING;
}

/* The share of the operation's time that computation hides. */
static double overlap_of(const struct bench_line *line)
{
	return (line->times.median + line->computation - line->both) /
	       line->times.median;
}

/* What a rank sends, in both directions the same. */
static bool has_rate(const struct bench_report *report)
{
	return bench_case_has(report->options->command, BENCH_SIZES);
}

/* Per second. */
static double messages_of(const struct bench_report *report,
			  const struct bench_line *line)
{
	return report->sends / line->times.median * 1e6;
}

/* Per second, of 10^6 bytes. */
static double megabytes_of(const struct bench_report *report,
			   const struct bench_line *line)
{
	return (double)line->bytes * report->sends / line->times.median;
}

static void print_head(const struct bench_report *report)
{
	printf("%10s %11s %11s %14s", "#bytes", "#iterations", "t_min[usec]",
	       "t_median[usec]");
	if (has_tail(report))
		printf(" %11s", "t_p99[usec]");
	printf(" %11s", "t_max[usec]");
	if (has_rate(report))
		printf(" %9s %11s", "MB/s", "messages/s");
	if (has_way(report))
		printf(" %6s", "way");
	if (has_overlap(report))
		printf(" %10s", "overlap[%]");
	printf(" %11s %9s %7s %10s", "limit[usec]", "of", "t/limit",
	       "over[nsec]");
	puts(report->options->verify ? "  wrong[bytes]" : "");
}

void bench_report_case(struct bench_report *report, const char *title)
{
	if (!report->talk)
		return;
	if (report->options->json) {
		printf("%s{\"case\":\"%s\",\"lines\":[",
		       report->tables ? "]}," : ",\"cases\":[", title);
	} else {
		printf("#\n# %s\n", title);
		print_head(report);
	}
	report->tables = true;
	report->lines = 0;
}

/* Microseconds; 0 where there is none to divide by. */
static double limit_of(const struct bench_report *report,
		       const struct bench_line *line)
{
	const struct bench_limit *limit = NULL;
	double raw = 0;

	for (int i = 0; i < report->options->nsizes; i++) {
		if (report->options->sizes[i] != line->bytes)
			continue;
		limit = &report->limit[i];
		raw = report->raw[i];
	}
	/* Measured in the same minute, whatever the cores are like. */
	if (line->bound == BENCH_BY_RAW)
		return raw;
	if (!calm(report) || !limit)
		return 0;
	switch (line->bound) {
	case BENCH_BY_FLAG:
		return report->flag_before;
	case BENCH_BY_LOOP:
		return limit->loop * report->messages;
	case BENCH_BY_COPY:
		return limit->copy * report->messages;
	case BENCH_BY_REWRITTEN:
		return limit->rewritten * report->messages;
	default:
		return 0;
	}
}

static void print_overlap(const struct bench_line *line)
{
	if (line->computation > 0)
		printf(" %10.1f", 100 * overlap_of(line));
	else
		printf(" %10s", "-");
}

static void print_row(const struct bench_report *report,
		      const struct bench_line *line, double limit)
{
	const struct bench_times *t = &line->times;

	printf("%10zu %11ld %11.4f %14.4f", line->bytes, t->iterations,
	       t->min, t->median);
	if (has_tail(report))
		printf(" %11.4f", t->p99);
	printf(" %11.4f", t->max);
	if (has_rate(report))
		printf(" %9.1f %11.0f", megabytes_of(report, line),
		       messages_of(report, line));
	if (has_way(report))
		printf(" %6s", line->way[0] ? line->way : "-");
	if (has_overlap(report))
		print_overlap(line);
	if (limit > 0)
		printf(" %11.4f %9s %7.2f %10.0f", limit, bounds[line->bound],
		       t->median / limit, (t->median - limit) * 1e3);
	else
		printf(" %11s %9s %7s %10s", "-", "-", "-", "-");
	if (line->checked)
		printf("  %12zu", line->wrong);
	putchar('\n');
}

static void print_object(const struct bench_report *report,
			 const struct bench_line *line, double limit)
{
	const struct bench_times *t = &line->times;

	printf("%s{\"bytes\":%zu,\"iterations\":%ld", report->lines ? "," : "",
	       line->bytes, t->iterations);
	json_number("t_min_usec", t->min);
	json_number("t_median_usec", t->median);
	if (has_tail(report))
		json_number("t_p99_usec", t->p99);
	json_number("t_max_usec", t->max);
	if (has_rate(report)) {
		json_number("mb_per_sec", megabytes_of(report, line));
		json_number("messages_per_sec", messages_of(report, line));
	}
	if (line->way[0])
		printf(",\"way\":\"%s\"", line->way);
	if (line->computation > 0) {
		json_number("computation_usec", line->computation);
		json_number("both_usec", line->both);
		json_number("overlap", overlap_of(line));
	}
	if (limit > 0) {
		json_number("limit_usec", limit);
		printf(",\"limit\":\"%s\"", bounds[line->bound]);
		json_number("ratio", t->median / limit);
	}
	if (line->checked)
		printf(",\"wrong_bytes\":%zu", line->wrong);
	putchar('}');
}

void bench_report_line(struct bench_report *report,
		       const struct bench_line *line)
{
	double limit = limit_of(report, line);

	if (!report->talk)
		return;
	if (report->options->json)
		print_object(report, line, limit);
	else
		print_row(report, line, limit);
	report->lines++;
	fflush(stdout);
}

static bool near(double a, double b)
{
	return a <= 1.3 * b && b <= 1.3 * a;
}

/* Is the machine still in the state in which the limits were measured? */
static bool steady(struct bench_report *report)
{
	const struct bench_options *options = report->options;
	bool same = report->flag_after <= BENCH_FLAG_LIMIT &&
		    near(report->flag_before, report->flag_after);

	for (int i = 0; i < options->nsizes && same; i++) {
		const struct bench_limit *before = &report->limit[i];
		struct bench_limit after;

		if (options->sizes[i] >= STEADY_BYTES)
			same = bench_limit_bytes(options->sizes[i], &after) &&
			       near(before->loop, after.loop) &&
			       near(before->copy, after.copy);
	}
	return same;
}

void bench_report_close(struct bench_report *report)
{
	bool again = report->talk && report->limits &&
		     bench_limit_flag(&report->flag_after);

	if (!report->talk)
		return;
	if (report->options->json) {
		if (report->tables)
			fputs("]}]", stdout);
		if (again) {
			json_number("flag_after_usec", report->flag_after);
			printf(",\"steady\":%s",
			       steady(report) ? "true" : "false");
		}
		puts("}");
	} else if (again) {
		printf("#\n# flag latency %.4f us afterwards%s\n",
		       report->flag_after, !calm(report) || steady(report) ?
		       "" : ": the machine changed, run again before you "
		       "quote a ratio");
	}
	fflush(stdout);
}
