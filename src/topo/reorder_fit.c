/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes nodes exactly full where a method only nearly did: of those with too
 * many vertices the loosest leave, each for the node with room to which it is
 * bound most.  O((n + edges) log n).
 */
#include "topo/reorder_parts.h"

#include <stdlib.h>
#include <weft/status.h>
#include "topo/reorder_heap.h"

/* -1: it is bound to none that has room. */
static int best_node(const struct wf_reorder_parts *parts, const int *room,
		     int v)
{
	const struct wf_reorder_graph *graph = parts->graph;
	int64_t most = 0;
	int best = -1;

	for (int64_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
		int node = parts->home[graph->other[e]];
		int64_t bond;

		if (room[node] <= 0 || node == best)
			continue;
		bond = wf_reorder_bond(parts, v, node);
		if (best < 0 || bond > most) {
			most = bond;
			best = node;
		}
	}
	return best;
}

static void move(const struct wf_reorder_parts *parts, int *room,
		 struct wf_reorder_heap *loose)
{
	int with_room = 0, v;

	while ((v = wf_reorder_heap_pop(loose)) >= 0) {
		int node;

		if (room[parts->home[v]] >= 0)
			continue;
		node = best_node(parts, room, v);
		while (node < 0 && room[with_room] <= 0)
			with_room++;
		if (node < 0)
			node = with_room;
		room[parts->home[v]]++;
		room[node]--;
		parts->home[v] = node;
	}
}

int wf_reorder_fit(const struct wf_reorder_parts *parts)
{
	struct wf_reorder_heap loose;
	int n = parts->graph->n;
	int *room = malloc(((size_t)parts->nodes + 1) * sizeof(*room));
	int status = WEFT_ERR_NOMEM;

	if (room)
		status = wf_reorder_heap_init(&loose, n);
	if (status) {
		free(room);
		return status;
	}
	for (int node = 0; node < parts->nodes; node++)
		room[node] = parts->room[node];
	for (int v = 0; v < n; v++)
		room[parts->home[v]] -= !wf_reorder_keeps(parts, v);
	for (int v = 0; v < n; v++) {
		int home = parts->home[v];

		if (!wf_reorder_keeps(parts, v) && room[home] < 0)
			wf_reorder_heap_set(&loose, v,
					    -wf_reorder_bond(parts, v, home));
	}
	move(parts, room, &loose);
	wf_reorder_heap_fini(&loose);
	free(room);
	return WEFT_OK;
}
