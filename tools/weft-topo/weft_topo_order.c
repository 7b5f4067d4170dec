/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the reorder of the library (topo/reorder.h) on the graph of a file.
 */
#include "tools/weft-topo/weft_topo_order.h"

#include <stdlib.h>

#include "base/clock.h"
#include "topo/reorder_keys.h"

/* What one reorder takes. */
struct input {
	struct wf_reorder_graph graph;
	int *node;		/* of each place */
	bool *keep;
};

static bool lack(void)
{
	fputs("weft-topo: not enough memory\n", stderr);
	return false;
}

static bool run(struct wtopo_order *order, const struct input *in)
{
	const struct wtopo_options *o = order->options;
	const struct wf_reorder_places places = { order->nodes, in->node };
	const struct wf_reorder_keys keys = {
		.method = o->method, .metric = o->metric,
		.refine = (int)o->refine, .keep = in->keep,
		.coords = order->graph->coords
	};
	uint64_t begin = wf_clock_ns();

	if (wf_reorder(&in->graph, &places, &keys, order->after,
		       &order->result))
		return lack();
	order->seconds = (double)(wf_clock_ns() - begin) / WF_NS_PER_S;
	return true;
}

static bool keep(const struct wtopo_order *order, const struct input *in)
{
	const char *text = order->options->keep;

	if (!text || wf_reorder_mark_kept(text, order->graph->n, in->keep))
		return true;
	fprintf(stderr, "weft-topo: --keep %s: give ranks below %d, as many as "
		"%s has\n", text, order->graph->n, order->options->file);
	return false;
}

static bool reorder(struct wtopo_order *order)
{
	const struct wtopo_graph *g = order->graph;
	size_t n = (size_t)g->n;
	struct input in = {
		.node = malloc(n * sizeof(*in.node)),
		.keep = calloc(n, sizeof(*in.keep))
	};
	bool good = false;

	for (int p = 0; in.node && p < g->n; p++)
		in.node[p] = wtopo_node(order, p);
	if (!in.node || !in.keep ||
	    wf_reorder_graph_init(&in.graph, g->n, g->edge, g->count)) {
		lack();
		goto free_arrays;
	}
	good = keep(order, &in) && run(order, &in);
	wf_reorder_graph_fini(&in.graph);

free_arrays:
	free(in.node);
	free(in.keep);
	return good;
}

bool wtopo_order_make(struct wtopo_order *order,
		      const struct wtopo_options *options,
		      const struct wtopo_graph *graph)
{
	size_t n = (size_t)graph->n;
	bool good;

	*order = (struct wtopo_order){
		.options = options, .graph = graph,
		.before = malloc(n * sizeof(*order->before)),
		.after = malloc(n * sizeof(*order->after))
	};
	order->nodes = wtopo_node(order, graph->n - 1) + 1;
	for (int r = 0; order->before && r < graph->n; r++)
		order->before[r] = r;
	good = order->before && order->after ? reorder(order) : lack();
	if (!good)
		wtopo_order_free(order);
	return good;
}

void wtopo_order_free(struct wtopo_order *order)
{
	free(order->before);
	free(order->after);
}
