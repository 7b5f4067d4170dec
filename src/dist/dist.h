/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A Dist (weft/dist.h): a handle that sees a pattern in one of its two
 * directions.  Dups and inverses share sides and link, so that making one takes
 * no message and no memory of the order of items; a setter replaces what this
 * handle has.
 */
#ifndef WEFT_DIST_DIST_H
#define WEFT_DIST_DIST_H

#include <weft/dist.h>
#include "comm/comm.h"
#include "dist/kept.h"
#include "dist/link.h"
#include "dist/side.h"

enum wf_dist_way {
	WF_FORWARD,
	WF_REVERSE
};

struct weft_dist {
	int refs;			/* the user's, and calls that block */
	struct weft_job *job;
	struct weft_comm *parent;	/* held */
	struct wf_dist_link *link;	/* NULL: there is no pattern yet, */
	struct wf_dist_side *side[2];	/* as these are; as this one sees it */
	bool inverse;			/* its forward graph is the second */
	struct wf_dist_kept kept[WF_DIST_KEPT];
	unsigned turn;			/* of those, to make room */
};

/* Along this way of the handle, borrowed.  There is a pattern. */
static inline struct weft_comm *wf_dist_graph(const struct weft_dist *dist,
					      enum wf_dist_way way)
{
	return dist->link->graph[dist->inverse ? !way : way];
}

/* Without a pattern.  NULL: no memory. */
struct weft_dist *wf_dist_new(struct weft_comm *parent);
void wf_dist_drop(struct weft_dist *dist);		/* NULL: nothing */

/* Another parent in place of this one. */
void wf_dist_set_parent(struct weft_dist *dist, struct weft_comm *parent);

/* This side instead; its reference goes there. */
void wf_dist_replace(struct weft_dist *dist, enum wf_dist_way way,
		     struct wf_dist_side *side);

/* Another pattern in place of this one; references go there. */
void wf_dist_adopt(struct weft_dist *dist, struct wf_dist_side *const side[2],
		   struct wf_dist_link *link);

/* ---- what public calls do first and last ---- */

/* WEFT_ERR_ARG of NULL, and as of other objects. */
WEFT_MUST_CHECK static inline int wf_dist_enter(const struct weft_dist *dist,
						const char *call)
{
	return dist ? wf_job_enter_by(dist->job, call) : WEFT_ERR_ARG;
}

/* Its parent hears of an error, if it was not freed. */
static inline int wf_dist_leave(const struct weft_dist *dist, int status)
{
	if (!dist->parent->freed)
		return wf_comm_leave(dist->parent, status);
	wf_job_leave(dist->job);
	return status;
}

/* Of a call that needs a pattern; told. */
int wf_dist_check_pattern(const struct weft_dist *dist, const char *call);

#endif
