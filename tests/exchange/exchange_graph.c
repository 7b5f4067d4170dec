/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random graphs. All ranks draw the same list of edges; each puts its own into
 * an order of its own, in which only those to one peer keep their order.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/exchange/exchange_parts.h"

/* Out-degrees from 0 to the most; duplicate and self edges as they come. */
static void draw_edges(struct run *run, struct graph *graph)
{
	uint64_t most = (uint64_t)run->options->max_degree;
	int i, k;

	graph->all = calloc((size_t)run->size * most + 1, sizeof(*graph->all));
	for (i = 0; i < run->size; i++) {
		uint64_t degree = draw_below(&run->shared, most + 1);

		while (degree--) {
			int to = (int)draw_below(&run->shared,
						 (uint64_t)run->size);

			graph->all[graph->nall++] = (struct edge){ i, to, 0 };
		}
	}
	for (i = 0; i < graph->nall; i++)
		for (k = i - 1; k >= 0; k--) {
			if (graph->all[k].from != graph->all[i].from)
				break;
			graph->all[i].k += graph->all[k].to ==
					   graph->all[i].to;
		}
}

/*
 * The edges that leave, or reach, this rank, shuffled; then the k of those
 * with the same peer are put in order again.
 */
static int own_edges(struct run *run, const struct graph *graph, bool in,
		     struct edge **list_p)
{
	struct edge *list = calloc((size_t)graph->nall + 1, sizeof(*list));
	int n = 0;

	for (int i = 0; i < graph->nall; i++) {
		const struct edge *e = &graph->all[i];

		if ((in ? e->to : e->from) == run->rank)
			list[n++] = *e;
	}
	for (int i = n - 1; i > 0; i--) {
		int k = (int)draw_below(&run->own, (uint64_t)i + 1);
		struct edge e = list[i];

		list[i] = list[k];
		list[k] = e;
	}
	for (int i = 0; i < n; i++) {
		list[i].k = 0;
		for (int k = 0; k < i; k++)
			list[i].k += list[k].from == list[i].from &&
				     list[k].to == list[i].to;
	}
	*list_p = list;
	return n;
}

static int *peers(const struct edge *edges, int n, bool in)
{
	int *ranks = calloc((size_t)n + 1, sizeof(*ranks));

	for (int i = 0; i < n; i++)
		ranks[i] = in ? edges[i].from : edges[i].to;
	return ranks;
}

static void create(struct run *run, struct graph *graph)
{
	int *in = peers(graph->in, graph->nin, true);
	int *out = peers(graph->out, graph->nout, false);
	const struct weft_edges ins = { graph->nin, in, NULL };
	const struct weft_edges outs = { graph->nout, out, NULL };
	int nin = -1, nout = -1, status;

	status = weft_graph_create_adjacent(weft_job_world(run->job), &ins,
					    &outs, NULL, false, &graph->comm);
	if (run_ok(run, status, "weft_graph_create_adjacent") &&
	    run_ok(run, weft_graph_degrees(graph->comm, &nin, &nout, NULL),
		   "weft_graph_degrees") &&
	    (nin != graph->nin || nout != graph->nout))
		run_fail(run, "degrees %d and %d, expected %d and %d", nin,
			 nout, graph->nin, graph->nout);
	free(in);
	free(out);
}

struct graph *graph_make(struct run *run)
{
	struct graph *graph = calloc(1, sizeof(*graph));

	graph->key = draw_u64(&run->shared);
	draw_edges(run, graph);
	graph->nin = own_edges(run, graph, true, &graph->in);
	graph->nout = own_edges(run, graph, false, &graph->out);
	create(run, graph);
	for (int i = 0; i < REQUESTS && !run_is_over(run); i++)
		if (draw_below(&run->shared, 2) && !run->options->no_requests)
			graph->persistent[i] = op_make(run, graph,
						       PERSISTENT, false);
	return graph;
}

void graph_drop(struct run *run, struct graph *graph)
{
	const struct exchange_options *o = run->options;

	if (!run_is_over(run) && o->rests)
		o->rests(o->arg, graph->comm);
	for (int i = 0; i < REQUESTS; i++)
		if (graph->persistent[i])
			op_free(run, graph->persistent[i]);
	if (!run->broken && !run->abandons && graph->comm)
		run_ok(run, weft_comm_free(&graph->comm), "weft_comm_free");
	free(graph->all);
	free(graph->in);
	free(graph->out);
	free(graph);
}
