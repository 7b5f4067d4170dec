/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lane: events in order, all of them, or with windows those of a rank.
 *
 * A rank has some ten of them before it.  The first ones lie in the lane, in
 * order, so that a push finds its place beside the lane's head and a pop moves
 * nothing; what comes after them is a heap.  Of thousands of ranks no lane is
 * in the cache, and of one its lines are all that is read.
 */
#ifndef WEFT_TRANSPORT_SIM_LANE_H
#define WEFT_TRANSPORT_SIM_LANE_H

#include "transport/sim/sim_heap.h"

enum {
	SIM_FRONT = 8		/* events: a stage of an allreduce has 7 */
};

struct sim_lane {
	uint64_t window;	/* of its turn */
	uint32_t n;		/* events in front; 0: the lane is empty */
	struct sim_heap rest;	/* none of them before the latest in front */
	struct sim_event front[SIM_FRONT];	/* the earliest one is last */
};

void wf_sim_lane_init(struct sim_lane *lane);
void wf_sim_lane_fini(struct sim_lane *lane);

/* WEFT_OK, WEFT_ERR_NOMEM. */
int wf_sim_lane_push(struct sim_lane *lane, struct sim_event event);

/* The earliest event; the lane is not empty. */
struct sim_event wf_sim_lane_pop(struct sim_lane *lane);

static inline const struct sim_event *
wf_sim_lane_first(const struct sim_lane *lane)
{
	return &lane->front[lane->n - 1];
}

#endif
