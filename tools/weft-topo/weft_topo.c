/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-topo: which ranks of a graph send to which, on which nodes they are, and
 * what a reorder makes of it.
 */
#include <stdio.h>

#include "bench/weft_bench_words.h"
#include "tools/weft-topo/weft_topo_picture.h"

static bool load(const struct wtopo_options *o, struct wtopo_graph *g)
{
	struct cg_why why;
	int status = wtopo_graph_load(g, o->file, &why);

	if (!status && o->coords)
		status = wtopo_coords_load(g, o->coords, &why);
	if (!status && o->shuffle)
		status = wtopo_graph_shuffle(g, o->seed, &why);
	if (status)
		fprintf(stderr, "weft-topo: %s\n", why.text);
	return !status;
}

/* Whatever is written to standard output is looked at by main(). */
static bool put(const struct wtopo_options *o,
		void (*content)(FILE *to, const void *arg), const void *arg)
{
	if (o->output)
		return option_file("weft-topo: --output", o->output, content,
				   arg);
	content(stdout, arg);
	return true;
}

static bool draw(const struct wtopo_order *order)
{
	struct wtopo_picture picture;
	bool good;

	if (order->options->json)
		return put(order->options, wtopo_report_put, order);
	if (!wtopo_picture_make(&picture, order))
		return false;
	good = put(order->options, wtopo_picture_put, &picture);
	wtopo_picture_free(&picture);
	return good;
}

static int run(const struct wtopo_options *o)
{
	struct wtopo_graph graph = { 0 };
	struct wtopo_order order;
	bool good = load(o, &graph) && wtopo_order_make(&order, o, &graph);

	if (good) {
		good = draw(&order);
		wtopo_order_free(&order);
	}
	wtopo_graph_free(&graph);
	return !good;
}

int main(int argc, char **argv)
{
	struct wtopo_options options;
	enum wtopo_todo todo = wtopo_options_parse(argc, argv, &options);

	if (todo == WTOPO_TODO_FAIL)
		return 2;
	return option_end("weft-topo", todo == WTOPO_TODO_RUN ? run(&options) :
								0);
}
