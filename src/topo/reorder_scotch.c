/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scotch maps the graph onto a complete one whose vertices are the nodes, as
 * large as their room, without imbalance.  Kept vertices, and nodes that have
 * no room without them, are not shown to it: swaps see what is bound to them.
 *
 * A context gives it random numbers that begin anew, without touching those of
 * the program, and one thread: with several it answers differently each time.
 * Sizes it promises nearly; reorder_fit.c makes them exact.
 */
#include "topo/reorder_scotch.h"

#include <stdlib.h>
#include <weft/status.h>
#include "topo/reorder_parts.h"

enum {
	BALANCE = 0x4			/* SCOTCH_STRATBALANCE */
};

/* What Scotch sees: all arrays are of SCOTCH_Num. */
struct view {
	const struct wf_reorder_parts *parts;
	struct wf_scotch lib;
	int *number;                    /* of a vertex in the view; -1: kept */
	int *node;                      /* of a part */
	int n, nodes;
	int64_t arcs;
	int shift;                      /* of weights, so that their sum fits */
	void *first, *other, *weight, *size, *part;
};

static void put(const struct view *view, void *array, int64_t i, int64_t value)
{
	if (view->lib.num_bytes == 8)
		((int64_t *)array)[i] = value;
	else
		((int32_t *)array)[i] = (int32_t)value;
}

static int64_t get(const struct view *view, const void *array, int64_t i)
{
	if (view->lib.num_bytes == 8)
		return ((const int64_t *)array)[i];
	return ((const int32_t *)array)[i];
}

static void *alloc_nums(const struct view *view, int64_t n)
{
	return malloc(((size_t)n + 1) * (size_t)view->lib.num_bytes);
}

/* Arcs of no weight would need one: they are left out. */
static bool shown(const struct view *view, int64_t e)
{
	const struct wf_reorder_graph *graph = view->parts->graph;

	return graph->weight[e] > 0 && view->number[graph->other[e]] >= 0;
}

static void count(struct view *view)
{
	const struct wf_reorder_parts *parts = view->parts;
	const struct wf_reorder_graph *graph = parts->graph;
	int bits = view->lib.num_bytes == 8 ? 62 : 30;
	double sum = 0;

	for (int v = 0; v < graph->n; v++)
		view->number[v] = wf_reorder_keeps(parts, v) ? -1 : view->n++;
	for (int node = 0; node < parts->nodes; node++) {
		if (parts->room[node])
			view->node[view->nodes++] = node;
	}
	for (int v = 0; v < graph->n; v++) {
		for (int64_t e = graph->first[v]; view->number[v] >= 0 &&
		     e < graph->first[v + 1]; e++) {
			view->arcs += shown(view, e);
			sum += (double)graph->weight[e];
		}
	}
	/* each arc gets 1 at least, which may add up to their number */
	while (sum + (double)view->arcs > (double)((int64_t)1 << bits)) {
		sum /= 2;
		if (++view->shift > 62)
			break;
	}
}

static void fill(struct view *view)
{
	const struct wf_reorder_graph *graph = view->parts->graph;
	int64_t at = 0;

	for (int v = 0; v < graph->n; v++) {
		if (view->number[v] < 0)
			continue;
		put(view, view->first, view->number[v], at);
		for (int64_t e = graph->first[v]; e < graph->first[v + 1];
		     e++) {
			int64_t weight = graph->weight[e] >> view->shift;

			if (!shown(view, e))
				continue;
			put(view, view->other, at,
			    view->number[graph->other[e]]);
			put(view, view->weight, at++, weight ? weight : 1);
		}
	}
	put(view, view->first, view->n, at);
	for (int i = 0; i < view->nodes; i++)
		put(view, view->size, i, view->parts->room[view->node[i]]);
}

static void view_fini(struct view *view)
{
	free(view->number);
	free(view->node);
	free(view->first);
	free(view->other);
	free(view->weight);
	free(view->size);
	free(view->part);
}

static int view_init(struct view *view)
{
	const struct wf_reorder_parts *parts = view->parts;

	view->number = malloc(((size_t)parts->graph->n + 1) * sizeof(int));
	view->node = malloc(((size_t)parts->nodes + 1) * sizeof(int));
	if (!view->number || !view->node)
		return WEFT_ERR_NOMEM;
	count(view);
	view->first = alloc_nums(view, view->n);
	view->other = alloc_nums(view, view->arcs);
	view->weight = alloc_nums(view, view->arcs);
	view->size = alloc_nums(view, view->nodes);
	view->part = alloc_nums(view, view->n);
	if (!view->first || !view->other || !view->weight || !view->size ||
	    !view->part)
		return WEFT_ERR_NOMEM;
	fill(view);
	return WEFT_OK;
}

static bool build_graph(const struct view *view, void *graph)
{
	const void *first = view->first;

	if (view->lib.num_bytes == 8)
		return !view->lib.build.by8(graph, 0, view->n, first, NULL,
					    NULL, NULL, view->arcs,
					    view->other, view->weight);
	return !view->lib.build.by4(graph, 0, view->n, first, NULL, NULL, NULL,
				    (int32_t)view->arcs, view->other,
				    view->weight);
}

static bool build_rest(const struct view *view, void *arch, void *strat)
{
	if (view->lib.num_bytes == 8)
		return !view->lib.weighted.by8(arch, view->nodes, view->size) &&
		       !view->lib.strategy.by8(strat, BALANCE, view->nodes, 0);
	return !view->lib.weighted.by4(arch, view->nodes, view->size) &&
	       !view->lib.strategy.by4(strat, BALANCE, view->nodes, 0);
}

static void *make(const struct view *view, const struct wf_scotch_kind *kind)
{
	void *object = kind->alloc();

	if (object && kind->init(object)) {
		view->lib.free(object);
		return NULL;
	}
	return object;
}

static void unmake(const struct view *view, const struct wf_scotch_kind *kind,
		   void *object)
{
	if (!object)
		return;
	kind->exit(object);
	view->lib.free(object);
}

static bool bind(const struct view *view, void *context, void *graph,
		 void *bound)
{
	const struct wf_scotch *lib = &view->lib;

	if (lib->random_clone(context) || lib->spawn(context, 1, NULL))
		return false;
	lib->random_reset(context);
	return build_graph(view, graph) && !lib->bind(context, graph, bound);
}

/* False: Scotch failed. */
static bool map(const struct view *view)
{
	const struct wf_scotch *lib = &view->lib;
	void *context = make(view, &lib->context);
	void *graph = make(view, &lib->graph);
	void *bound = make(view, &lib->graph);
	void *arch = make(view, &lib->arch);
	void *strat = make(view, &lib->strat);
	bool done = context && graph && bound && arch && strat &&
		bind(view, context, graph, bound) &&
		build_rest(view, arch, strat) &&
		!lib->map(bound, arch, strat, view->part);

	unmake(view, &lib->strat, strat);
	unmake(view, &lib->arch, arch);
	unmake(view, &lib->graph, bound);
	unmake(view, &lib->graph, graph);
	unmake(view, &lib->context, context);
	return done;
}

static int take(const struct view *view)
{
	const struct wf_reorder_parts *parts = view->parts;

	for (int v = 0; v < parts->graph->n; v++) {
		if (view->number[v] >= 0)
			parts->home[v] = view->node[get(view, view->part,
							view->number[v])];
	}
	return wf_reorder_fit(parts);
}

int wf_reorder_scotch(const struct wf_reorder_parts *parts, const char **lack_p)
{
	struct view view = { .parts = parts };
	const char *lack = NULL;
	int status;

	if (!wf_scotch_open(&view.lib)) {
		*lack_p = "Scotch is not found at run time";
		return WEFT_OK;
	}
	status = view_init(&view);
	if (!status && view.lib.num_bytes == 4 && view.arcs > INT32_MAX / 2)
		lack = "Scotch counts in 32 bits, the graph is too large";
	else if (!status && view.nodes > 1 && !map(&view))
		lack = "Scotch failed";
	if (!status && !lack && view.nodes > 1)
		status = take(&view);
	view_fini(&view);
	wf_scotch_close(&view.lib);
	if (!status)
		*lack_p = lack;
	return status;
}
