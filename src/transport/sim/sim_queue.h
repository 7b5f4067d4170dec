/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is still to happen, in the order in which it does.
 *
 * As a rule that is the order of times, over all ranks. With windows time is
 * cut into pieces, and in each of them a rank goes through all its events
 * before the next rank does: of thousands of ranks none would find its memory
 * in the cache if they took turns at each event. That is right where what a
 * rank does reaches no other within the window.
 *
 * A lane holds events in order, all of them, or with windows those of a rank
 * (sim_lane.h).  The turns (sim_turns.h) are lanes in the order of the window
 * in which their next event lies; a turn that was called and did not come off
 * stays there and is skipped.
 */
#ifndef WEFT_TRANSPORT_SIM_QUEUE_H
#define WEFT_TRANSPORT_SIM_QUEUE_H

#include "transport/sim/sim_lane.h"
#include "transport/sim/sim_turns.h"

struct sim_queue {
	struct sim_lane *lanes;
	struct sim_turns turns;
	struct sim_lane *current;	/* NULL: no windows, or no turn yet */
	uint64_t window;	/* that the current one goes through */
	uint32_t nlanes;	/* 1, or the ranks */
	uint64_t width;		/* of a window, in ps */
	uint64_t count;		/* of all events */
	bool no_memory;		/* some are lost */
};

/* One lane. WEFT_OK, WEFT_ERR_NOMEM. */
int wf_sim_queue_init(struct sim_queue *queue);
void wf_sim_queue_fini(struct sim_queue *queue);

/* Windows of width ps and a lane for each rank; it is still empty. */
int wf_sim_queue_set_windows(struct sim_queue *queue, uint64_t width,
			     uint32_t ranks);

static inline bool wf_sim_queue_has_windows(const struct sim_queue *queue)
{
	return queue->nlanes > 1;
}

/* Without memory it is lost, and no_memory says so. */
void wf_sim_queue_push(struct sim_queue *queue, struct sim_event event);

/* The next event; there is one. */
struct sim_event wf_sim_queue_pop(struct sim_queue *queue);

#endif
