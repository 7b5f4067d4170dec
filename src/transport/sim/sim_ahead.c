/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looking ahead: fetches into the cache, while something happens, what the next
 * events need.
 *
 * Of thousands of ranks nothing is left there when the turn of one comes, and
 * what it needs hangs on a chain: lane, event, op, link, endpoint.  To follow
 * the chain would wait for each of them; instead each turn takes one step of
 * it, for the turns that come: what a step reads the one before has fetched.
 * Called by the scheduler, between events; changes nothing.
 */
#include "transport/sim/sim_ahead.h"

#include "transport/sim/sim_world.h"

enum {
	CACHE_LINE = 64,
	EVENTS = 8,		/* of a lane: a stage of an allreduce has 7 */
	FRAMES = 1024,		/* bytes of the stack of a rank that waits */
	TURNS = 5		/* the next one, and those that may follow it:
				 * the upper two levels of the heap */
};

static void fetch(const void *what, size_t bytes)
{
	const char *at = what;

	if (!at)
		return;
	for (size_t i = 0; i < bytes; i += CACHE_LINE)
		__builtin_prefetch(at + i, 1);
}

static size_t events_of(const struct sim_lane *lane)
{
	return lane->events.count < EVENTS ? lane->events.count : EVENTS;
}

static void fetch_events(const struct sim_queue *queue)
{
	const struct sim_heap *turns = &queue->turns;

	for (size_t i = 0; i < TURNS && i < turns->count; i++) {
		const struct sim_lane *lane =
			&queue->lanes[turns->events[i].rank];

		fetch(lane->events.events,
		      events_of(lane) * sizeof(struct sim_event));
	}
}

static void fetch_ops(const struct wf_sim *world, uint32_t rank)
{
	const struct sim_lane *lane = &world->queue.lanes[rank];

	fetch(&world->ranks[rank], sizeof(struct wf_sim_rank));
	for (size_t i = 0; i < events_of(lane); i++)
		fetch(lane->events.events[i].op, sizeof(struct sim_op));
}

static void fetch_links(const struct wf_sim *world, const struct sim_lane *lane)
{
	size_t rank = (size_t)(lane - world->queue.lanes);

	fetch(wf_coro_frames(&world->ranks[rank].coro), FRAMES);
	for (size_t i = 0; i < events_of(lane); i++) {
		const struct sim_op *op = lane->events.events[i].op;

		if (op)
			fetch(op->link, sizeof(*op->link));
	}
}

/* Of the event after this one. */
static void fetch_endpoint(const struct sim_lane *lane)
{
	const struct sim_op *op;

	if (!lane->events.count)
		return;
	op = lane->events.events->op;
	if (op && op->link)
		fetch(op->link->ep, sizeof(*op->link->ep));
}

void wf_sim_look_ahead(const struct wf_sim *world, bool begins)
{
	const struct sim_queue *queue = &world->queue;

	if (!begins) {
		fetch_endpoint(queue->current);
		return;
	}
	fetch_links(world, queue->current);
	if (queue->turns.count)
		fetch_ops(world, queue->turns.events->rank);
	fetch_events(queue);
}
