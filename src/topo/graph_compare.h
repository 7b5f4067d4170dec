/* SPDX-License-Identifier: BSD-3-Clause */
/* Do both ends of each edge say the same?  See graph_compare.c. */
#ifndef WEFT_TOPO_GRAPH_COMPARE_H
#define WEFT_TOPO_GRAPH_COMPARE_H

#include "topo/graph_make.h"

/*
 * By all ranks, with their statuses so far.  An error, told, at a rank whose
 * in-edges are not what others have as out-edges to it: WEFT_ERR_GRAPH.
 */
int wf_graph_compare(struct wf_graph_maker *m, int status,
		     const struct weft_edges *in, const struct weft_edges *out);

#endif
