/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the methods of a reorder have in common: they deal out vertices to
 * nodes, each of which must be full in the end.  At which of its places a
 * vertex is does not matter to them.
 *
 * Kept vertices are at home from the start and never leave; a method gives all
 * others a home, whatever they had.  Each returns WEFT_OK or WEFT_ERR_NOMEM.
 */
#ifndef WEFT_TOPO_REORDER_PARTS_H
#define WEFT_TOPO_REORDER_PARTS_H

#include "topo/reorder.h"

struct wf_reorder_parts {
	const struct wf_reorder_graph *graph;
	const struct wf_reorder_keys *keys;
	int nodes;
	const int *room;                /* of each node, without kept ones */
	int *home;                      /* node of each vertex */
};

static inline bool wf_reorder_keeps(const struct wf_reorder_parts *parts,
				    int i)
{
	return parts->keys->keep && parts->keys->keep[i];
}

/* Weight between vertex i and node `node`. */
static inline int64_t wf_reorder_bond(const struct wf_reorder_parts *parts,
				      int i, int node)
{
	const struct wf_reorder_graph *graph = parts->graph;
	int64_t bond = 0;

	for (int64_t e = graph->first[i]; e < graph->first[i + 1]; e++) {
		if (parts->home[graph->other[e]] == node)
			bond += graph->weight[e];
	}
	return bond;
}

/* Grows node after node from a corner of what is left. */
int wf_reorder_greedy(const struct wf_reorder_parts *parts);

/* Cuts along the coordinates. */
int wf_reorder_rcb(const struct wf_reorder_parts *parts);

/* What Scotch says; *lack_p NULL, or why it does not, with homes as before. */
int wf_reorder_scotch(const struct wf_reorder_parts *parts,
		      const char **lack_p);

/* Moves as few vertices as possible so that each node has what it has room
 * for. */
int wf_reorder_fit(const struct wf_reorder_parts *parts);

/* Swaps vertices of two nodes while the metric falls; never makes it worse. */
int wf_reorder_refine(const struct wf_reorder_parts *parts);

#endif
