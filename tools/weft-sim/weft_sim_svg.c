/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A chart as SVG, to be read in a browser and by hand.
 *
 * Each point says its values where a browser points at it. What comes from the
 * command line is escaped.
 */
#include <stdio.h>

#include "bench/weft_bench_words.h"
#include "tools/svg.h"
#include "tools/weft-sim/weft_sim_chart.h"

/* Pixels; the legend is to the right of the field. */
enum {
	WIDTH = 770,
	LONG_NAMES = 80,
	HEIGHT = 460,
	LEFT = 84,
	TOP = 76,
	FIELD_WIDTH = 540,
	FIELD_HEIGHT = 310,
	LEGEND = LEFT + FIELD_WIDTH + 20,
	ROW = 22
};

/* Told apart by who does not see all colours, too (Okabe and Ito). */
static const char *const colours[WSIM_CHART_LINES] = {
	"#0072b2", "#d55e00", "#009e73", "#cc79a7",
	"#e69f00", "#56b4e9", "#000000", "#999999"
};

static const char style[] =
"  .grid { stroke: #ddd }\n"
"  .axis { stroke: #222 }\n"
"  .line { fill: none; stroke-width: 2; stroke-linejoin: round }\n"
"  .title { font-size: 17px; font-weight: bold }\n"
"  .model { fill: #666 }\n";

static double column(const struct wsim_axis *x, double value)
{
	return LEFT + FIELD_WIDTH * wsim_axis_at(x, value);
}

static double row(const struct wsim_axis *y, double value)
{
	return TOP + FIELD_HEIGHT * (1 - wsim_axis_at(y, value));
}

/* As --bytes takes it. */
static void put_bytes(FILE *to, size_t bytes)
{
	if (bytes && bytes % (1 << 20) == 0)
		fprintf(to, "%zum", bytes >> 20);
	else if (bytes && bytes % (1 << 10) == 0)
		fprintf(to, "%zuk", bytes >> 10);
	else
		fprintf(to, "%zu", bytes);
}

/* What all lines have in common. */
static void put_title(FILE *to, const struct wsim_chart *chart)
{
	const struct wsim_options *o = chart->options;

	fprintf(to, "<text class=\"title\" x=\"%d\" y=\"28\">%s", LEFT,
		wsim_command_name(o->command));
	if (o->nbytes == 1 && wsim_has_bytes(o)) {
		fputs(" of ", to);
		put_bytes(to, o->bytes[0]);
		fputs(" bytes", to);
	}
	if (o->graph) {
		fputs(" on ", to);
		svg_text(to, o->graph);
	} else if (o->nradices == 1 && wsim_has_radix(o)) {
		fprintf(to, " by radix:%d", o->radix[0]);
	}
	if (chart->by_bytes && o->nranks)
		fprintf(to, ", %zu ranks", o->ranks[0]);
	fputs("</text>\n", to);
}

static void put_model(FILE *to, const struct wsim_options *o)
{
	fprintf(to, "<text class=\"model\" x=\"%d\" y=\"50\">", LEFT);
	if (o->net.name) {
		fputs("LogGP without congestion, ", to);
		svg_text(to, o->net.name);
		fprintf(to, ", %s, %ld rank%s per node",
			wf_sim_shape_name(o->shape), o->ppn,
			o->ppn > 1 ? "s" : "");
	} else {
		fputs("random delays: times predict nothing", to);
	}
	fputs("</text>\n", to);
}

static void put_columns(FILE *to, const struct wsim_axis *x, bool bytes)
{
	for (int i = 0; i < x->n; i++) {
		double at = column(x, x->tick[i]);

		fprintf(to, "<path class=\"grid\" d=\"M%.1f %dv%d\"/>\n"
			"<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">",
			at, TOP, FIELD_HEIGHT, at, TOP + FIELD_HEIGHT + 20);
		if (bytes)
			put_bytes(to, (size_t)x->tick[i]);
		else
			fprintf(to, "%.0f", x->tick[i]);
		fputs("</text>\n", to);
	}
	fprintf(to, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s"
		"</text>\n", LEFT + FIELD_WIDTH / 2, TOP + FIELD_HEIGHT + 48,
		bytes ? "bytes" : "ranks");
}

static void put_rows(FILE *to, const struct wsim_axis *y)
{
	const int middle = TOP + FIELD_HEIGHT / 2;

	for (int i = 0; i < y->n; i++) {
		double at = row(y, y->tick[i]);

		fprintf(to, "<path class=\"grid\" d=\"M%d %.1fh%d\"/>\n"
			"<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g"
			"</text>\n", LEFT, at, FIELD_WIDTH, LEFT - 10, at + 4,
			y->tick[i]);
	}
	fprintf(to, "<text x=\"20\" y=\"%d\" text-anchor=\"middle\" "
		"transform=\"rotate(-90 20 %d)\">virtual time, &#181;s"
		"</text>\n", middle, middle);
	fprintf(to, "<path class=\"axis\" fill=\"none\" "
		"d=\"M%d %dv%dh%d\"/>\n", LEFT, TOP, FIELD_HEIGHT,
		FIELD_WIDTH);
}

static void put_line(FILE *to, const struct wsim_chart *chart, int i,
		     const struct wsim_axis *x, const struct wsim_axis *y)
{
	const struct wsim_line *line = &chart->line[i];

	fprintf(to, "<polyline class=\"line\" stroke=\"%s\" points=\"",
		colours[i]);
	for (int k = 0; k < line->n; k++)
		fprintf(to, "%s%.1f,%.1f", k ? " " : "",
			column(x, line->at[k].x), row(y, line->at[k].y));
	fprintf(to, "\"/>\n<g fill=\"%s\">\n", colours[i]);
	for (int k = 0; k < line->n; k++)
		fprintf(to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>"
			"%.0f %s: %.3f &#181;s</title></circle>\n",
			column(x, line->at[k].x), row(y, line->at[k].y),
			line->at[k].x, chart->by_bytes ? "bytes" : "ranks",
			line->at[k].y);
	fputs("</g>\n", to);
}

/* What sets a line apart from the others. */
static void put_name(FILE *to, const struct wsim_chart *chart,
		     const struct wsim_line *line)
{
	const struct wsim_options *o = chart->options;

	if (o->nradices > 1)
		fprintf(to, "radix:%d", line->radix);
	if (chart->by_bytes || o->nbytes == 1)
		return;
	if (o->nradices > 1)
		fputs(", ", to);
	put_bytes(to, line->bytes);
	fputs(" bytes", to);
}

static void put_legend(FILE *to, const struct wsim_chart *chart)
{
	for (int i = 0; i < chart->n && chart->n > 1; i++) {
		int at = TOP + 8 + i * ROW;

		fprintf(to, "<path class=\"line\" stroke=\"%s\" "
			"d=\"M%d %dh24\"/>\n"
			"<circle cx=\"%d\" cy=\"%d\" r=\"4\" fill=\"%s\"/>\n"
			"<text x=\"%d\" y=\"%d\">", colours[i], LEGEND, at,
			LEGEND + 12, at, colours[i], LEGEND + 32, at + 4);
		put_name(to, chart, &chart->line[i]);
		fputs("</text>\n", to);
	}
}

/* A chart and its axes. */
struct drawing {
	const struct wsim_chart *chart;
	struct wsim_axis x, y;
};

static void put_chart(FILE *to, const void *arg)
{
	const struct drawing *drawing = arg;
	const struct wsim_chart *chart = drawing->chart;
	const struct wsim_options *o = chart->options;
	bool both = !chart->by_bytes && o->nbytes > 1 && o->nradices > 1;

	svg_open(to, WIDTH + (both ? LONG_NAMES : 0), HEIGHT, style);
	put_title(to, chart);
	put_model(to, chart->options);
	put_columns(to, &drawing->x, chart->by_bytes);
	put_rows(to, &drawing->y);
	for (int i = chart->n; i--;)
		put_line(to, chart, i, &drawing->x, &drawing->y);
	put_legend(to, chart);
	svg_close(to);
}

bool wsim_chart_write(const struct wsim_chart *chart, const char *path)
{
	struct drawing drawing = { .chart = chart };

	if (!wsim_chart_axes(chart, &drawing.x, &drawing.y)) {
		fprintf(stderr, "weft-sim: --svg %s: no run took time\n",
			path);
		return false;
	}
	return option_file("weft-sim: --svg", path, put_chart, &drawing);
}
