/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The graph of a reorder, from edges in any order.
 *
 * Both directions of each edge are dealt out to rows as they come.  Dealt out
 * once more, rows in turn, to the rows of their others, each row ascends, as
 * the matrix is symmetric: a sort without a comparison.  Equal neighbours then
 * lie side by side and are added up.
 */
#include "topo/reorder.h"

#include <stdlib.h>
#include <weft/status.h>
#include "base/zeroed.h"

static int graph_alloc(struct wf_reorder_graph *graph, int n, int64_t entries)
{
	size_t size = (size_t)entries + 1;	/* malloc(0) may be NULL */

	graph->n = n;
	graph->first = wf_zeroed((size_t)n + 1, sizeof(*graph->first));
	graph->other = malloc(size * sizeof(*graph->other));
	graph->weight = malloc(size * sizeof(*graph->weight));
	if (graph->first && graph->other && graph->weight)
		return WEFT_OK;
	wf_reorder_graph_fini(graph);
	return WEFT_ERR_NOMEM;
}

void wf_reorder_graph_fini(struct wf_reorder_graph *graph)
{
	free(graph->first);
	free(graph->other);
	free(graph->weight);
}

/* Lengths of rows in [0, n) become the places where they begin. */
static void rows_begin(int64_t *first, int n)
{
	int64_t sum = 0;

	for (int i = 0; i <= n; i++) {
		int64_t length = first[i];

		first[i] = sum;
		sum += length;
	}
}

/* After rows were filled by counting up where they begin. */
static void rows_back(int64_t *first, int n)
{
	for (int i = n; i > 0; i--)
		first[i] = first[i - 1];
	first[0] = 0;
}

static void append(struct wf_reorder_graph *graph, int row, int other,
		   int64_t weight)
{
	int64_t at = graph->first[row]++;

	graph->other[at] = other;
	graph->weight[at] = weight;
}

static void deal_edges(struct wf_reorder_graph *graph,
		       const struct wf_reorder_edge *edges, int64_t count)
{
	for (int64_t i = 0; i < count; i++) {
		const struct wf_reorder_edge *e = &edges[i];

		if (e->from == e->to)
			continue;
		append(graph, e->from, e->to, e->weight);
		append(graph, e->to, e->from, e->weight);
	}
	rows_back(graph->first, graph->n);
}

static void deal_rows(struct wf_reorder_graph *to,
		      const struct wf_reorder_graph *from)
{
	for (int row = 0; row < from->n; row++) {
		for (int64_t e = from->first[row]; e < from->first[row + 1];
		     e++)
			append(to, from->other[e], row, from->weight[e]);
	}
	rows_back(to->first, to->n);
}

static void add_up(struct wf_reorder_graph *graph)
{
	int64_t used = 0, at = 0;

	for (int row = 0; row < graph->n; row++) {
		int64_t end = graph->first[row + 1], begin = used;

		graph->first[row] = used;
		for (; at < end; at++) {
			if (used > begin &&
			    graph->other[used - 1] == graph->other[at]) {
				graph->weight[used - 1] += graph->weight[at];
				continue;
			}
			graph->other[used] = graph->other[at];
			graph->weight[used++] = graph->weight[at];
		}
	}
	graph->first[graph->n] = used;
}

int wf_reorder_graph_init(struct wf_reorder_graph *graph, int n,
			  const struct wf_reorder_edge *edges, int64_t count)
{
	struct wf_reorder_graph raw, sorted;
	int status = graph_alloc(&raw, n, 2 * count);

	if (status)
		return status;
	status = graph_alloc(&sorted, n, 2 * count);
	if (status)
		goto free_raw;
	for (int64_t i = 0; i < count; i++) {
		bool counts = edges[i].from != edges[i].to;

		raw.first[edges[i].from] += counts;
		raw.first[edges[i].to] += counts;
	}
	rows_begin(raw.first, n);
	for (int i = 0; i <= n; i++)
		sorted.first[i] = raw.first[i];
	deal_edges(&raw, edges, count);
	deal_rows(&sorted, &raw);
	add_up(&sorted);
	*graph = sorted;

free_raw:
	wf_reorder_graph_fini(&raw);
	return status;
}
