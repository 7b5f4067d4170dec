/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a numbering costs: the weight between nodes, that of the node with the
 * most, which sets the time of an exchange, and the messages of that with most.
 */
#include "topo/reorder.h"

#include <stdlib.h>
#include <weft/status.h>
#include "base/zeroed.h"

/* One node's. */
struct load {
	int64_t weight;
	int64_t messages;
};

static void load_up(const struct wf_reorder_graph *graph, const int *home,
		    bool messages, struct load *load)
{
	for (int i = 0; i < graph->n; i++) {
		struct load *l = &load[home[i]];

		for (int64_t e = graph->first[i]; e < graph->first[i + 1];
		     e++) {
			if (home[graph->other[e]] == home[i])
				continue;
			l->weight += graph->weight[e];
			l->messages += messages ? graph->weight[e] : 1;
		}
	}
}

int wf_reorder_measure(const struct wf_reorder_graph *graph, const int *home,
		       int nodes, bool messages,
		       struct weft_reorder_cost *cost_p)
{
	struct load *load = wf_zeroed((size_t)nodes + 1, sizeof(*load));
	struct weft_reorder_cost cost = { 0, 0, 0 };

	if (!load)
		return WEFT_ERR_NOMEM;
	load_up(graph, home, messages, load);
	for (int i = 0; i < nodes; i++) {
		cost.sum += load[i].weight;
		if (load[i].weight > cost.max)
			cost.max = load[i].weight;
		if (load[i].messages > cost.messages)
			cost.messages = load[i].messages;
	}
	cost.sum /= 2;			/* each was seen from either end */
	free(load);
	*cost_p = cost;
	return WEFT_OK;
}
