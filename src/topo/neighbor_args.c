/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arguments of a neighbour exchange, checked and turned into extents in
 * bytes: of the memory of the program where its elements are packed, else of a
 * packed copy, edge behind edge.
 */
#include "topo/neighbor_plan.h"

#include <stdlib.h>
#include "plan/vec_arg.h"

static struct wf_vec_arg arg_of(const struct wf_graph *graph, const char *call,
				bool sent, const struct weft_vec *vec)
{
	return (struct wf_vec_arg){
		.job = graph->comm->job, .call = call,
		.name = sent ? "send" : "recv", .vec = vec,
		.n = sent ? graph->nout : graph->nin, .each = "edge"
	};
}

int wf_neighbor_extents(struct wf_graph *graph, const char *call,
			const struct weft_vec *send,
			const struct weft_vec *recv)
{
	struct wf_vec_arg a = arg_of(graph, call, true, send);
	int status = wf_vec_extents(&a, graph->extent);

	if (status)
		return status;
	a.name = "recv";
	a.vec = recv;
	a.n = graph->nin;
	status = wf_vec_extents(&a, graph->extent + graph->nout);
	graph->gaps = a.gaps;
	return status;
}

/* ---- packed copies ---- */

/* Parts of one direction; how many, 0: no gaps. */
static int add_parts(const struct wf_vec_arg *a, const struct wf_extent *extent,
		     struct wf_staged_part *part)
{
	if (wf_vec_is_dense(a->vec, a->n))
		return 0;
	wf_vec_parts(a, extent, part);
	return a->n;
}

int wf_neighbor_stage(struct wf_graph *graph, const struct weft_vec *send,
		      const struct weft_vec *recv, struct wf_staged **staged_p)
{
	size_t most = (size_t)graph->nout + (size_t)graph->nin;
	struct wf_staged_part *part = calloc(most, sizeof(*part));
	struct wf_vec_arg out = arg_of(graph, NULL, true, send);
	struct wf_vec_arg in = arg_of(graph, NULL, false, recv);
	int given, got, status;

	if (!part)
		return WEFT_ERR_NOMEM;
	given = add_parts(&out, graph->extent, part);
	got = add_parts(&in, graph->extent + graph->nout, part + given);
	status = wf_staged_make(graph->comm->job, part, given, given + got,
				staged_p);
	free(part);
	if (!status)
		(*staged_p)->by_edge = got > 0;
	return status;
}

void wf_neighbor_aim(struct wf_run *run, const struct weft_vec *send,
		     const struct weft_vec *recv, struct wf_staged *staged)
{
	run->buffer[WF_BUFFER_SEND] = send->base;
	run->buffer[WF_BUFFER_RECV] = recv->base;
	run->staged = staged;
	if (staged && staged->given)
		run->buffer[WF_BUFFER_SEND] = staged->packed;
	if (staged && staged->given < staged->n)
		run->buffer[WF_BUFFER_RECV] = wf_staged_got(staged);
}
