/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The queue of events: lanes of the scheduler, and whose turn it is. Only an
 * event that comes before all others of its lane makes a turn, so most pushes
 * touch one lane.
 */
#include "transport/sim/sim_queue.h"

#include <stdlib.h>
#include <weft/status.h>

#define NO_TURN UINT64_MAX

enum {
	ALONE = 1024			/* events */
};

static void free_lanes(struct sim_queue *queue)
{
	for (uint32_t i = 0; i < queue->nlanes; i++)
		wf_sim_lane_fini(&queue->lanes[i]);
	free(queue->lanes);
}

/*
 * In the place of those that it has.  A single one is that of all ranks, and
 * has room before memory is made to fail at one of them.
 */
static int make_lanes(struct sim_queue *queue, uint32_t n)
{
	struct sim_lane *lanes = malloc(n * sizeof(*lanes));

	if (!lanes)
		return WEFT_ERR_NOMEM;
	free_lanes(queue);
	queue->lanes = lanes;
	queue->nlanes = n;
	for (uint32_t i = 0; i < n; i++) {
		wf_sim_lane_init(&lanes[i]);
		lanes[i].window = NO_TURN;
	}
	return n == 1 ? wf_sim_heap_reserve(&lanes->rest, ALONE) : WEFT_OK;
}

int wf_sim_queue_init(struct sim_queue *queue)
{
	int status;

	*queue = (struct sim_queue){ 0 };
	queue->width = 1;
	status = wf_sim_turns_init(&queue->turns);
	return status ? status : make_lanes(queue, 1);
}

void wf_sim_queue_fini(struct sim_queue *queue)
{
	free_lanes(queue);
	wf_sim_turns_fini(&queue->turns);
}

int wf_sim_queue_set_windows(struct sim_queue *queue, uint64_t width,
			     uint32_t ranks)
{
	queue->width = width;
	return make_lanes(queue, ranks);
}

static uint64_t window_of(const struct sim_queue *queue,
			  const struct sim_event *event)
{
	return event->time / queue->width;
}

static void call(struct sim_queue *queue, struct sim_lane *lane,
		 uint64_t window)
{
	lane->window = window;
	if (wf_sim_turns_call(&queue->turns, window,
			      (uint32_t)(lane - queue->lanes)))
		queue->no_memory = true;
}

void wf_sim_queue_push(struct sim_queue *queue, struct sim_event event)
{
	bool windows = wf_sim_queue_has_windows(queue);
	struct sim_lane *lane = &queue->lanes[windows ? event.rank : 0];
	uint64_t window = window_of(queue, &event);

	if (wf_sim_lane_push(lane, event)) {
		queue->no_memory = true;
		return;
	}
	queue->count++;
	if (windows && lane != queue->current && window < lane->window)
		call(queue, lane, window);
}

/* Its turn is over; with more events another one comes. */
static void retire(struct sim_queue *queue, struct sim_lane *lane)
{
	lane->window = NO_TURN;
	if (lane->n)
		call(queue, lane, window_of(queue, wf_sim_lane_first(lane)));
}

static void next_turn(struct sim_queue *queue)
{
	struct sim_turn turn;
	struct sim_lane *lane;

	if (queue->current)
		retire(queue, queue->current);
	do {
		turn = wf_sim_turns_next(&queue->turns);
		lane = &queue->lanes[turn.lane];
	} while (lane->window != turn.window);
	queue->current = lane;
	queue->window = turn.window;
}

static bool goes_on(const struct sim_queue *queue)
{
	const struct sim_lane *lane = queue->current;

	return lane && lane->n &&
	       window_of(queue, wf_sim_lane_first(lane)) <= queue->window;
}

struct sim_event wf_sim_queue_pop(struct sim_queue *queue)
{
	queue->count--;
	if (!wf_sim_queue_has_windows(queue))
		return wf_sim_lane_pop(queue->lanes);
	while (!goes_on(queue))
		next_turn(queue);
	return wf_sim_lane_pop(queue->current);
}
