/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Persistent neighbour exchanges: each has an exchange set of its own, so they
 * do not wait for each other and may start in any order.  What its channels
 * need is prepared here, where waiting is allowed.
 */
#include <stdlib.h>
#include <weft/coll.h>
#include "topo/neighbor_plan.h"

static void release_persistent(struct weft_request *req)
{
	struct weft_comm *comm = req->comm;
	struct wf_set *set = req->run.set;

	wf_plan_destroy(req->run.plan);
	wf_run_fini(&req->run);
	free(req);
	wf_set_destroy(set);
	wf_comm_drop(comm);
}

/* The set gets its number, whatever fails afterwards. */
static int make(struct wf_graph *graph, const struct weft_vec *send,
		const struct weft_vec *recv, struct weft_request **req_p)
{
	struct weft_request *req = calloc(1, sizeof(*req));
	uint32_t number = graph->sets++;
	struct wf_plan *plan;
	struct wf_set *set;
	int status = WEFT_ERR_NOMEM;

	if (!req)
		return status;
	status = wf_graph_make_set(graph, number, 1, &set);
	if (status)
		goto free_request;
	status = wf_neighbor_build(graph, set, graph->extent, &plan);
	if (status)
		goto destroy_set;
	plan->fixed = true;
	status = wf_run_init(&req->run, plan);
	if (status)
		goto destroy_plan;
	req->comm = graph->comm;
	req->persistent = true;
	req->release = release_persistent;
	req->run.buffer[WF_BUFFER_SEND] = send->base;
	req->run.buffer[WF_BUFFER_RECV] = recv->base;
	wf_comm_hold(req->comm);
	status = wf_run_prepare(&req->run);
	*req_p = req;
	return status;

destroy_plan:
	wf_plan_destroy(plan);
destroy_set:
	wf_set_destroy(set);
free_request:
	free(req);
	return status;
}

/* Arguments, set, plan and request, with the job entered. */
static int init(struct weft_comm *comm, const struct weft_vec *send,
		const struct weft_vec *recv, struct weft_request **req_p)
{
	static const char name[] = "weft_neighbor_alltoallv_init";
	struct wf_graph *graph = wf_graph_of(comm);
	int status = wf_neighbor_extents(graph, name, send, recv);

	if (!status && !req_p)
		status = wf_job_fail(comm->job, WEFT_ERR_ARG,
				     "%s: req_p is NULL", name);
	if (status) {
		graph->sets++;
		return status;
	}
	status = make(graph, send, recv, req_p);
	if (status == WEFT_ERR_NOMEM)
		wf_job_fail(comm->job, status, "%s: no memory for %d in-edges "
			    "and %d out-edges", name, graph->nin,
			    graph->nout);
	return status;
}

static int tell_other(struct weft_comm *comm, int worst)
{
	int status = wf_job_enter(comm->job);

	if (status)
		return status;
	wf_job_fail(comm->job, worst, "weft_neighbor_alltoallv_init: another "
		    "rank of the graph failed with %s",
		    weft_status_name(worst));
	wf_job_leave(comm->job);
	return worst;
}

/* A request exists everywhere or nowhere; the job is not entered. */
static int agree(struct weft_comm *comm, int status)
{
	int64_t worst = status;
	int reduced = weft_allreduce(comm, WEFT_IN_PLACE, &worst, 1,
				     &weft_type_int64, &weft_op_min);

	if (status || !(reduced || worst))
		return status;
	if (reduced)
		return reduced;
	return tell_other(comm, (int)worst);
}

/* It was made here, and refused by another rank. */
static int give_up(struct weft_job *job, struct weft_request *req)
{
	int status = wf_job_enter(job);

	if (status)
		return status;
	req->run.set->refused = true;
	release_persistent(req);
	wf_job_leave(job);
	return WEFT_OK;
}

int weft_neighbor_alltoallv_init(struct weft_comm *graph,
				 const struct weft_vec *send,
				 const struct weft_vec *recv,
				 struct weft_request **req_p)
{
	struct weft_request *req = NULL;
	int status = wf_comm_enter(graph);

	if (status)
		return status;
	if (!wf_graph_of(graph)) {
		status = wf_job_fail(graph->job, WEFT_ERR_GRAPH,
				     "weft_neighbor_alltoallv_init: the "
				     "communicator is no graph");
		wf_job_leave(graph->job);
		return status;
	}
	status = init(graph, send, recv, req_p ? &req : NULL);
	wf_job_leave(graph->job);
	status = agree(graph, status);
	if (!status) {
		*req_p = req;
		return WEFT_OK;
	}
	if (req && give_up(graph->job, req))
		return WEFT_ERR_INTERNAL;
	return status;
}
