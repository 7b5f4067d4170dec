/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Greedy growth: one node after the other takes the vertices that are bound
 * most to what it has, until it is full.
 *
 * What is *open* of a vertex is its weight to vertices without a home.  A node
 * begins with the vertex of which least is open, a corner of what is left, so
 * that no hole remains that later ones would have to fill from afar; it goes on
 * with the one that adds least to the weight between it and what is left.
 * O((n + edges) log n).
 */
#include "topo/reorder_parts.h"

#include <stdlib.h>
#include <weft/status.h>
#include "topo/reorder_heap.h"

struct growth {
	const struct wf_reorder_parts *parts;
	struct wf_reorder_heap left;    /* without a home, by less what is open:
					 * a corner on top */
	struct wf_reorder_heap fringe;  /* of them, bound to the growing node:
					 * weight to it less what is open */
	int *kept;                      /* first of each node, or -1, */
	int *chain;                     /* and the one behind vertex v */
};

/* All that are not kept lose their home. */
static void leave_home(struct growth *g)
{
	const struct wf_reorder_parts *parts = g->parts;
	int n = parts->graph->n;

	for (int v = 0; v < n; v++) {
		if (!wf_reorder_keeps(parts, v))
			parts->home[v] = -1;
	}
	for (int v = 0; v < n; v++) {
		if (parts->home[v] < 0)
			wf_reorder_heap_set(&g->left, v,
					    -wf_reorder_bond(parts, v, -1));
	}
}

/* v is of the node that grows: its neighbours are bound to it. */
static void bind(struct growth *g, int v, bool was_left)
{
	const struct wf_reorder_graph *graph = g->parts->graph;

	for (int64_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
		int64_t weight = graph->weight[e], key;
		int u = graph->other[e];

		if (!wf_reorder_heap_has(&g->left, u))
			continue;
		key = wf_reorder_heap_has(&g->fringe, u) ?
			g->fringe.key[u] : g->left.key[u];
		if (was_left)
			wf_reorder_heap_set(&g->left, u,
					    g->left.key[u] + weight);
		key += was_left ? 2 * weight : weight;
		wf_reorder_heap_set(&g->fringe, u, key);
	}
}

static int next(struct growth *g)
{
	int v = wf_reorder_heap_pop(&g->fringe);

	if (v < 0)
		return wf_reorder_heap_pop(&g->left);
	wf_reorder_heap_drop(&g->left, v);
	return v;
}

static void grow(struct growth *g, int node)
{
	wf_reorder_heap_clear(&g->fringe);
	for (int v = g->kept[node]; v >= 0; v = g->chain[v])
		bind(g, v, false);
	for (int room = g->parts->room[node]; room > 0; room--) {
		int v = next(g);

		g->parts->home[v] = node;
		bind(g, v, true);
	}
}

static int growth_init(struct growth *g, const struct wf_reorder_parts *parts)
{
	int n = parts->graph->n;
	int status = wf_reorder_heap_init(&g->left, n);

	if (status)
		return status;
	status = wf_reorder_heap_init(&g->fringe, n);
	if (status)
		goto fini_left;
	g->parts = parts;
	g->kept = malloc(((size_t)parts->nodes + 1) * sizeof(*g->kept));
	g->chain = malloc(((size_t)n + 1) * sizeof(*g->chain));
	if (g->kept && g->chain)
		return WEFT_OK;
	status = WEFT_ERR_NOMEM;
	free(g->kept);
	free(g->chain);
	wf_reorder_heap_fini(&g->fringe);

fini_left:
	wf_reorder_heap_fini(&g->left);
	return status;
}

static void growth_fini(struct growth *g)
{
	free(g->kept);
	free(g->chain);
	wf_reorder_heap_fini(&g->fringe);
	wf_reorder_heap_fini(&g->left);
}

static void chain_kept(struct growth *g)
{
	const struct wf_reorder_parts *parts = g->parts;

	for (int node = 0; node < parts->nodes; node++)
		g->kept[node] = -1;
	for (int v = 0; v < parts->graph->n; v++) {
		if (!wf_reorder_keeps(parts, v))
			continue;
		g->chain[v] = g->kept[parts->home[v]];
		g->kept[parts->home[v]] = v;
	}
}

int wf_reorder_greedy(const struct wf_reorder_parts *parts)
{
	struct growth g;
	int status = growth_init(&g, parts);

	if (status)
		return status;
	chain_kept(&g);
	leave_home(&g);
	for (int node = 0; node < parts->nodes; node++)
		grow(&g, node);
	growth_fini(&g);
	return WEFT_OK;
}
