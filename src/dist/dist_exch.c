/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchanges of a Dist: see dist_exch.h.  They go along the graph of its
 * direction, with the lists of its sides, which stay as they are while an
 * exchange is under way, whatever becomes of the Dist.  Of those that block a
 * few stay with the handle (kept.h).
 */
#include "dist/dist_exch.h"

#include "base/handle.h"
#include "topo/neighbor.h"

/* Both ends of an exchange. */
struct ends {
	struct weft_comm *graph;
	struct wf_packet_side send, recv;
	struct wf_packet_fold fold;
};

static void hold(void *owner)
{
	wf_dist_side_hold(owner);
}

static void let_go(void *owner)
{
	wf_dist_side_drop(owner);
}

static const struct wf_keeper keeper = { hold, let_go };

static void find_sent(const struct wf_dist_call *call, struct ends *ends)
{
	struct wf_dist_side *side = call->dist->side[WF_FORWARD];
	struct wf_dist_ends list = { NULL, NULL };

	ends->send = (struct wf_packet_side){
		.base = call->srcs ? call->srcs->base : NULL, .name = "srcs",
		.status = wf_dist_side_send(side, &list),
		.given = call->srcs, .want = wf_dist_side_nroots(side),
		.index = list.at, .offs = list.offs,
		.keeper = &keeper, .owner = side
	};
}

/* What is combined, if the roots there are set; else as reverse items. */
static int find_fold(struct wf_dist_side *side, struct ends *ends)
{
	struct wf_dist_fold fold = { .at = NULL };
	int status = wf_dist_side_fold(side, &fold);

	if (status || !fold.at)
		return status;
	ends->recv.offs = fold.offs;
	ends->recv.index = fold.at;
	ends->fold.order = fold.in_order ? NULL : fold.items2content;
	ends->recv.fold = &ends->fold;
	return WEFT_OK;
}

static int find_items(struct wf_dist_side *side, struct ends *ends)
{
	struct wf_dist_ends list = { NULL, NULL };
	int status = wf_dist_side_recv(side, &list);

	ends->recv.offs = list.offs;
	ends->recv.index = list.at;
	ends->recv.inverse = list.at ? side->array[WF_ITEMS2CONTENT]->at : NULL;
	return status;
}

static void find_got(const struct wf_dist_call *call, struct ends *ends)
{
	struct wf_dist_side *side = call->dist->side[WF_REVERSE];
	int status = WEFT_OK;

	ends->fold.op = call->op;
	ends->recv = (struct wf_packet_side){
		.base = call->dests ? call->dests->base : NULL,
		.name = call->reduces ? "rroots" : "ritems",
		.given = call->dests, .alike = call->srcs,
		.want = call->reduces ? wf_dist_side_nroots(side) :
					wf_dist_side_nitems(side),
		.keeper = &keeper, .owner = side
	};
	if (call->reduces)
		status = find_fold(side, ends);
	if (!status && !ends->recv.fold)
		status = find_items(side, ends);
	ends->recv.status = status;
}

/* Lists are made when they are first needed. */
static void find_ends(const struct wf_dist_call *call, struct ends *ends)
{
	ends->graph = wf_dist_graph(call->dist, WF_FORWARD);
	find_sent(call, ends);
	find_got(call, ends);
}

/* All of a call before it is one on the graph. */
static int find(const struct wf_dist_call *call, struct ends *ends)
{
	int status = wf_dist_enter(call->dist, call->name);

	if (status)
		return status;
	status = wf_dist_check_pattern(call->dist, call->name);
	if (!status)
		find_ends(call, ends);
	return wf_dist_leave(call->dist, status);
}

static struct wf_sides sides_of(const struct ends *ends)
{
	return (struct wf_sides){
		.send = { .kind = WF_SIDE_PACKETS, .packets = &ends->send },
		.recv = { .kind = WF_SIDE_PACKETS, .packets = &ends->recv }
	};
}

/* ---- those that block ---- */

/* Has it the sides still with which an exchange was done? */
static bool has(const struct weft_dist *dist, const struct ends *ends)
{
	return dist->side[WF_FORWARD] == ends->send.owner &&
	       dist->side[WF_REVERSE] == ends->recv.owner;
}

static int do_first(const struct wf_dist_call *call)
{
	struct ends ends = { .graph = NULL };
	struct wf_run_request *req;
	struct wf_sides sides;
	int status;

	find_ends(call, &ends);
	hold(ends.send.owner);
	hold(ends.recv.owner);
	sides = sides_of(&ends);
	status = wf_neighbor_first(ends.graph, call->name, &sides, &req);
	if (req && has(call->dist, &ends))
		wf_dist_kept_add(call, req);
	else if (req)
		wf_neighbor_leave(req);
	let_go(ends.send.owner);
	let_go(ends.recv.owner);
	return status;
}

static int do_again(const struct wf_dist_call *call, struct wf_dist_kept *kept)
{
	char *const base[2] = { call->srcs->base, call->dests->base };
	int status = wf_neighbor_again(kept->req, call->name, base);

	wf_dist_kept_end(kept, status);
	return status;
}

/* Both are there until it is over, if another thread frees the Dist, too. */
static int block(const struct wf_dist_call *call, struct weft_comm *graph)
{
	struct wf_dist_kept *kept;
	int status;

	wf_comm_hold(graph);
	call->dist->refs++;
	kept = wf_dist_kept_find(call);
	status = kept ? do_again(call, kept) : do_first(call);
	wf_dist_drop(call->dist);
	return wf_comm_leave_held(graph, status);
}

int wf_dist_block(const struct wf_dist_call *call)
{
	int status = wf_dist_enter(call->dist, call->name);

	if (status)
		return status;
	status = wf_dist_check_pattern(call->dist, call->name);
	if (status)
		return wf_dist_leave(call->dist, status);
	return block(call, wf_dist_graph(call->dist, WF_FORWARD));
}

/* ---- others ---- */

int wf_dist_once(const struct wf_dist_call *call, struct weft_request **req_p)
{
	struct ends ends = { .graph = NULL };
	int status = find(call, &ends);
	const struct wf_sides sides = sides_of(&ends);

	wf_no_handle(req_p);
	return status ? status :
			wf_neighbor_once(ends.graph, call->name, &sides,
					 req_p);
}

int wf_dist_init(const struct wf_dist_call *call, struct weft_request **req_p)
{
	struct ends ends = { .graph = NULL };
	int status = find(call, &ends);
	const struct wf_sides sides = sides_of(&ends);

	wf_no_handle(req_p);
	return status ? status :
			wf_neighbor_init(ends.graph, call->name, &sides,
					 req_p);
}
