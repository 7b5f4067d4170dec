/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans of neighbour exchanges: one send step for each out-edge, one receive
 * step for each in-edge, no dependencies.  A graph keeps the last few plans
 * and finds them again by the extents of the call; requests are kept, too, so
 * that from the second exchange on nothing is allocated.
 */
#include "topo/neighbor_plan.h"

#include <stdlib.h>
#include <string.h>
#include "base/zeroed.h"

const char wf_neighbor_call[] = "an exchange";

static void build_send(struct wf_builder *b, ptrdiff_t i,
		       const struct wf_extent *extent)
{
	struct wf_place from = { WF_BUFFER_SEND, extent[i].offset };

	wf_build_send(b, (uint32_t)i, from, extent[i].bytes);
}

/* Twins behind each other, as one message may carry their lines. */
static void build_sends(struct wf_builder *b, const struct wf_graph *graph,
			const struct wf_extent *extent)
{
	const struct wf_out *out = b->plan->set->out;

	for (int i = 0; i < graph->wired_out.n; i++) {
		bool younger = out[i].edge.k % 2;

		if (younger && out[i].has_twin)
			continue;
		build_send(b, i, extent);
		if (out[i].has_twin)
			build_send(b, wf_out_twin(&out[i]) - out, extent);
	}
}

/* True: one of them may need something that depends on the buffer. */
static bool build_recvs(struct wf_builder *b, const struct wf_graph *graph,
			const struct wf_extent *extent)
{
	uint64_t most = 0;

	for (int i = 0; i < graph->wired_in.n; i++) {
		struct wf_place to = { WF_BUFFER_RECV, extent[i].offset };

		wf_build_recv(b, (uint32_t)i, to, extent[i].bytes);
		if (extent[i].bytes > most)
			most = extent[i].bytes;
	}
	return most > b->plan->set->slot_least;
}

int wf_neighbor_build(struct wf_graph *graph, struct wf_set *set,
		      const struct wf_extent *extent, struct wf_plan **plan_p)
{
	const struct wf_extent *in = extent + graph->wired_out.n;
	struct wf_builder b;
	bool large;
	int status = wf_builder_init(&b, set);

	if (status)
		return status;
	build_sends(&b, graph, extent);
	large = build_recvs(&b, graph, in);
	status = wf_builder_finish(&b, plan_p);
	if (status)
		return status;
	(*plan_p)->fixed = !large;
	return WEFT_OK;
}

static size_t extents_bytes(const struct wf_graph *graph)
{
	return ((size_t)graph->wired_out.n + (size_t)graph->wired_in.n) *
	       sizeof(struct wf_extent);
}

static struct wf_kept_plan *find(struct wf_graph *graph)
{
	struct wf_kept_plan *k = graph->kept;
	size_t bytes = extents_bytes(graph);

	for (int i = 0; k && i < WF_GRAPH_PLANS; i++, k++) {
		if (k->plan && !memcmp(k->extent, graph->extent, bytes))
			return k;
	}
	return NULL;
}

/*
 * An empty place, else the one that was not used for longest; NULL: all are in
 * use, or there is no memory.
 */
static struct wf_kept_plan *choose_place(struct wf_graph *graph)
{
	struct wf_kept_plan *best = NULL;

	if (!graph->kept)
		graph->kept = wf_zeroed(WF_GRAPH_PLANS, sizeof(*graph->kept));
	for (int i = 0; graph->kept && i < WF_GRAPH_PLANS; i++) {
		struct wf_kept_plan *k = &graph->kept[i];

		if (!k->plan)
			return k;
		if (!k->users && (!best || k->last_use < best->last_use))
			best = k;
	}
	return best;
}

/* A plan that is kept, or, without a place, one of its own. */
static int make_plan(struct wf_graph *graph, struct wf_kept_plan **kept_p,
		     struct wf_plan **plan_p)
{
	struct wf_kept_plan *k = choose_place(graph);
	struct wf_extent *extent;
	int status = wf_neighbor_build(graph, graph->set, graph->extent,
				       plan_p);

	*kept_p = NULL;
	if (status || !k)
		return status;
	extent = malloc(extents_bytes(graph) + 1);
	if (!extent)
		return WEFT_OK;		/* works without keeping it */
	memcpy(extent, graph->extent, extents_bytes(graph));
	wf_plan_destroy(k->plan);
	free(k->extent);
	k->plan = *plan_p;
	k->extent = extent;
	*kept_p = k;
	return WEFT_OK;
}

int wf_neighbor_request(struct wf_graph *graph, int refused,
			struct wf_run_request **req_p)
{
	struct wf_kept_plan *k;
	struct wf_plan *plan;
	int status = WEFT_OK;

	if (refused)
		memset(graph->extent, 0, extents_bytes(graph));
	k = find(graph);
	if (k)
		plan = k->plan;
	else
		status = make_plan(graph, &k, &plan);
	if (status)
		return status;
	status = wf_run_requests_take(&graph->requests, plan, req_p);
	if (status) {
		if (!k)
			wf_plan_destroy(plan);
		return status;
	}
	if (k) {
		k->users++;
		k->last_use = ++graph->uses;
	}
	(*req_p)->users = k ? &k->users : NULL;
	wf_run_request_use(*req_p);
	return WEFT_OK;
}

bool wf_neighbor_may_stay(const struct wf_graph *graph,
			  const struct wf_run_request *req)
{
	int used = 0;

	if (!req->users)
		return false;
	for (int i = 0; i < WF_GRAPH_PLANS; i++)
		used += graph->kept[i].users > 0;
	return used <= WF_GRAPH_PLANS / 2;
}

int wf_neighbor_reserve(struct wf_graph *graph)
{
	struct wf_plan *plan;
	int status = wf_neighbor_build(graph, graph->set, graph->extent,
				       &plan);

	if (status)
		return status;
	status = wf_run_init(&graph->reserve, plan, wf_neighbor_call);
	if (status)
		wf_plan_destroy(plan);
	return status;
}

void wf_neighbor_reserve_fini(struct wf_graph *graph)
{
	if (!graph->reserve.move)
		return;
	wf_plan_destroy(graph->reserve.plan);
	wf_run_fini(&graph->reserve);
}

static void reserve_finished(struct wf_run *run)
{
	struct wf_graph *graph = wf_container(run, struct wf_graph, reserve);

	wf_comm_drop(graph->comm);
}

void wf_neighbor_refuse(struct wf_graph *graph, const char *call, int status)
{
	if (!wf_run_is_idle(&graph->reserve))
		wf_run_wait(&graph->reserve);
	wf_comm_hold(graph->comm);
	graph->reserve.call = call;
	graph->reserve.finished = reserve_finished;
	wf_run_start(&graph->reserve, status);
}
