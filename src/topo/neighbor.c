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

/* All but the usual: elements with gaps, edges of nobody. */
static void stage(struct call *c)
{
	if (c->graph->with_nobody)
		wf_neighbor_leave_out(c->graph, c->sides);
	if (!c->graph->gaps)
		return;
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

static inline int wait(struct wf_run *run)
{
	int status = wf_run_wait(run);

	if (status)
		wf_job_fail(run->set->comm->job, status, "%s", run->error);
	return status;
}

/* All of an open call but its end; *req_p: its request, which is over. */
static inline int run(struct call *c, struct wf_run_request **req_p)
{
	int status = start(c, req_p);

	if (!status && c->status) {
		wf_run_request_forget(*req_p);
		*req_p = NULL;
	} else if (!status) {
		status = wait(&(*req_p)->run);
	}
	return c->status ? c->status : status;
}

/* All of an open call, but that its graph stays. */
static inline int finish(struct call *c)
{
	struct wf_run_request *req = NULL;
	int status = run(c, &req);

	if (req)
		wf_run_request_release(req);
	return status;
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

/* ---- and again ---- */

static void rest(struct wf_run_request *req)
{
	if (req->run.staged)
		wf_staged_rest(req->run.staged);
}

static bool may_stay(const struct wf_graph *graph,
		     const struct wf_run_request *req)
{
	const struct wf_staged *staged = req->run.staged;

	return (!staged || wf_staged_is_light(staged)) &&
	       wf_neighbor_may_stay(graph, req);
}

int wf_neighbor_first(struct weft_comm *graph, const char *name,
		      const struct wf_sides *sides,
		      struct wf_run_request **stays_p)
{
	struct call c = {
		.name = name, .graph = wf_graph_of(graph), .sides = sides
	};
	struct wf_run_request *req = NULL;
	int status;

	*stays_p = NULL;
	c.status = wf_neighbor_extents(c.graph, name, sides);
	status = run(&c, &req);
	if (!status && may_stay(c.graph, req)) {
		rest(req);
		wf_run_request_rest(req);
		*stays_p = req;
	} else if (req) {
		wf_run_request_release(req);
	}
	return status;
}

int wf_neighbor_wake(struct wf_run_request *req)
{
	return req->run.staged ? wf_staged_wake(req->run.staged) : WEFT_OK;
}

int wf_neighbor_again(struct wf_run_request *req, const char *name,
		      char *const base[2])
{
	int status;

	req->run.call = name;
	wf_neighbor_reload(&req->run, base);
	wf_run_start(&req->run, WEFT_OK);
	status = wait(&req->run);
	rest(req);
	return status;
}

void wf_neighbor_leave(struct wf_run_request *req)
{
	wf_run_request_use(req);
	wf_run_request_release(req);
}

/* ---- those that do not block ---- */

/* All of an open call but its end. */
static int begin(struct call *c, struct weft_request **req_p)
{
	struct wf_run_request *req = NULL;
	int status = start(c, &req);

	if (!status && c->status)
		wf_run_request_forget(req);
	else if (!status)
		*req_p = &req->base;
	return c->status ? c->status : status;
}

int wf_neighbor_begin(struct weft_comm *graph, const char *name,
		      const struct wf_sides *sides, struct weft_request **req_p)
{
	struct call c = {
		.name = name, .graph = wf_graph_inside(graph), .sides = sides
	};

	c.status = wf_neighbor_extents(c.graph, name, sides);
	return begin(&c, req_p);
}

int wf_neighbor_once(struct weft_comm *graph, const char *name,
		     const struct wf_sides *sides, struct weft_request **req_p)
{
	struct call c = { .name = name, .sides = sides };
	int status;

	wf_no_handle(req_p);
	status = open_call(graph, &c);
	if (status)
		return status;
	if (!req_p && !c.status)
		c.status = wf_job_fail(graph->job, WEFT_ERR_ARG,
				       "%s: req_p is NULL", c.name);
	return wf_comm_leave(graph, begin(&c, req_p));
}
