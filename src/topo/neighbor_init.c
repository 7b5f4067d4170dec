/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Persistent neighbour exchanges: each has an exchange set of its own, so they
 * do not wait for each other and may start in any order.  What its channels
 * need is prepared here, where waiting is allowed.
 */
#include "topo/neighbor.h"

#include "base/handle.h"
#include "coll/agree.h"
#include "topo/neighbor_plan.h"

/* The plan of a request, on a set of its own. */
static int make_plan(struct wf_graph *graph, uint32_t number,
		     struct wf_plan **plan_p)
{
	struct wf_set *set;
	int status = wf_graph_make_set(graph, number, 1, &set);

	if (status)
		return status;
	status = wf_neighbor_build(graph, set, graph->extent, plan_p);
	if (status)
		wf_set_destroy(set);
	return status;
}

static int make(struct wf_graph *graph, uint32_t number,
		const struct wf_sides *sides, struct wf_run_request **req_p)
{
	struct wf_staged *staged = NULL;
	struct wf_run_request *req;
	struct wf_plan *plan;
	int status;

	if (graph->with_nobody)
		wf_neighbor_leave_out(graph, sides);
	status = make_plan(graph, number, &plan);
	if (status)
		return status;
	status = wf_run_requests_add_persistent(&graph->requests, plan, &req);
	if (status) {
		struct wf_set *set = plan->set;

		wf_plan_destroy(plan);
		wf_set_destroy(set);
		return status;
	}
	*req_p = req;
	if (graph->gaps)
		status = wf_neighbor_stage(graph, sides, &staged);
	if (status)
		return status;
	wf_neighbor_aim(&req->run, sides, staged);
	wf_run_pin(&req->run);
	status = wf_run_prepare(&req->run);
	return status;
}

/*
 * Arguments, set, plan and request, with the job entered.  The set has its
 * number, whatever fails: others may have made theirs.
 */
static int init(struct weft_comm *comm, const char *name,
		const struct wf_sides *sides, struct wf_run_request **req_p)
{
	struct wf_graph *graph = wf_graph_inside(comm);
	uint32_t number = comm->sets++;
	int status = wf_neighbor_extents(graph, name, sides);

	if (!status && !req_p)
		status = wf_job_fail(comm->job, WEFT_ERR_ARG,
				     "%s: req_p is NULL", name);
	if (!status) {
		status = make(graph, number, sides, req_p);
		if (*req_p)
			(*req_p)->run.call = name;
		if (status == WEFT_ERR_NOMEM)
			wf_job_fail(comm->job, status, "%s: no memory for %d "
				    "in-edges and %d out-edges", name,
				    graph->nin, graph->nout);
	}
	if (status)
		wf_port_pass_over(comm, WF_PORT_SETS + number);
	return status;
}

/* It was made here, and refused by another rank. */
static void give_up(struct wf_run_request *req)
{
	req->run.set->refused = true;
	wf_run_request_release(req);
}

int wf_neighbor_prepare(struct weft_comm *graph, const char *name,
			const struct wf_sides *sides,
			struct weft_request **req_p)
{
	struct wf_run_request *req = NULL;
	int status = init(graph, name, sides, req_p ? &req : NULL);

	/* A request exists everywhere or nowhere. */
	status = wf_agree(graph, name, status);
	if (!status)
		*req_p = &req->base;
	else if (req)
		give_up(req);
	return status;
}

int wf_neighbor_init(struct weft_comm *graph, const char *name,
		     const struct wf_sides *sides, struct weft_request **req_p)
{
	int status = wf_comm_enter(graph);

	wf_no_handle(req_p);
	if (status)
		return status;
	if (!wf_graph_of(graph)) {
		status = wf_job_fail(graph->job, WEFT_ERR_GRAPH,
				     "%s: the communicator is no graph", name);
		return wf_comm_leave(graph, status);
	}
	wf_comm_hold(graph);
	status = wf_neighbor_prepare(graph, name, sides, req_p);
	return wf_comm_leave_held(graph, status);
}
