/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A picture as SVG.  Cells of one colour are one path, as runs along rows, so
 * that even the largest picture is read at once.
 */
#include "tools/weft-topo/weft_topo_picture.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tools/svg.h"

/* Pixels; each panel has a matrix, nodes below it, and figures below these. */
enum {
	LEFT = 40,
	TOP = 92,
	PANEL = 512,
	GAP = 56,
	MAP = TOP + PANEL + 36,
	MAP_HEIGHT = 192,
	FIGURES = MAP + MAP_HEIGHT + 24,
	ROW = 20,
	WIDTH = 2 * (LEFT + PANEL) + GAP,
	HEIGHT = FIGURES + 6 * ROW,
	BORDER_LEAST = 5,	/* between lines at borders of nodes */
	LEVELS = 12,		/* of weight */
	HUES = 16,
	COLOURS = 3 * HUES,	/* of nodes */
	MAP_COLUMNS_MAX = 256,
	MAP_COLUMNS_LEAST = 8,
	MAP_CELLS_MAX = MAP_COLUMNS_MAX * MAP_COLUMNS_MAX / 4
};

static const char style[] =
"  .title { font-size: 17px; font-weight: bold }\n"
"  .panel { font-size: 15px; font-weight: bold }\n"
"  .about { fill: #666 }\n"
"  .cells { shape-rendering: crispEdges }\n"
"  .border { stroke: #d55e00; stroke-width: 0.5; stroke-opacity: 0.7;\n"
"            fill: none }\n"
"  .frame { stroke: #222; fill: none }\n";

/* One side of the picture. */
struct panel {
	FILE *to;
	const struct wtopo_picture *picture;
	const struct wtopo_matrix *matrix;
	const int *place;	/* of each rank */
	const struct weft_reorder_cost *cost;
	int x;
};

/* ---- the matrix ---- */

/* 0: nothing; LEVELS: as much as any. */
static int level_of(const struct panel *p, int64_t weight)
{
	int64_t most = p->picture->most;

	if (weight <= 0)
		return 0;
	if (weight == most)
		return LEVELS;
	return 1 + (int)((LEVELS - 1) * log((double)weight) /
			 log((double)most));
}

static void begin_path(FILE *to, const int colour[3])
{
	fprintf(to, "<path fill=\"#%02x%02x%02x\" d=\"", colour[0], colour[1],
		colour[2]);
}

/* From pale to dark. */
static void begin_level(FILE *to, int level)
{
	static const int pale[] = { 0xd0, 0xe3, 0xf3 };
	static const int dark[] = { 0x05, 0x20, 0x4a };
	int colour[3];

	for (int i = 0; i < 3; i++)
		colour[i] = pale[i] + (dark[i] - pale[i]) * (level - 1) /
				      (LEVELS - 1);
	begin_path(to, colour);
}

static void put_run(FILE *to, int column, int row, int length)
{
	fprintf(to, "M%d %dh%dv1h-%dz\n", column, row, length, length);
}

/* The cells of one colour, 1 to colours, row by row; how many cells: n. */
struct cells {
	const unsigned char *colour;
	int columns;
	int n;
};

static void put_cells(FILE *to, const struct cells *cells, int colour)
{
	for (int i = 0; i < cells->n; i++) {
		int begin = i, end = (i / cells->columns + 1) * cells->columns;

		if (cells->colour[i] != colour)
			continue;
		while (i + 1 < cells->n && i + 1 < end &&
		       cells->colour[i + 1] == colour)
			i++;
		put_run(to, begin % cells->columns, begin / cells->columns,
			i + 1 - begin);
	}
}

static void open_cells(const struct panel *p, int y, int columns)
{
	fprintf(p->to, "<g class=\"cells\" transform=\"translate(%d %d) "
		"scale(%.6f)\">\n", p->x, y, (double)PANEL / columns);
}

/* Paths of all colours that there are. */
static void put_paths(const struct panel *p, const struct cells *cells,
		      int colours, void (*begin)(FILE *to, int colour))
{
	for (int colour = 1; colour <= colours; colour++) {
		if (!memchr(cells->colour, colour, (size_t)cells->n))
			continue;
		begin(p->to, colour);
		put_cells(p->to, cells, colour);
		fputs("\"/>\n", p->to);
	}
	fputs("</g>\n", p->to);
}

static void put_borders(const struct panel *p)
{
	const struct wtopo_order *order = p->picture->order;
	double step = (double)PANEL * (double)order->options->per_node /
		      order->graph->n;

	fprintf(p->to, "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" "
		"height=\"%d\"/>\n", p->x, TOP, PANEL, PANEL);
	if (step < BORDER_LEAST || order->nodes == 1)
		return;
	fputs("<path class=\"border\" d=\"", p->to);
	for (int node = 1; node < order->nodes; node++)
		fprintf(p->to, "M%d %.2fh%dM%.2f %dv%d\n", p->x,
			TOP + node * step, PANEL, p->x + node * step, TOP,
			PANEL);
	fputs("\"/>\n", p->to);
}

static void put_matrix(const struct panel *p)
{
	static unsigned char colour[WTOPO_SIDE_MAX * WTOPO_SIDE_MAX];
	const struct wtopo_matrix *m = p->matrix;
	const struct cells cells = { colour, m->side, m->side * m->side };

	for (int i = 0; i < cells.n; i++)
		colour[i] = (unsigned char)level_of(p, m->weight[i]);
	open_cells(p, TOP, m->side);
	put_paths(p, &cells, LEVELS, begin_level);
	put_borders(p);
}

/* ---- nodes ---- */

/* A pure hue, 0 to 1, of channel 0 to 2. */
static double channel(double hue, int i)
{
	double at = fmod(hue * 6 + 4 * (3 - i) % 6, 6);
	double far = fabs(at - 3) - 1;

	return far < 0 ? 0 : far > 1 ? 1 : far;
}

/* Hues far apart for nodes that follow each other, in three shades. */
static void begin_node(FILE *to, int number)
{
	int hue = (number - 1) * 7 % HUES, shade = (number - 1) / HUES;
	int colour[3];

	for (int i = 0; i < 3; i++)
		colour[i] = 70 - 35 * (shade == 1) + 60 * (shade == 2) +
			    (int)(125 * channel((double)hue / HUES, i));
	begin_path(to, colour);
}

/* Vertices of the file in their order, the first of each cell. */
static void put_nodes(const struct panel *p)
{
	static unsigned char colour[MAP_CELLS_MAX];
	const struct wtopo_order *order = p->picture->order;
	int n = order->graph->n;
	int share = (n + MAP_CELLS_MAX - 1) / MAP_CELLS_MAX;
	struct cells cells = { colour, MAP_COLUMNS_LEAST,
			       (n + share - 1) / share };

	while (cells.columns * cells.columns < 4 * cells.n)
		cells.columns++;
	for (int i = 0; i < cells.n; i++) {
		int rank = order->graph->rank[i * share];
		int node = wtopo_node(order, p->place[rank]);

		colour[i] = (unsigned char)(1 + node % COLOURS);
	}
	fprintf(p->to, "<text class=\"about\" x=\"%d\" y=\"%d\">node of each "
		"vertex, in their order", p->x, MAP - 8);
	if (share > 1)
		fprintf(p->to, ", one in %d", share);
	fputs("</text>\n", p->to);
	open_cells(p, MAP, cells.columns);
	put_paths(p, &cells, COLOURS, begin_node);
}

/* ---- figures ---- */

static void put_figure(const struct panel *p, int row, const char *name,
		       int64_t value)
{
	fprintf(p->to, "<text x=\"%d\" y=\"%d\">%s: %" PRId64, p->x,
		FIGURES + row * ROW, name, value);
}

static void put_figures(const struct panel *p)
{
	int64_t all = p->picture->order->graph->weight;

	put_figure(p, 0, "weight between nodes", p->cost->sum);
	fprintf(p->to, " of %" PRId64 ", %.1f %%</text>\n", all,
		all ? 100.0 * (double)p->cost->sum / (double)all : 0);
	put_figure(p, 1, "weight of the node with most", p->cost->max);
	fputs("</text>\n", p->to);
	put_figure(p, 2, "most messages of a node", p->cost->messages);
	fputs("</text>\n", p->to);
}

/* What was done, below the figures of the right panel. */
static void put_method(const struct panel *p)
{
	const struct wtopo_order *order = p->picture->order;
	const struct wtopo_options *o = order->options;
	const struct wf_reorder_result *r = &order->result;

	put_figure(p, 3, "ranks moved", r->moved);
	fprintf(p->to, " of %d</text>\n<text x=\"%d\" y=\"%d\">%s, metric %s, "
		"%ld passes of swaps at most: <tspan class=\"time\">%.3f s"
		"</tspan></text>\n", order->graph->n, p->x, FIGURES + 4 * ROW,
		wf_reorder_method_name(o->method), wtopo_metric_name(o->metric),
		o->refine, order->seconds);
	if (!r->kept && !r->instead)
		return;
	fprintf(p->to, "<text x=\"%d\" y=\"%d\">", p->x, FIGURES + 5 * ROW);
	if (r->instead)
		fprintf(p->to, "greedy, because %s%s", r->instead,
			r->kept ? "; " : "");
	if (r->kept)
		fprintf(p->to, "all stay: %s", r->kept);
	fputs("</text>\n", p->to);
}

/* ---- all of it ---- */

static void put_panel(const struct panel *p, const char *name)
{
	fprintf(p->to, "<text class=\"panel\" x=\"%d\" y=\"%d\">%s</text>\n",
		p->x, TOP - 10, name);
	put_matrix(p);
	put_nodes(p);
	put_figures(p);
}

static void put_head(FILE *to, const struct wtopo_order *order)
{
	const char *slash = strrchr(order->options->file, '/');
	const char *name = slash ? slash + 1 : order->options->file;

	fputs("<title>", to);
	svg_text(to, name);
	fputs("</title>\n<desc>Which rank sends to which, dark where much, "
	      "and the node of each vertex, before and after a reorder</desc>\n"
	      "<text class=\"title\" x=\"40\" y=\"32\">", to);
	svg_text(to, name);
	fprintf(to, "</text>\n<text class=\"about\" x=\"%d\" y=\"54\">%d "
		"ranks, %ld on each of %d nodes, %" PRId64 " edges; senders "
		"from top to bottom, receivers from left to right", LEFT,
		order->graph->n, order->options->per_node, order->nodes,
		order->graph->count);
	if (order->options->shuffle)
		fprintf(to, "; numbers dealt out by seed %" PRIu64,
			order->options->seed);
	fputs("</text>\n", to);
}

void wtopo_picture_put(FILE *to, const void *arg)
{
	const struct wtopo_picture *picture = arg;
	const struct wtopo_order *order = picture->order;
	const struct panel before = { to, picture, &picture->before,
		order->before, &order->result.before, LEFT };
	const struct panel after = { to, picture, &picture->after,
		order->after, &order->result.after, LEFT + PANEL + GAP };

	svg_open(to, WIDTH, HEIGHT, style);
	put_head(to, order);
	put_panel(&before, "before");
	put_panel(&after, "after");
	put_method(&after);
	svg_close(to);
}
