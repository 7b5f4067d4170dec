/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reorder: which process is to be which vertex of a graph, so that what is
 * heavy stays within a node.  A pure function of a sparse graph, of the nodes
 * of the places, and of keys: nothing is sent here, and the same arguments give
 * the same answer, so one rank computes it, and tells the others.
 *
 * A *vertex* is a rank as the program names it in its edges, a *place* is a
 * process, by the rank that it has before.  Vertex i is at place i at first.
 */
#ifndef WEFT_TOPO_REORDER_H
#define WEFT_TOPO_REORDER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Symmetric: what goes from a to b and from b to a adds up to one weight, which
 * stands in the row of either.  Rows ascend and name no vertex twice, nor
 * themselves.
 */
struct wf_reorder_graph {
	int n;
	int64_t *first;                 /* n + 1; row i ends at first[i + 1] */
	int *other;
	int64_t *weight;                /* 0 or more */
};

/* One edge as the program gave it. */
struct wf_reorder_edge {
	int from, to;
	int64_t weight;
};

/*
 * Edges to itself are left out, those between the same two add up, in time and
 * memory of their number and n.  WEFT_OK or WEFT_ERR_NOMEM.
 */
int wf_reorder_graph_init(struct wf_reorder_graph *graph, int n,
			  const struct wf_reorder_edge *edges, int64_t count);
void wf_reorder_graph_fini(struct wf_reorder_graph *graph);

#endif
