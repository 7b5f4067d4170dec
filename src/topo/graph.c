/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Creating a graph from each rank's own edges.  Local but for refills of ids
 * and the closing allreduce, which makes a bad argument at one rank an error on
 * all; the graph is in the table of contexts before, so early mails find it.
 */
#include "topo/graph.h"

#include <stdlib.h>
#include <string.h>
#include "base/handle.h"
#include "coll/agree.h"
#include "derive/block.h"
#include "p2p/p2p.h"
#include "plan/inquiry.h"
#include "topo/neighbor_plan.h"

static void destroy_graph(struct wf_cargo *cargo)
{
	struct wf_graph *g = wf_container(cargo, struct wf_graph, cargo);

	wf_run_requests_fini(&g->requests);
	for (int i = 0; i < WF_GRAPH_PLANS; i++) {
		wf_plan_destroy(g->kept[i].plan);
		free(g->kept[i].extent);
	}
	wf_neighbor_reserve_fini(g);
	if (g->set)
		wf_set_destroy(g->set);
	free(g->out);
	free(g->in);
	free(g->out_weight);
	free(g->in_weight);
	free(g->extent);
	free(g);
}

struct wf_graph *wf_graph_of(const struct weft_comm *comm)
{
	if (!comm || !comm->topo || comm->topo->destroy != destroy_graph)
		return NULL;
	return wf_container(comm->topo, struct wf_graph, cargo);
}

/* An argument, and how errors name it. */
struct wf_edges_arg {
	const char *call, *name;
	const struct weft_edges *edges;
};

static int check_edges(struct weft_comm *comm, const struct wf_edges_arg *arg)
{
	const struct weft_edges *e = arg->edges;

	if (!e)
		return wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: %s is NULL",
				   arg->call, arg->name);
	if (e->n < 0)
		return wf_job_fail_for(comm->job, WEFT_ARGUMENT_COUNT,
				       WEFT_ERR_ARG, "%s: %s->n is %d",
				       arg->call, arg->name, e->n);
	if (e->n && !e->ranks)
		return wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: %s->ranks "
				   "is NULL with %d edges", arg->call,
				   arg->name, e->n);
	for (int i = 0; i < e->n; i++) {
		if (e->ranks[i] < 0 || e->ranks[i] >= comm->size)
			return wf_job_fail_for(comm->job, WEFT_ARGUMENT_RANK,
					       WEFT_ERR_ARG, "%s: "
					       "%s->ranks[%d] is %d, the "
					       "communicator has %d ranks",
					       arg->call, arg->name, i,
					       e->ranks[i], comm->size);
		if (e->weights && e->weights[i] < 0)
			return wf_job_fail(comm->job, WEFT_ERR_ARG,
					   "%s: %s->weights[%d] is %d, "
					   "negative", arg->call, arg->name,
					   i, e->weights[i]);
	}
	return WEFT_OK;
}

/* The k-th edge of each pair gets the number k, in the order passed. */
static int number_edges(struct wf_edge *edge, int n, bool out)
{
	struct wf_map count;		/* rank -> edges so far */
	int status = WEFT_OK;

	wf_map_init(&count);
	for (int i = 0; !status && i < n; i++) {
		int other = out ? edge[i].receiver : edge[i].sender;
		uintptr_t k = (uintptr_t)wf_map_get(&count, (uint64_t)other);

		edge[i].k = (uint32_t)k;
		status = wf_map_put(&count, (uint64_t)other, (void *)(k + 1));
	}
	wf_map_fini(&count);
	return status;
}

static int copy_weights(const struct weft_edges *e, int **weights_p)
{
	if (!e->weights)
		return WEFT_OK;
	*weights_p = malloc(((size_t)e->n + 1) * sizeof(**weights_p));
	if (!*weights_p)
		return WEFT_ERR_NOMEM;
	if (e->n)
		memcpy(*weights_p, e->weights, (size_t)e->n *
		       sizeof(**weights_p));
	return WEFT_OK;
}

static int fill_edges(struct wf_graph *g, const struct weft_edges *in,
		      const struct weft_edges *out)
{
	int rank = g->comm->rank, status;

	g->nin = in->n;
	g->nout = out->n;
	g->in = calloc((size_t)in->n + 1, sizeof(*g->in));
	g->out = calloc((size_t)out->n + 1, sizeof(*g->out));
	g->extent = calloc((size_t)in->n + (size_t)out->n + 1,
			   sizeof(*g->extent));
	if (!g->in || !g->out || !g->extent)
		return WEFT_ERR_NOMEM;
	for (int i = 0; i < in->n; i++)
		g->in[i] = (struct wf_edge){ in->ranks[i], rank, 0, 0 };
	for (int i = 0; i < out->n; i++)
		g->out[i] = (struct wf_edge){ rank, out->ranks[i], 0, 0 };
	status = number_edges(g->in, g->nin, false);
	if (!status)
		status = number_edges(g->out, g->nout, true);
	if (!status)
		status = copy_weights(in, &g->in_weight);
	if (!status)
		status = copy_weights(out, &g->out_weight);
	return status;
}

int wf_graph_make_set(struct wf_graph *graph, uint32_t number, int window,
		      struct wf_set **set_p)
{
	struct wf_set_shape shape = {
		.number = WF_PORT_SETS + number, .window = window,
		.nout = graph->nout, .nin = graph->nin,
		.out = graph->out, .in = graph->in
	};

	return wf_set_create(graph->comm, &shape, set_p);
}

static int copy_graph(const struct wf_cargo *cargo, struct weft_comm *to);

static int make_graph(struct weft_comm *comm, const struct weft_edges *in,
		      const struct weft_edges *out)
{
	struct wf_graph *g = calloc(1, sizeof(*g));
	int status;

	if (!g)
		return WEFT_ERR_NOMEM;
	wf_run_requests_init(&g->requests, comm, wf_neighbor_call);
	g->cargo.destroy = destroy_graph;
	g->cargo.copy = copy_graph;
	g->comm = comm;
	comm->topo = &g->cargo;
	status = fill_edges(g, in, out);
	if (!status)
		status = wf_graph_make_set(g, comm->sets++, 2, &g->set);
	if (!status)
		status = wf_neighbor_reserve(g);
	return status;
}

/* The ranks at the other ends, in the order of the edges; NULL: no memory. */
static int *far_ends(const struct wf_edge *edge, int n, bool out)
{
	int *ranks = malloc(((size_t)n + 1) * sizeof(*ranks));

	for (int i = 0; ranks && i < n; i++)
		ranks[i] = out ? edge[i].receiver : edge[i].sender;
	return ranks;
}

/* For a duplicate of its communicator: the same edges, nothing under way. */
static int copy_graph(const struct wf_cargo *cargo, struct weft_comm *to)
{
	const struct wf_graph *g = wf_container(cargo, struct wf_graph, cargo);
	int *from = far_ends(g->in, g->nin, false);
	int *onto = far_ends(g->out, g->nout, true);
	struct weft_edges in = { g->nin, from, g->in_weight };
	struct weft_edges out = { g->nout, onto, g->out_weight };
	int status = from && onto ? make_graph(to, &in, &out) :
				    WEFT_ERR_NOMEM;

	free(from);
	free(onto);
	return status;
}

static int make_comm(struct weft_comm *parent, const char *call,
		     const struct wf_cid_block *block,
		     struct weft_comm **comm_p)
{
	int status = wf_comm_make(parent->job,
				  wf_group_hold(parent->group), block,
				  comm_p);

	if (status)
		wf_job_fail(parent->job, status,
			    "%s: no memory for a communicator", call);
	return status;
}

/* The part with the job entered; the graph may be NULL if status is bad. */
static int create(struct weft_comm *comm, const struct weft_edges *in,
		  const struct weft_edges *out, struct weft_comm **graph_p)
{
	struct wf_edges_arg arg = { "weft_graph_create_adjacent", "in", in };
	struct wf_cid_block block = { 0 };
	int status = check_edges(comm, &arg), taken;

	wf_inquiry_listen(comm->job);
	wf_office_expect(comm->job);
	arg.name = "out";
	arg.edges = out;
	if (!status)
		status = check_edges(comm, &arg);
	/* Ids are taken on all ranks, whatever fails here. */
	taken = wf_block_take(comm, arg.call, &block);
	if (!taken)
		taken = make_comm(comm, arg.call, &block, graph_p);
	if (taken || status)
		return status ? status : taken;
	status = make_graph(*graph_p, in, out);
	if (status)
		wf_job_fail(comm->job, status, "weft_graph_create_adjacent: "
			    "no memory for %d in-edges and %d out-edges",
			    in->n, out->n);
	return status;
}

/* As if it was freed: others may have theirs, and send. */
static void give_up(struct weft_comm *graph)
{
	struct weft_job *job;

	if (!graph)
		return;
	job = graph->job;
	graph->freed = true;
	wf_comm_drop(graph);
	wf_ports_clear(job);
}

int weft_graph_create_adjacent(struct weft_comm *comm,
			       const struct weft_edges *in,
			       const struct weft_edges *out,
			       const struct weft_info *info, bool reorder,
			       struct weft_comm **graph_p)
{
	struct weft_comm *graph = NULL;
	int status = wf_comm_enter(comm);

	wf_no_handle(graph_p);
	if (status)
		return status;
	wf_comm_hold(comm);
	if (reorder)
		wf_info(&comm->job->log, "reorder without a key keeps the "
			"ranks as they are");
	status = create(comm, in, out, &graph);
	if (!status && (info || !graph_p))
		status = wf_job_fail(comm->job, WEFT_ERR_ARG,
				     "weft_graph_create_adjacent: %s",
				     info ? "info is not NULL, and nothing in "
				     "it is known yet" : "graph_p is NULL");
	if (comm->job->config.check)
		status = wf_agree(comm, "weft_graph_create_adjacent", status);
	if (status) {
		give_up(graph);
		return wf_comm_leave_held(comm, status);
	}
	graph->errors = comm->errors;
	graph->origin = (struct wf_origin){ "weft_graph_create_adjacent",
					    WF_CALLED_FROM };
	*graph_p = graph;
	return wf_comm_leave_held(comm, WEFT_OK);
}
