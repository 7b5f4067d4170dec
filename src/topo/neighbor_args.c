/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arguments of a neighbour exchange, checked and turned into extents in
 * bytes: of the memory of the program where its elements are packed, else of a
 * packed copy, edge behind edge.
 */
#include "topo/neighbor_plan.h"

#include <string.h>
#include "plan/plan_staged.h"
#include "topo/neighbor_side.h"

static struct wf_vec_arg arg_of(const struct wf_graph *graph, const char *call,
				bool sent)
{
	return (struct wf_vec_arg){
		.job = graph->comm->job, .call = call,
		.name = sent ? "send" : "recv",
		.n = sent ? graph->nout : graph->nin, .each = "edge"
	};
}

int wf_neighbor_extents(struct wf_graph *graph, const char *call,
			const struct wf_sides *sides)
{
	struct wf_vec_arg a = arg_of(graph, call, true);
	int status = wf_side_extents(&sides->send, &a, graph->extent);

	if (status)
		return status;
	a.name = "recv";
	a.n = graph->nin;
	status = wf_side_extents(&sides->recv, &a, graph->extent + graph->nout);
	graph->gaps = a.gaps | graph->with_nobody;
	return status;
}

/* Those of one side, from n of all edges. */
static void leave_out(const struct wf_side *side, const struct wf_wired *wired,
		      const struct wf_extent *all, int n,
		      struct wf_extent *extent)
{
	for (int i = 0; i < wired->n; i++)
		extent[i] = all[wf_wired_at(wired, i)];
	if (wf_side_is_copied(side, n) && side->kind != WF_SIDE_SAME)
		wf_vec_pack(extent, wired->n);
}

void wf_neighbor_leave_out(struct wf_graph *graph, const struct wf_sides *sides)
{
	struct wf_extent *extent = graph->extent;

	leave_out(&sides->send, &graph->wired_out, extent, graph->nout, extent);
	leave_out(&sides->recv, &graph->wired_in, extent + graph->nout,
		  graph->nin, extent + graph->wired_out.n);
	graph->gaps = wf_side_is_copied(&sides->send, graph->nout) ||
		      wf_side_is_copied(&sides->recv, graph->nin);
}

/* ---- packed copies ---- */

static int give_up(struct wf_staged *staged, int status)
{
	wf_staged_free(staged);
	return status;
}

/* What combines what comes, if it is to be. */
static int fold(const struct wf_graph *graph, const struct wf_side *recv,
		struct wf_fold **fold_p)
{
	struct weft_job *job = graph->comm->job;

	if (recv->kind == WF_SIDE_FOLD && graph->wired_in.n)
		return wf_folded_make(recv->folded, job, &graph->wired_in,
				      fold_p);
	if (recv->kind == WF_SIDE_PACKETS && recv->packets->fold)
		return wf_packets_fold(recv->packets, job, graph->nin, fold_p);
	return WEFT_OK;
}

/* Their lists are held. */
static void take_packets(struct wf_staged *staged,
			 const struct wf_packet_side *send,
			 const struct wf_packet_side *recv)
{
	wf_packets_whole(recv, staged);
	staged->let_go = recv->keeper->let_go;
	staged->owner[0] = send->owner;
	staged->owner[1] = recv->owner;
	staged->base[0] = send->base;
	staged->base[1] = recv->base;
	for (int i = 0; i < 2; i++)
		recv->keeper->hold(staged->owner[i]);
}

/*
 * How many parts a side has, and how many of them each edge: none if all have
 * the same one.  Edges of nobody have none.
 */
static int parts_of(const struct wf_side *side, struct wf_vec_arg *a,
		    const struct wf_wired *wired, struct wf_staged_part *part,
		    int *per_p)
{
	int n = wf_side_parts(side, a, part), per;

	if (!n || side->kind == WF_SIDE_SAME)
		return n;
	per = n / a->n;
	*per_p = per;
	for (int i = 0; wired->at && i < wired->n; i++)
		memmove(part + (size_t)i * (size_t)per,
			part + (size_t)wired->at[i] * (size_t)per,
			(size_t)per * sizeof(*part));
	return wired->n * per;
}

int wf_neighbor_stage(struct wf_graph *graph, const struct wf_sides *sides,
		      struct wf_staged **staged_p)
{
	size_t most = wf_side_most_parts(&sides->send, graph->nout) +
		      wf_side_most_parts(&sides->recv, graph->nin);
	struct wf_vec_arg out = arg_of(graph, NULL, true);
	struct wf_vec_arg in = arg_of(graph, NULL, false);
	struct wf_staged *staged = wf_staged_begin(graph->comm->job, most,
						   &graph->requests.left);
	int given, got, status;

	if (!staged)
		return WEFT_ERR_NOMEM;
	given = parts_of(&sides->send, &out, &graph->wired_out, staged->part,
			 &staged->per_out);
	got = parts_of(&sides->recv, &in, &graph->wired_in,
		       staged->part + given, &staged->per_edge);
	staged->loose = sides->recv.kind != WF_SIDE_PACKETS;
	staged->ample = !staged->loose;
	status = wf_staged_lay(&staged, given, given + got);
	if (!status)
		status = fold(graph, &sides->recv, &staged->fold);
	if (status)
		return give_up(staged, status);
	if (sides->recv.kind == WF_SIDE_PACKETS)
		take_packets(staged, sides->send.packets, sides->recv.packets);
	*staged_p = staged;
	return WEFT_OK;
}

static void aim_at_copy(struct wf_run *run, struct wf_staged *staged)
{
	if (staged->given)
		run->buffer[WF_BUFFER_SEND] = staged->packed;
	if (staged->given < staged->n)
		run->buffer[WF_BUFFER_RECV] = wf_staged_got(staged);
	if (staged->fold && !staged->fold->packets.order)
		wf_run_fold_early(run);
}

/* From or to these places; false: there is no copy. */
static inline bool aim(struct wf_run *run, char *send, char *recv,
		       struct wf_staged *staged)
{
	run->buffer[WF_BUFFER_SEND] = send;
	run->buffer[WF_BUFFER_RECV] = recv;
	run->staged = staged;
	if (staged)
		aim_at_copy(run, staged);
	return staged;
}

void wf_neighbor_aim(struct wf_run *run, const struct wf_sides *sides,
		     struct wf_staged *staged)
{
	aim(run, wf_side_base(&sides->send), wf_side_base(&sides->recv),
	    staged);
}

void wf_neighbor_load(struct wf_run *run, const struct wf_sides *sides,
		      struct wf_staged *staged)
{
	if (aim(run, wf_side_base(&sides->send), wf_side_base(&sides->recv),
		staged))
		wf_run_gather_all(run);
}

void wf_neighbor_reload(struct wf_run *run, char *const base[2])
{
	struct wf_staged *staged = run->staged;

	if (staged)
		wf_staged_move(staged, base);
	if (aim(run, base[0], base[1], staged))
		wf_run_gather_all(run);
}
