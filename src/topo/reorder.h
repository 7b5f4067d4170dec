/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reorder: which process is to be which vertex of a graph, so that what is
 * heavy stays within a node.  A pure function of a sparse graph, of the nodes
 * of the places, and of keys: nothing is sent here, and the same arguments give
 * the same answer wherever Scotch is the same, but for a limit of time.  So one
 * rank computes it, and tells the others.
 *
 * A *vertex* is a rank as the program names it in its edges, a *place* is a
 * process, by the rank that it has before.  Vertex i is at place i at first.
 */
#ifndef WEFT_TOPO_REORDER_H
#define WEFT_TOPO_REORDER_H

#include <stdbool.h>
#include <stdint.h>
#include <weft/reorder.h>

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

/* As many places as vertices; place p is on node[p], 0 to nodes - 1. */
struct wf_reorder_places {
	int nodes;                      /* some may have no place */
	const int *node;
};

enum wf_reorder_method {
	WF_REORDER_NONE,
	WF_REORDER_GREEDY,
	WF_REORDER_SCOTCH,              /* greedy where it is not found */
	WF_REORDER_RCB                  /* greedy where there is no coord */
};

enum wf_reorder_metric {
	WF_REORDER_SUM,
	WF_REORDER_MAX
};

struct wf_reorder_keys {
	enum wf_reorder_method method;
	enum wf_reorder_metric metric;  /* what is to become less */
	bool messages;                  /* weights count messages, not bytes */
	int refine;                     /* passes of swaps at most */
	const bool *keep;               /* NULL, or those that stay */
	const double *coords;           /* NULL, or 3 of each vertex */
	/* NULL, or once this exceeds the limit no pass of swaps begins. */
	uint64_t (*clock_ns)(void *arg);
	void *arg;
	uint64_t limit_ns;
};

struct wf_reorder_result {
	struct weft_reorder_cost before, after;
	int moved;                      /* vertices that change their place */
	const char *instead;            /* NULL, or why another method ran */
	const char *kept;               /* NULL, or why all stay */
};

/*
 * place[i] is where vertex i goes, a permutation; all stay unless the metric
 * falls by a tenth or more.  WEFT_OK, or WEFT_ERR_NOMEM with place and result
 * as they were.
 */
int wf_reorder(const struct wf_reorder_graph *graph,
	       const struct wf_reorder_places *places,
	       const struct wf_reorder_keys *keys, int *place,
	       struct wf_reorder_result *result_p);

/* home[i] is the node of vertex i.  WEFT_OK or WEFT_ERR_NOMEM. */
int wf_reorder_measure(const struct wf_reorder_graph *graph, const int *home,
		       int nodes, bool messages,
		       struct weft_reorder_cost *cost_p);

/* The name by which a key asks for it. */
const char *wf_reorder_method_name(enum wf_reorder_method method);

#endif
