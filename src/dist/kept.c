/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges that stay with a handle: see kept.h. */
#include "dist/dist_exch.h"

#include <weft/coll.h>
#include "topo/neighbor.h"
#include "type/op_made.h"
#include "type/type_made.h"

/* ---- is it the same? ---- */

/* Are reverse roots set?  Else a reduction gets items. */
static bool combines(const struct wf_dist_call *call)
{
	return call->reduces &&
	       call->dist->side[WF_REVERSE]->array[WF_ROOTS2ITEMS];
}

/* Good ones as they were; of others the slow way says what is wrong. */
static bool are_like(const struct weft_job *job,
		     const struct weft_packets *given,
		     const struct weft_packets *before)
{
	return given && given->n == before->n &&
	       given->width == before->width &&
	       given->type == before->type && (given->base || !given->n) &&
	       given->base != WEFT_IN_PLACE && wf_type_serves(job, given->type);
}

static bool is_served(const struct wf_dist_call *call,
		      const struct wf_dist_kept *kept)
{
	const struct wf_made_op *made;

	if (!combines(call))
		return !kept->op;
	if (!call->op || call->op != kept->op)
		return false;
	made = wf_op_made(kept->op);
	return !made || !made->freed;
}

static bool does(const struct wf_dist_kept *kept,
		 const struct wf_dist_call *call)
{
	const struct weft_job *job = call->dist->job;

	return kept->req && !kept->busy &&
	       are_like(job, call->srcs, &kept->srcs) &&
	       are_like(job, call->dests, &kept->dests) &&
	       is_served(call, kept);
}

/* ---- they come and go ---- */

static void drop(struct wf_dist_kept *kept)
{
	if (!kept->req)
		return;
	wf_neighbor_leave(kept->req);
	wf_type_unhold(kept->srcs.type);
	wf_type_unhold(kept->dests.type);
	*kept = (struct wf_dist_kept){ .req = NULL };
}

struct wf_dist_kept *wf_dist_kept_find(const struct wf_dist_call *call)
{
	struct wf_dist_kept *kept = call->dist->kept, *end;

	for (end = kept + WF_DIST_KEPT; kept < end; kept++)
		if (does(kept, call))
			break;
	if (kept == end)
		return NULL;
	if (wf_neighbor_wake(kept->req)) {
		drop(kept);
		return NULL;
	}
	kept->busy = true;
	return kept;
}

void wf_dist_kept_end(struct wf_dist_kept *kept, int status)
{
	kept->busy = false;
	if (status || kept->stale)
		drop(kept);
}

/* Where none is, or instead of another; NULL: all are under way. */
static struct wf_dist_kept *choose_place(struct weft_dist *dist)
{
	struct wf_dist_kept *kept;

	for (int i = 0; i < WF_DIST_KEPT; i++)
		if (!dist->kept[i].req)
			return &dist->kept[i];
	for (int i = 0; i < WF_DIST_KEPT; i++) {
		kept = &dist->kept[dist->turn++ % WF_DIST_KEPT];
		if (!kept->busy)
			return kept;
	}
	return NULL;
}

void wf_dist_kept_add(const struct wf_dist_call *call,
		      struct wf_run_request *req)
{
	struct wf_dist_kept *kept = choose_place(call->dist);

	if (!kept) {
		wf_neighbor_leave(req);
		return;
	}
	drop(kept);
	*kept = (struct wf_dist_kept){
		.req = req, .srcs = *call->srcs, .dests = *call->dests,
		.op = combines(call) ? call->op : NULL
	};
	wf_type_hold(kept->srcs.type);
	wf_type_hold(kept->dests.type);
}

void wf_dist_kept_drop(struct weft_dist *dist)
{
	for (int i = 0; i < WF_DIST_KEPT; i++)
		if (dist->kept[i].busy)
			dist->kept[i].stale = true;
		else
			drop(&dist->kept[i]);
}
