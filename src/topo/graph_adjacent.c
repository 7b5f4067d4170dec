/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Creating a graph from each rank's own edges: local but for refills of ids and
 * the closing agreement, unless both ends are to be compared.
 */
#include "topo/graph_adjacent.h"

#include "topo/graph_compare.h"

int wf_graph_create_own(struct wf_graph_maker *m, const void *given)
{
	const struct wf_graph_own *own = given;
	int status = wf_graph_check_side(m, "in", own->in), begun;

	if (!status)
		status = wf_graph_check_side(m, "out", own->out);
	begun = wf_graph_begin(m);
	if (!status)
		status = begun;
	if (m->parent->job->config.check >= 2)
		status = wf_graph_compare(m, status, own->in, own->out);
	return status ? status : wf_graph_add_edges(m, own->in, own->out);
}

int weft_graph_create_adjacent(struct weft_comm *comm,
			       const struct weft_edges *in,
			       const struct weft_edges *out,
			       const struct weft_info *info, bool reorder,
			       struct weft_comm **graph_p)
{
	const struct wf_graph_own own = { in, out };
	const struct wf_graph_call c = {
		.origin = { __func__, WF_CALLED_FROM }, .result = "graph_p",
		.create = wf_graph_create_own, .edges = &own, .info = info,
		.reorder = reorder
	};

	return wf_graph_construct(comm, &c, graph_p);
}
