/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One stage of a routing as one rank sees it: which of its parcels go to which
 * of the other blocks, and where those that come are put.  For route.h.
 *
 * A rank gives to the rank of each other block that has its place there,
 * c.lo + i mod |c|, and so gets from those that take from it in an allreduce:
 * the edges of the ragged schedule (peers.h), the other way round.
 */
#ifndef WEFT_COLL_ROUTE_STAGE_H
#define WEFT_COLL_ROUTE_STAGE_H

#include <stdbool.h>
#include "coll/peers.h"
#include "coll/parcels.h"

enum { WF_ROUTE_GIVES = WF_RAGGED_RADIX_MAX - 1 };

struct wf_route_stage {
	struct wf_ragged_stage blocks;
	int ngives, ngets;		/* its edges, and where they begin */
	int first_out, first_in;	/* among those of the set */
	/* What each of them says first: bytes, or why there are none. */
	int64_t gives[WF_ROUTE_GIVES], gets[WF_RAGGED_TARGETS_MAX];
	uint64_t gives_at[WF_ROUTE_GIVES];
	char *packed;			/* for each out-edge there, and what
					   stays */
	struct wf_parcels stays, comes;
};

/*
 * The stages run from the largest blocks down: stage is from cuts->stages - 1
 * to 0.  What was the stage before says where the edges of this one begin;
 * zeros: nothing was.
 */
void wf_route_stage_init(struct wf_route_stage *stage_p,
			 const struct wf_ragged_cuts *cuts, int rank,
			 int stage);

/* The other end of an edge. */
int wf_route_target(const struct wf_route_stage *stage, int edge);
int wf_route_source(const struct wf_route_stage *stage, int edge);

/*
 * All parcels of two rows, which are gone then, those of an edge side by side,
 * and the numbers of their bytes; WEFT_ERR_NOMEM: they are as they were.
 */
int wf_route_pack(struct wf_route_stage *stage, struct wf_parcels held[2]);

/* Instead of that: on each edge goes this. */
void wf_route_give_none(struct wf_route_stage *stage, int64_t why);

/* Memory for what comes, whose bytes are known; WEFT_ERR_NOMEM. */
int wf_route_make_room(struct wf_route_stage *stage);

/* It is over: what is here goes into two rows; or it is given back. */
void wf_route_take_over(struct wf_route_stage *stage,
			struct wf_parcels held[2]);
void wf_route_drop(struct wf_route_stage *stage);

#endif
