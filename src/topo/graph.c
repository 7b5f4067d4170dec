/* SPDX-License-Identifier: BSD-3-Clause */
/* A graph: its edges, numbered, its set, and the copy for a duplicate. */
#include "topo/graph.h"

#include <stdlib.h>
#include <string.h>
#include "base/zeroed.h"
#include "topo/graph_reorder.h"
#include "topo/neighbor_plan.h"

static void destroy_graph(struct wf_cargo *cargo)
{
	struct wf_graph *g = wf_container(cargo, struct wf_graph, topo.cargo);
	wf_run_requests_fini(&g->requests);
	for (int i = 0; g->kept && i < WF_GRAPH_PLANS; i++) {
		wf_plan_destroy(g->kept[i].plan);
		free(g->kept[i].extent);
	}
	free(g->kept);
	wf_neighbor_reserve_fini(g);
	if (g->set)
		wf_set_destroy(g->set);
	free(g->out);
	free(g->in);
	wf_wired_fini(&g->wired_out);
	wf_wired_fini(&g->wired_in);
	free(g->out_weight);
	free(g->in_weight);
	free(g->extent);
	free(g->reordered);
	wf_lore_drop(g->lore, g->comm->job);
	free(g);
}

/* Edges in the order that they are numbered in. */
struct row {
	struct wf_edge *edge;
	int n;
	bool out;
	bool mirrored;			/* the second one of two edges first */
};

static struct wf_edge *row_at(const struct row *row, int i)
{
	return &row->edge[row->mirrored ? i ^ 1 : i];
}

static int far_end(const struct row *row, const struct wf_edge *edge)
{
	return row->out ? edge->receiver : edge->sender;
}

/* Each one by a look at all before it. */
static void number_few(const struct row *row)
{
	for (int i = 1; i < row->n; i++) {
		struct wf_edge *e = row_at(row, i);
		int far = far_end(row, e);

		for (int j = 0; far != WEFT_PROC_NULL && j < i; j++)
			e->k += far_end(row, row_at(row, j)) == far;
	}
}

static int number_many(const struct row *row)
{
	struct wf_map count;		/* rank -> edges so far */
	int status = WEFT_OK;

	wf_map_init(&count);
	for (int i = 0; !status && i < row->n; i++) {
		struct wf_edge *e = row_at(row, i);
		int far = far_end(row, e);
		uintptr_t k;

		if (far == WEFT_PROC_NULL)
			continue;
		k = (uintptr_t)wf_map_get(&count, (uint64_t)far);
		e->k = (uint32_t)k;
		status = wf_map_put(&count, (uint64_t)far, (void *)(k + 1));
	}
	wf_map_fini(&count);
	return status;
}

/* The k-th edge of each two ranks gets the number k; all are 0. */
static int number_edges(struct wf_edge *edge, int n, bool out, bool mirrored)
{
	const struct row row = { edge, n, out, mirrored };

	if (n > 8)
		return number_many(&row);
	number_few(&row);
	return WEFT_OK;
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
	g->in = wf_zeroed((size_t)in->n + 1, sizeof(*g->in));
	g->out = wf_zeroed((size_t)out->n + 1, sizeof(*g->out));
	g->extent = wf_zeroed((size_t)in->n + (size_t)out->n + 1,
			      sizeof(*g->extent));
	if (!g->in || !g->out || !g->extent)
		return WEFT_ERR_NOMEM;
	for (int i = 0; i < in->n; i++)
		g->in[i] = (struct wf_edge){ in->ranks[i], rank, 0, 0 };
	for (int i = 0; i < out->n; i++)
		g->out[i] = (struct wf_edge){ rank, out->ranks[i], 0, 0 };
	status = number_edges(g->in, g->nin, false,
			      g->lore && g->lore->mirrored);
	if (!status)
		status = number_edges(g->out, g->nout, true, false);
	if (!status)
		status = wf_wired_init(&g->wired_in, in->ranks, in->n);
	if (!status)
		status = wf_wired_init(&g->wired_out, out->ranks, out->n);
	g->with_nobody = g->wired_in.at || g->wired_out.at;
	if (!status)
		status = copy_weights(in, &g->in_weight);
	if (!status)
		status = copy_weights(out, &g->out_weight);
	return status;
}

void wf_graph_weigh(struct wf_graph *graph, bool weighted)
{
	graph->weighted = weighted;
	if (weighted)
		return;
	free(graph->in_weight);
	free(graph->out_weight);
	graph->in_weight = graph->out_weight = NULL;
}

/* Those with another end, out-edges first; NULL: no memory. */
static struct wf_edge *copy_wired(const struct wf_graph *g)
{
	const struct wf_wired *out = &g->wired_out, *in = &g->wired_in;
	struct wf_edge *edges = malloc(((size_t)out->n + (size_t)in->n + 1) *
				       sizeof(*edges));

	if (!edges)
		return NULL;
	for (int i = 0; i < out->n; i++)
		edges[i] = g->out[wf_wired_at(out, i)];
	for (int i = 0; i < in->n; i++)
		edges[out->n + i] = g->in[wf_wired_at(in, i)];
	return edges;
}

int wf_graph_make_set(struct wf_graph *graph, uint32_t number, int window,
		      struct wf_set **set_p)
{
	bool all = !graph->with_nobody;
	struct wf_edge *wired = all ? NULL : copy_wired(graph);
	struct wf_set_shape shape = {
		.number = WF_PORT_SETS + number, .window = window,
		.nout = graph->wired_out.n, .nin = graph->wired_in.n,
		.out = graph->out, .in = graph->in
	};
	int status;

	if (!all && !wired)
		return WEFT_ERR_NOMEM;
	if (wired) {
		shape.out = wired;
		shape.in = wired + shape.nout;
	}
	status = wf_set_create(graph->comm, &shape, set_p);
	free(wired);
	return status;
}

static int copy_graph(const struct wf_cargo *cargo, struct weft_comm *to);

int wf_graph_attach(struct weft_comm *comm, struct wf_lore *lore,
		    const struct weft_edges *in, const struct weft_edges *out)
{
	struct wf_graph *g = wf_zeroed(1, sizeof(*g));
	int status;

	if (!g)
		return WEFT_ERR_NOMEM;
	wf_run_requests_init(&g->requests, comm, wf_neighbor_call);
	g->requests.reuses = true;
	g->topo.cargo.destroy = destroy_graph;
	g->topo.cargo.copy = copy_graph;
	g->topo.kind = lore ? lore->kind : WEFT_TOPO_GRAPH;
	g->comm = comm;
	g->lore = wf_lore_hold(lore);
	comm->topo = &g->topo.cargo;
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

static int copy_note(const struct wf_graph *from, struct wf_graph *to)
{
	if (!from->reordered)
		return WEFT_OK;
	to->reordered = malloc(sizeof(*to->reordered));
	if (!to->reordered)
		return WEFT_ERR_NOMEM;
	*to->reordered = *from->reordered;
	return WEFT_OK;
}

/* For a duplicate of its communicator: the same edges, nothing under way. */
static int copy_graph(const struct wf_cargo *cargo, struct weft_comm *to)
{
	const struct wf_graph *g = wf_container(cargo, struct wf_graph,
						topo.cargo);
	int *from = far_ends(g->in, g->nin, false);
	int *onto = far_ends(g->out, g->nout, true);
	struct weft_edges in = { g->nin, from, g->in_weight };
	struct weft_edges out = { g->nout, onto, g->out_weight };
	int status = from && onto ? wf_graph_attach(to, g->lore, &in, &out) :
				    WEFT_ERR_NOMEM;

	if (!status)
		status = copy_note(g, wf_graph_inside(to));
	if (!status)
		wf_graph_weigh(wf_graph_inside(to), g->weighted);
	free(from);
	free(onto);
	return status;
}
