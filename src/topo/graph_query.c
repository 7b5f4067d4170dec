/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a program can ask of a graph: degrees, neighbours, what carries them.
 */
#include "plan/request_run.h"
#include "topo/graph.h"

int wf_graph_refuse(const struct weft_comm *comm, const char *call)
{
	int status = comm ? wf_job_ask(comm->job) : WEFT_ERR_ARG;

	if (status)
		return status;
	status = wf_job_fail(comm->job, WEFT_ERR_GRAPH,
			     "%s: the communicator is no graph", call);
	return wf_comm_leave((struct weft_comm *)comm, status);
}

int weft_topo_kind(const struct weft_comm *comm, enum weft_topo *kind_p)
{
	int status = comm ? wf_job_ask(comm->job) : WEFT_ERR_ARG;

	if (status)
		return status;
	if (kind_p)
		*kind_p = wf_topo_kind(comm);
	else
		status = wf_job_fail(comm->job, WEFT_ERR_ARG,
				     "weft_topo_kind: kind_p is NULL");
	return wf_comm_leave((struct weft_comm *)comm, status);
}

int weft_graph_degrees(const struct weft_comm *graph, int *nin_p, int *nout_p,
		       bool *weighted_p)
{
	struct wf_graph *g = wf_graph_of(graph);

	if (!g)
		return wf_graph_refuse(graph, "weft_graph_degrees");
	if (nin_p)
		*nin_p = g->nin;
	if (nout_p)
		*nout_p = g->nout;
	if (weighted_p)
		*weighted_p = g->weighted;
	return WEFT_OK;
}

static int check_max(const struct wf_graph *g, const char *name,
		     const struct weft_neighbors *side)
{
	if (!side || side->max >= 0)
		return WEFT_OK;
	return wf_job_fail_for(g->comm->job, WEFT_ARGUMENT_COUNT, WEFT_ERR_ARG,
			       "weft_graph_neighbors: %s->max is %d", name,
			       side->max);
}

static void tell_side(const struct wf_graph *g, bool out,
		      const struct weft_neighbors *side)
{
	const int *weight = out ? g->out_weight : g->in_weight;
	int n = out ? g->nout : g->nin;

	for (int i = 0; side && i < n && i < side->max; i++) {
		if (side->ranks)
			side->ranks[i] = out ? g->out[i].receiver :
					       g->in[i].sender;
		if (side->weights && weight)
			side->weights[i] = weight[i];
	}
}

int weft_graph_neighbors(const struct weft_comm *graph,
			 const struct weft_neighbors *in,
			 const struct weft_neighbors *out)
{
	struct wf_graph *g = wf_graph_of(graph);
	int status;

	if (!g)
		return wf_graph_refuse(graph, "weft_graph_neighbors");
	status = wf_job_ask(graph->job);
	if (status)
		return status;
	status = check_max(g, "in", in);
	if (!status)
		status = check_max(g, "out", out);
	if (!status) {
		tell_side(g, false, in);
		tell_side(g, true, out);
	}
	return wf_comm_leave(g->comm, status);
}

static const char *carrier(const struct weft_comm *comm, int rank,
			   const struct wf_peer *peer)
{
	if (rank == comm->rank)
		return "self";
	return peer->ep ? peer->ep->dev->ops->name : NULL;
}

static int check_edge(const struct wf_graph *g, bool out, int i,
		      const struct weft_edge_info *info_p)
{
	struct weft_job *job = g->comm->job;
	int n = out ? g->nout : g->nin;

	if (!info_p)
		return wf_job_fail(job, WEFT_ERR_ARG,
				   "weft_graph_edge: info_p is NULL");
	if (i < 0 || i >= n)
		return wf_job_fail(job, WEFT_ERR_RANGE, "weft_graph_edge: "
				   "i is %d, rank %d has %d %s-edges", i,
				   g->comm->rank, n, out ? "out" : "in");
	return WEFT_OK;
}

/* Of its other end; NULL: nobody is there. */
static const struct wf_peer *peer_of(const struct wf_graph *g, bool out, int i)
{
	int k = wf_wired_find(out ? &g->wired_out : &g->wired_in, i);

	if (k < 0)
		return NULL;
	return out ? g->set->out[k].peer : g->set->in[k].peer;
}

/* What carries it comes about, and changes, by progress. */
static void tell(const struct wf_graph *g, bool out, int i,
		 struct weft_edge_info *info_p)
{
	const struct wf_edge *e = out ? &g->out[i] : &g->in[i];
	const struct wf_peer *peer = peer_of(g, out, i);
	const int *weight = out ? g->out_weight : g->in_weight;
	const int rank = out ? e->receiver : e->sender;

	*info_p = (struct weft_edge_info){
		.rank = rank,
		.weight = weight ? weight[i] : -1,
		.duplicate = (int)e->k,
		.transport = peer ? carrier(g->comm, rank, peer) : NULL,
		.host = peer && peer->has_blob ? wf_peer_host(peer) : NULL
	};
}

int weft_graph_edge(const struct weft_comm *graph, bool out, int i,
		    struct weft_edge_info *info_p)
{
	struct wf_graph *g = wf_graph_of(graph);
	int status;

	if (!g)
		return wf_graph_refuse(graph, "weft_graph_edge");
	status = wf_job_ask(graph->job);
	if (status)
		return status;
	status = check_edge(g, out, i, info_p);
	if (!status)
		tell(g, out, i, info_p);
	return wf_comm_leave(g->comm, status);
}

static bool is_exchange(const struct weft_request *req)
{
	return wf_graph_of(req->comm) && wf_request_is_run(req) &&
	       wf_set_has_numbers(wf_container(req, struct wf_run_request,
					       base)->run.set);
}

static int check_way(const struct weft_request *req, int i,
		     const char *const *way_p)
{
	struct weft_job *job = req->comm->job;
	static const char call[] = "weft_neighbor_way";

	if (!way_p)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: way_p is NULL",
				   call);
	if (!is_exchange(req))
		return wf_job_fail(job, WEFT_ERR_REQUEST, "%s: the request is "
				   "none of an exchange", call);
	if (wf_request_is_under_way(req))
		return wf_job_fail(job, WEFT_ERR_REQUEST, "%s: the request is "
				   "active: wait for it first", call);
	if (i < 0 || i >= wf_graph_of(req->comm)->nin)
		return wf_job_fail(job, WEFT_ERR_RANGE, "%s: i is %d, rank %d "
				   "has %d in-edges", call, i, req->comm->rank,
				   wf_graph_of(req->comm)->nin);
	return WEFT_OK;
}

static const char *way_of(const struct weft_request *req, int i)
{
	int k = wf_wired_find(&wf_graph_of(req->comm)->wired_in, i);

	if (k < 0)
		return NULL;
	return wf_run_way(&wf_container(req, struct wf_run_request, base)->run,
			  (uint32_t)k);
}

int weft_neighbor_way(const struct weft_request *req, int i,
		      const char **way_p)
{
	int status = req && req->comm ? wf_job_ask(req->comm->job) :
					WEFT_ERR_ARG;

	if (status)
		return status;
	status = check_way(req, i, way_p);
	if (!status)
		*way_p = way_of(req, i);
	return wf_comm_leave(req->comm, status);
}
