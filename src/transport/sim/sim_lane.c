/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lanes of events: a few in order, the rest in a heap.  Numbers count the
 * pushes of the lane, so that equal times keep their order also where an event
 * has to make room and goes to the rest.
 */
#include "transport/sim/sim_lane.h"

#include <weft/status.h>

void wf_sim_lane_init(struct sim_lane *lane)
{
	lane->n = 0;
	wf_sim_heap_init(&lane->rest);
}

void wf_sim_lane_fini(struct sim_lane *lane)
{
	wf_sim_heap_fini(&lane->rest);
}

/* Numbers grow: among equal times the new one comes last. */
static void insert(struct sim_lane *lane, const struct sim_event *event)
{
	uint32_t at = lane->n++;

	while (at && lane->front[at - 1].time <= event->time) {
		lane->front[at] = lane->front[at - 1];
		at--;
	}
	lane->front[at] = *event;
}

/* Its latest goes to the rest, all of which comes later. */
static int make_room(struct sim_lane *lane)
{
	int status = wf_sim_heap_put(&lane->rest, lane->front[0]);

	if (status)
		return status;
	lane->n--;
	for (uint32_t i = 0; i < lane->n; i++)
		lane->front[i] = lane->front[i + 1];
	return WEFT_OK;
}

int wf_sim_lane_push(struct sim_lane *lane, struct sim_event event)
{
	bool full = lane->n == SIM_FRONT;
	int status = WEFT_OK;

	event.number = lane->rest.pushed++;
	if ((full || lane->rest.count) && event.time >= lane->front[0].time)
		return wf_sim_heap_put(&lane->rest, event);
	if (full)
		status = make_room(lane);
	if (!status)
		insert(lane, &event);
	return status;
}

/* The front is empty and the rest is not. */
static void refill(struct sim_lane *lane)
{
	uint32_t n = lane->rest.count < SIM_FRONT ?
		     (uint32_t)lane->rest.count : SIM_FRONT;

	for (uint32_t i = n; i-- > 0;)
		lane->front[i] = wf_sim_heap_pop(&lane->rest);
	lane->n = n;
}

struct sim_event wf_sim_lane_pop(struct sim_lane *lane)
{
	struct sim_event first = lane->front[--lane->n];

	if (!lane->n && lane->rest.count)
		refill(lane);
	return first;
}
