/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchanges that block, and that do not: checks the arguments once, finds or
 * builds the plan, starts it, waits.  What an edge then does is in
 * plan/plan_run.c.
 */
#include "topo/neighbor.h"

#include "base/handle.h"
#include "topo/graph.h"
#include "topo/neighbor_plan.h"

/* A call on a good graph, and what is wrong with it. */
struct call {
	const char *name;
	struct wf_graph *graph;
	const struct wf_sides *sides;
	int status;			/* of its arguments */
	struct wf_staged *staged;	/* NULL: all elements are packed */
};

/* Enter, and find the graph; nothing is to be left if that fails. */
static inline int open_call(struct weft_comm *comm, struct call *c)
{
	int status = wf_comm_enter_by(comm, c->name);

	if (status)
		return status;
	c->graph = wf_graph_of(comm);
	if (!c->graph) {
		status = wf_job_fail(comm->job, WEFT_ERR_GRAPH,
				     "%s: the communicator is no graph",
				     c->name);
		return wf_comm_leave(comm, status);
	}
	c->status = wf_neighbor_extents(c->graph, c->name, c->sides);
	return WEFT_OK;
}

static void stage(struct call *c)
{
	c->status = wf_neighbor_stage(c->graph, c->sides, &c->staged);
	if (c->status)
		wf_job_fail(c->graph->comm->job, c->status, "%s: no memory for "
			    "a packed copy", c->name);
}

/* A request with the plan of this call, its epoch started. */
static inline int start(struct call *c, struct wf_run_request **req_p)
{
	struct wf_run_request *req;
	int status;

	if (!c->status && c->graph->gaps)
		stage(c);
	status = wf_neighbor_request(c->graph, c->status, &req);
	if (status) {
		wf_staged_free(c->staged);
		wf_neighbor_refuse(c->graph, c->name,
				   c->status ? c->status : status);
		/* What is wrong with the arguments was told. */
		if (c->status)
			return status;
		return wf_job_fail(c->graph->comm->job, status,
				   "%s: no memory for its plan", c->name);
	}
	req->run.call = c->name;
	if (!c->status)
		wf_neighbor_load(&req->run, c->sides, c->staged);
	wf_run_start(&req->run, c->status);
	*req_p = req;
	return WEFT_OK;
}

/* All of an open call, but that its graph stays. */
static inline int finish(struct call *c)
{
	struct wf_run_request *req = NULL;
	int status = start(c, &req);

	if (!status && c->status) {
		wf_run_request_forget(req);
	} else if (!status) {
		status = wf_run_wait(&req->run);
		if (status)
			wf_job_fail(c->graph->comm->job, status, "%s",
				    req->run.error);
		wf_run_request_release(req);
	}
	return c->status ? c->status : status;
}

int wf_neighbor_block(struct weft_comm *graph, const char *name,
		      const struct wf_sides *sides)
{
	struct call c = { .name = name, .sides = sides };
	int status = open_call(graph, &c);

	if (status)
		return status;
	wf_comm_hold(graph);		/* another thread may free it */
	return wf_comm_leave_held(graph, finish(&c));
}

int wf_neighbor_inside(struct weft_comm *graph, const char *name, int status,
		       const struct wf_sides *sides)
{
	struct call c = {
		.name = name, .graph = wf_graph_of(graph), .sides = sides,
		.status = status
	};

	wf_comm_hold(graph);
	if (!status)
		c.status = wf_neighbor_extents(c.graph, name, sides);
	status = finish(&c);
	wf_comm_drop(graph);
	return status;
}

int wf_neighbor_once(struct weft_comm *graph, const char *name,
		     const struct wf_sides *sides, struct weft_request **req_p)
{
	struct call c = { .name = name, .sides = sides };
	struct wf_run_request *req = NULL;
	int status;

	wf_no_handle(req_p);
	status = open_call(graph, &c);
	if (status)
		return status;
	if (!req_p && !c.status)
		c.status = wf_job_fail(graph->job, WEFT_ERR_ARG,
				       "%s: req_p is NULL", c.name);
	status = start(&c, &req);
	if (!status && c.status)
		wf_run_request_forget(req);
	else if (!status)
		*req_p = &req->base;
	if (c.status)
		status = c.status;
	return wf_comm_leave(graph, status);
}
