/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Edges on their way from the rank that gives them to their two ends, and in
 * the order that they have there: by the neighbour's rank, the weight, the rank
 * that gave the edge, and the position there.  So the k-th edge from i to j at
 * i is the k-th one at j.
 */
#ifndef WEFT_TOPO_GRAPH_RECORDS_H
#define WEFT_TOPO_GRAPH_RECORDS_H

#include <weft/graph.h>
#include <weft/sparse.h>

/* One message to each rank that has an end of an edge given here. */
struct wf_edge_mail {
	struct weft_sparse sparse;	/* to be sent; its arrays are these: */
	int *ranks;
	size_t *bytes;
	struct wf_edge_record *record;
};

/* Of edges that were checked; WEFT_ERR_NOMEM. */
int wf_edge_mail_make(struct wf_edge_mail *mail,
		      const struct weft_graph_edges *edges);
void wf_edge_mail_free(struct wf_edge_mail *mail);

/* The edges of this rank, with weights, which are -1 where there are none. */
struct wf_edge_sides {
	struct weft_edges in, out;
	int *numbers;			/* memory of all four arrays */
};

/* From what has come; WEFT_ERR_NOMEM. */
int wf_edge_sides_make(struct wf_edge_sides *sides,
		       const struct weft_sparse_got *got);
void wf_edge_sides_free(struct wf_edge_sides *sides);

#endif
