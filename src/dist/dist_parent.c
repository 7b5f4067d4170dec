/* SPDX-License-Identifier: BSD-3-Clause */
/* The parent of a Dist, and the graph on its ranks: the calls. */
#include <weft/dist_query.h>
#include "base/handle.h"
#include "dist/dist.h"

static int check(const struct weft_dist *dist, const char *call,
		 const struct weft_comm *comm)
{
	if (!comm)
		return wf_job_fail_null(dist->job, call, "comm");
	if (comm->job != dist->job)
		return wf_job_fail_for(dist->job, WEFT_ARGUMENT_COMM,
				       WEFT_ERR_ARG, "%s: comm is of another "
				       "job", call);
	if (comm->freed)
		return wf_job_fail_for(dist->job, WEFT_ARGUMENT_COMM,
				       WEFT_ERR_ARG, "%s: comm was freed",
				       call);
	if (comm->across)
		return wf_job_fail_for(dist->job, WEFT_ARGUMENT_COMM,
				       WEFT_ERR_ARG, "%s: comm is an "
				       "intercommunicator", call);
	if (dist->link)
		return wf_job_fail(dist->job, WEFT_ERR_ARG, "%s: the Dist of "
				   "rank %d has a pattern: "
				   "weft_dist_change_comm renames its ranks",
				   call, dist->parent->rank);
	return WEFT_OK;
}

int weft_dist_set_parent_comm(struct weft_dist *dist, struct weft_comm *comm)
{
	int status = wf_dist_enter(dist, __func__);

	if (status)
		return status;
	status = check(dist, __func__, comm);
	if (!status)
		wf_dist_set_parent(dist, comm);
	return wf_dist_leave(dist, status);
}

int weft_dist_parent_comm(const struct weft_dist *dist,
			  struct weft_comm **comm_p)
{
	int status = wf_dist_enter(dist, __func__);

	wf_no_handle(comm_p);
	if (status)
		return status;
	if (!comm_p)
		status = wf_job_fail_null(dist->job, __func__, "comm_p");
	else if (dist->parent->freed)
		status = wf_job_fail(dist->job, WEFT_ERR_ARG, "%s: the parent "
				     "was freed", __func__);
	else
		*comm_p = dist->parent;
	return wf_dist_leave(dist, status);
}

int weft_dist_comm(const struct weft_dist *dist, struct weft_comm **graph_p)
{
	int status = wf_dist_enter(dist, __func__);

	wf_no_handle(graph_p);
	if (status)
		return status;
	status = graph_p ? wf_dist_check_pattern(dist, __func__) :
		 wf_job_fail_null(dist->job, __func__, "graph_p");
	if (!status)
		*graph_p = wf_dist_graph(dist, WF_FORWARD);
	return wf_dist_leave(dist, status);
}
