/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ranks of a graph before and after a reorder.
 */
#ifndef WEFT_TOOL_TOPO_ORDER_H
#define WEFT_TOOL_TOPO_ORDER_H

#include <stdbool.h>
#include <stdio.h>

#include "tools/weft-topo/weft_topo_graph.h"
#include "tools/weft-topo/weft_topo_options.h"

struct wtopo_order {
	const struct wtopo_options *options;
	const struct wtopo_graph *graph;
	int nodes;
	int *before, *after;	/* the place of each rank; per_node of them lie
				 * on a node, one behind the other */
	struct wf_reorder_result result;
	double seconds;		/* of the reorder */
};

/* False: it could not, which was said, and there is nothing to free. */
bool wtopo_order_make(struct wtopo_order *order,
		      const struct wtopo_options *options,
		      const struct wtopo_graph *graph);
void wtopo_order_free(struct wtopo_order *order);

static inline int wtopo_node(const struct wtopo_order *order, int place)
{
	return (int)(place / order->options->per_node);
}

/* weft_topo_report.c: figures as JSON; arg is an order. */
void wtopo_report_put(FILE *to, const void *arg);

#endif
