/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The chart of a table: its lines, and the axes on which they are drawn, both
 * logarithmic. What it looks like is in weft_sim_svg.c.
 */
#ifndef WEFT_SIM_CHART_H
#define WEFT_SIM_CHART_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/weft-sim/weft_sim_run.h"

enum {
	WSIM_CHART_LINES = 8,	/* as many as can be told apart */
	WSIM_CHART_TICKS = 12
};

struct wsim_point {
	double x;		/* ranks or bytes */
	double y;		/* us */
};

/* One number of bytes, unless x is that, and one algorithm. */
struct wsim_line {
	size_t bytes;
	int radix;
	int n;
	struct wsim_point at[WSIM_LIST_MAX];
};

struct wsim_chart {
	const struct wsim_options *options;
	bool by_bytes;		/* x; else it is by ranks */
	int n;
	struct wsim_line line[WSIM_CHART_LINES];
};

/* How many lines has the chart of a table of these options? */
int wsim_chart_lines(const struct wsim_options *options);

void wsim_chart_init(struct wsim_chart *chart,
		     const struct wsim_options *options);

/* A run that was timed becomes a point. */
void wsim_chart_add(struct wsim_chart *chart, const struct wsim_run *run,
		    const struct wsim_result *result);

/* Points in the order of x, lines as they end, the slowest first. */
void wsim_chart_sort(struct wsim_chart *chart);

/* From tick to tick, the first and the last included. */
struct wsim_axis {
	int n;
	double tick[WSIM_CHART_TICKS];
};

/* Ticks at powers of two, and at 1, 2 and 5 times those of ten. */
void wsim_axis_twos(struct wsim_axis *axis, double low, double high);
void wsim_axis_tens(struct wsim_axis *axis, double low, double high);

/* Where a value is: 0 at the first tick, 1 at the last. */
double wsim_axis_at(const struct wsim_axis *axis, double value);

/* Both axes of a chart; false: it has no point. */
bool wsim_chart_axes(const struct wsim_chart *chart, struct wsim_axis *x,
		     struct wsim_axis *y);

/* weft_sim_svg.c: writes the chart; false: it cannot, and it was said. */
bool wsim_chart_write(const struct wsim_chart *chart, const char *path);

#endif
