/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lanes: what goes between this rank and another one of its communicator alone,
 * one way.  A lane is a set with one edge, and both ends start its epochs in
 * the same order; so ready lines, chunks and CMA are those of exchanges.  It is
 * made at each end when something is to go.
 *
 * What messages move is long, or was cut to what a receive has room for: their
 * lanes have no lines, and so elements with gaps go along them (leg_gaps.h).
 */
#ifndef WEFT_PLAN_LANE_H
#define WEFT_PLAN_LANE_H

#include "base/map.h"
#include "plan/plan.h"

/* Those of a communicator for one use, by the other rank. */
struct wf_lanes {
	struct weft_comm *comm;
	uint32_t use;			/* WF_PORT_MESSAGES, ... */
	struct wf_map out, in;
};

struct wf_lane {
	struct wf_set *set;
	struct wf_lane_run *spare;
	int spares, made;		/* runs */
};

/* One epoch; it serves again. */
struct wf_lane_run {
	struct wf_run run;
	struct wf_plan *plan;		/* one step */
	struct wf_lane *lane;
	struct wf_lane_run *next;	/* spare one */
	void *user;			/* whose it is */
};

void wf_lanes_init(struct wf_lanes *lanes, struct weft_comm *comm,
		   uint32_t use);

/* No run of them is under way. */
void wf_lanes_fini(struct wf_lanes *lanes);

/* To a rank, or from it; NULL: no memory. */
struct wf_lane *wf_lane_of(struct wf_lanes *lanes, bool sends, int rank);

/* A spare run, or a new one, of that call; NULL: no memory. */
struct wf_lane_run *wf_lane_take(struct wf_lane *lane, const char *call);

/* Its memory; it has not begun. */
static inline void wf_lane_aim(struct wf_lane_run *r, void *data,
			       uint64_t bytes)
{
	bool sends = r->lane->set->nout;

	r->run.buffer[sends ? WF_BUFFER_SEND : WF_BUFFER_RECV] = data;
	r->plan->step[0].bytes = bytes;
}

/* It is over, or was not started: few are kept. */
void wf_lane_give_back(struct wf_lane_run *r);

/* The same when the lanes have gone. */
void wf_lane_run_destroy(struct wf_lane_run *r);

#endif
