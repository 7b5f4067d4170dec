/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Creating a graph from each rank's own edges: local but for refills of ids and
 * the closing agreement, unless both ends are to be compared.
 */
#include "base/handle.h"
#include "topo/graph_compare.h"

static int check(struct wf_graph_maker *m, const struct weft_edges *in,
		 const struct weft_edges *out)
{
	int status = wf_graph_check_side(m, "in", in);

	return status ? status : wf_graph_check_side(m, "out", out);
}

static int create(struct wf_graph_maker *m, const struct weft_edges *in,
		  const struct weft_edges *out)
{
	int status = check(m, in, out), begun = wf_graph_begin(m);

	if (!status)
		status = begun;
	if (m->parent->job->config.check >= 2)
		status = wf_graph_compare(m, status, in, out);
	return status ? status : wf_graph_add_edges(m, in, out);
}

int weft_graph_create_adjacent(struct weft_comm *comm,
			       const struct weft_edges *in,
			       const struct weft_edges *out,
			       const struct weft_info *info, bool reorder,
			       struct weft_comm **graph_p)
{
	struct wf_graph_maker m;
	int status = wf_comm_enter(comm);

	wf_no_handle(graph_p);
	if (status)
		return status;
	m = wf_graph_maker(comm, __func__);
	wf_comm_hold(comm);
	status = create(&m, in, out);
	if (!status)
		status = wf_graph_check_wishes(&m, info, reorder);
	status = wf_graph_end(&m, status, graph_p);
	if (!status)
		(*graph_p)->origin = (struct wf_origin){ m.call,
							 WF_CALLED_FROM };
	return wf_comm_leave_held(comm, status);
}
