/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program gives to a reorder, and what it hears of it: the calls. */
#include <weft/reorder.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "topo/graph_reorder.h"

static int check_coords(struct weft_comm *comm, const double *coords)
{
	for (int i = 0; i < 3; i++)
		if (!isfinite(coords[i]))
			return wf_job_fail(comm->job, WEFT_ERR_ARG,
					   "weft_comm_set_coords: coords[%d] "
					   "is %g, not finite", i, coords[i]);
	return WEFT_OK;
}

static int set_coords(struct weft_comm *comm, const double *coords)
{
	size_t bytes = 3 * sizeof(*coords);
	int status = check_coords(comm, coords);

	if (status)
		return status;
	if (!comm->coords)
		comm->coords = malloc(bytes);
	if (!comm->coords)
		return wf_job_fail(comm->job, WEFT_ERR_NOMEM,
				   "weft_comm_set_coords: no memory");
	memcpy(comm->coords, coords, bytes);
	return WEFT_OK;
}

int weft_comm_set_coords(struct weft_comm *comm, const double coords[3])
{
	int status = wf_comm_ask(comm);

	if (status)
		return status;
	if (coords)
		return wf_comm_leave(comm, set_coords(comm, coords));
	free(comm->coords);
	comm->coords = NULL;
	return wf_comm_leave(comm, WEFT_OK);
}

static void tell(const struct wf_reordered *what,
		 struct weft_reorder_info *info_p)
{
	*info_p = (struct weft_reorder_info){
		.why = "no reorder was asked for, by the argument and a key"
	};
	if (!what)
		return;
	info_p->moved = what->moved;
	info_p->before = what->before;
	info_p->after = what->after;
	info_p->seconds = (double)what->ns / (double)WF_NS_PER_S;
	info_p->why = what->why[0] ? what->why : NULL;
	if (what->method != WF_REORDER_NONE)
		info_p->method = wf_reorder_method_name(
				(enum wf_reorder_method)what->method);
}

int weft_reorder_query(const struct weft_comm *graph,
		       struct weft_reorder_info *info_p)
{
	struct wf_graph *g = wf_graph_of(graph);
	int status;

	if (!g)
		return wf_graph_refuse(graph, __func__);
	status = wf_job_ask(graph->job);
	if (status)
		return status;
	if (info_p)
		tell(g->reordered, info_p);
	else
		status = wf_job_fail(graph->job, WEFT_ERR_ARG,
				     "%s: info_p is NULL", __func__);
	return wf_comm_leave(g->comm, status);
}
