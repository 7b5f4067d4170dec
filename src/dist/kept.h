/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchanges that a handle has done stay with it, a few: the next one of the
 * same shape finds its arguments checked, and its lists, plan and request, so
 * that it allocates nothing.  They go when the handle gets another side, since
 * it is its lists that they were made of.
 *
 * One that is under way is nobody else's, and the handle is held: another
 * thread may change it, or free it.
 */
#ifndef WEFT_DIST_KEPT_H
#define WEFT_DIST_KEPT_H

#include <stdbool.h>
#include <weft/vec.h>

struct weft_dist;
struct wf_dist_call;
struct wf_run_request;

enum { WF_DIST_KEPT = 4 };		/* by a handle */

struct wf_dist_kept {
	struct wf_run_request *req;	/* NULL: none is here */
	struct weft_packets srcs, dests;	/* whose types are held */
	const struct weft_op *op;	/* which combines, and is held by what
					   does; NULL: items are got */
	bool busy;			/* it is under way; */
	bool stale;			/* then it goes */
};

/* One that does this call, and is under way now; NULL: none. */
struct wf_dist_kept *wf_dist_kept_find(const struct wf_dist_call *call);

/* It is over; failed ones go. */
void wf_dist_kept_end(struct wf_dist_kept *kept, int status);

/* This one has done the call just now, by the sides that the handle has. */
void wf_dist_kept_add(const struct wf_dist_call *call,
		      struct wf_run_request *req);

/* All of them go. */
void wf_dist_kept_drop(struct weft_dist *dist);

#endif
