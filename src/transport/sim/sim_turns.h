/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns: lanes in the order of windows, and of calls where those are equal.
 *
 * Nearly all calls are for this window or one of the next few, each of which
 * has a list that lanes are added to; those farther away are in a heap.
 */
#ifndef WEFT_TRANSPORT_SIM_TURNS_H
#define WEFT_TRANSPORT_SIM_TURNS_H

#include "transport/sim/sim_heap.h"

enum {
	SIM_NEAR = 8		/* windows that have a list */
};

struct sim_turn {
	uint64_t window;
	uint32_t lane;
};

struct sim_called {
	uint32_t *lanes;
	size_t first, count, capacity;
};

struct sim_turns {
	uint64_t window;	/* the first one that has a list */
	struct sim_called near[SIM_NEAR];	/* by window mod SIM_NEAR */
	struct sim_heap far;	/* times are windows, ranks are lanes; those of
				 * a window were called before those near */
};

/* WEFT_OK, WEFT_ERR_NOMEM: to be finished, too. */
int wf_sim_turns_init(struct sim_turns *turns);
void wf_sim_turns_fini(struct sim_turns *turns);

/* WEFT_OK, WEFT_ERR_NOMEM. */
int wf_sim_turns_call(struct sim_turns *turns, uint64_t window, uint32_t lane);

/* There is one. */
struct sim_turn wf_sim_turns_next(struct sim_turns *turns);

/* The i-th one after that, as far as is known by now; false: it is not. */
static inline bool wf_sim_turns_peek(const struct sim_turns *turns, size_t i,
				     uint32_t *lane_p)
{
	const struct sim_called *c = &turns->near[turns->window % SIM_NEAR];

	if (c->first + i >= c->count)
		return false;
	*lane_p = c->lanes[c->first + i];
	return true;
}

#endif
