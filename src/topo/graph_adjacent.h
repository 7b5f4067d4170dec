/* SPDX-License-Identifier: BSD-3-Clause */
/* Edges that each rank gives of its own, for a constructor. */
#ifndef WEFT_TOPO_GRAPH_ADJACENT_H
#define WEFT_TOPO_GRAPH_ADJACENT_H

#include "topo/graph_make.h"

struct wf_graph_own {
	const struct weft_edges *in, *out;
};

/* What such a call is given: struct wf_graph_call. */
int wf_graph_create_own(struct wf_graph_maker *m, const void *own);

#endif
