/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a program can ask of a graph: degrees, neighbours, what carries them.
 */
#include "topo/graph.h"

int weft_graph_degrees(const struct weft_comm *graph, int *nin_p, int *nout_p)
{
	struct wf_graph *g = wf_graph_of(graph);

	if (!g)
		return WEFT_ERR_GRAPH;
	if (nin_p)
		*nin_p = g->nin;
	if (nout_p)
		*nout_p = g->nout;
	return WEFT_OK;
}

static const char *carrier(const struct weft_comm *comm, int rank,
			   const struct wf_peer *peer)
{
	if (rank == comm->rank)
		return "self";
	return peer->ep ? peer->ep->dev->ops->name : NULL;
}

int weft_graph_edge(const struct weft_comm *graph, bool out, int i,
		    struct weft_edge_info *info_p)
{
	struct wf_graph *g = wf_graph_of(graph);
	const struct wf_edge *e;
	const struct wf_peer *peer;
	const int *weight;

	if (!g)
		return WEFT_ERR_GRAPH;
	if (!info_p)
		return WEFT_ERR_ARG;
	if (i < 0 || i >= (out ? g->nout : g->nin))
		return WEFT_ERR_RANGE;
	e = out ? &g->out[i] : &g->in[i];
	peer = out ? g->set->out[i].peer : g->set->in[i].peer;
	weight = out ? g->out_weight : g->in_weight;
	info_p->rank = out ? e->receiver : e->sender;
	info_p->weight = weight ? weight[i] : -1;
	info_p->duplicate = (int)e->k;
	info_p->transport = carrier(graph, info_p->rank, peer);
	info_p->host = peer->has_blob ? wf_peer_host(peer) : NULL;
	return WEFT_OK;
}
