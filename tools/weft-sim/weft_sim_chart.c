/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines and axes of a chart: figures alone, no drawing.
 */
#include "tools/weft-sim/weft_sim_chart.h"

#include <math.h>
#include <stdlib.h>

static bool is_by_bytes(const struct wsim_options *o)
{
	return o->nranks <= 1 && o->nbytes > 1;
}

int wsim_chart_lines(const struct wsim_options *o)
{
	return is_by_bytes(o) ? o->nradices : o->nbytes * o->nradices;
}

void wsim_chart_init(struct wsim_chart *chart,
		     const struct wsim_options *options)
{
	*chart = (struct wsim_chart){
		.options = options, .by_bytes = is_by_bytes(options)
	};
}

static struct wsim_line *line_of(struct wsim_chart *chart,
				 const struct wsim_run *run)
{
	struct wsim_line *line = chart->line;
	size_t bytes = chart->by_bytes ? 0 : run->bytes;

	for (; line < chart->line + chart->n; line++)
		if (line->bytes == bytes && line->radix == run->radix)
			return line;
	chart->n++;
	line->bytes = bytes;
	line->radix = run->radix;
	return line;
}

void wsim_chart_add(struct wsim_chart *chart, const struct wsim_run *run,
		    const struct wsim_result *result)
{
	double x = chart->by_bytes ? (double)run->bytes : run->ranks;
	struct wsim_line *line;

	/* what takes no time, as one rank alone, has no logarithm */
	if (!result->timed || result->median <= 0 || x <= 0)
		return;
	line = line_of(chart, run);
	line->at[line->n++] = (struct wsim_point){ x, result->median };
}

static int by_x(const void *a, const void *b)
{
	const struct wsim_point *p = a, *q = b;

	return (p->x > q->x) - (p->x < q->x);
}

static int by_end(const void *a, const void *b)
{
	const struct wsim_line *p = a, *q = b;
	double y = p->at[p->n - 1].y, z = q->at[q->n - 1].y;

	return (y < z) - (y > z);
}

void wsim_chart_sort(struct wsim_chart *chart)
{
	for (int i = 0; i < chart->n; i++)
		qsort(chart->line[i].at, (size_t)chart->line[i].n,
		      sizeof(struct wsim_point), by_x);
	qsort(chart->line, (size_t)chart->n, sizeof(*chart->line), by_end);
}

void wsim_axis_twos(struct wsim_axis *axis, double low, double high)
{
	int first = (int)floor(log2(low));
	int last = (int)ceil(log2(high));
	int step = 1;

	last += last == first;
	while ((last - first + step - 1) / step >= WSIM_CHART_TICKS)
		step++;
	axis->n = 0;
	for (int i = first; i < last + step; i += step)
		axis->tick[axis->n++] = exp2(i);
}

/* ..., 0.5, 1, 2, 5, 10, ... are numbers -1, 0, 1, 2, 3. */
static double round_number(int i)
{
	static const double digit[] = { 1, 2, 5 };
	int ten = (i + 3000) / 3 - 1000;

	return digit[i - 3 * ten] * pow(10, ten);
}

void wsim_axis_tens(struct wsim_axis *axis, double low, double high)
{
	int first = 3 * (int)floor(log10(low)), last, step = 1;

	while (round_number(first + 1) <= low)
		first++;
	for (last = first + 1; round_number(last) < high; last++)
		;
	if (last - first >= WSIM_CHART_TICKS) {
		step = 3;
		first = 3 * (int)floor(log10(low));
	}
	axis->n = 0;
	for (int i = first; axis->n < WSIM_CHART_TICKS && i < last + step;
	     i += step)
		axis->tick[axis->n++] = round_number(i);
}

double wsim_axis_at(const struct wsim_axis *axis, double value)
{
	double low = axis->tick[0], high = axis->tick[axis->n - 1];

	return log(value / low) / log(high / low);
}

bool wsim_chart_axes(const struct wsim_chart *chart, struct wsim_axis *x,
		     struct wsim_axis *y)
{
	struct wsim_point low = { HUGE_VAL, HUGE_VAL }, high = { 0, 0 };

	for (int i = 0; i < chart->n; i++)
		for (int k = 0; k < chart->line[i].n; k++) {
			const struct wsim_point *p = &chart->line[i].at[k];

			low.x = fmin(low.x, p->x);
			low.y = fmin(low.y, p->y);
			high.x = fmax(high.x, p->x);
			high.y = fmax(high.y, p->y);
		}
	if (!chart->n)
		return false;
	wsim_axis_twos(x, low.x, high.x);
	wsim_axis_tens(y, low.y, high.y);
	return true;
}
