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
	FRAMES = 1024,		/* bytes of the stack of a rank that waits */
	LANES_AHEAD = 3,	/* turns before its own a lane is fetched, */
	OPS_AHEAD = 1		/* and the ops of its events */
};

static void fetch(const void *what, size_t bytes)
{
	const char *at = what;

	if (!at)
		return;
	for (size_t i = 0; i < bytes; i += CACHE_LINE)
		__builtin_prefetch(at + i, 1);
}

static void fetch_lane(const struct sim_queue *queue)
{
	uint32_t next;

	if (wf_sim_turns_peek(&queue->turns, LANES_AHEAD - 1, &next))
		fetch(&queue->lanes[next], sizeof(struct sim_lane));
}

static void fetch_ops(const struct wf_sim *world)
{
	const struct sim_lane *lane;
	uint32_t next;

	if (!wf_sim_turns_peek(&world->queue.turns, OPS_AHEAD - 1, &next))
		return;
	lane = &world->queue.lanes[next];
	fetch(&world->ranks[next], sizeof(struct wf_sim_rank));
	for (uint32_t i = 0; i < lane->n; i++)
		fetch(lane->front[i].op, sizeof(struct sim_op));
}

static void fetch_links(const struct wf_sim *world, const struct sim_lane *lane)
{
	size_t rank = (size_t)(lane - world->queue.lanes);

	fetch(wf_coro_frames(&world->ranks[rank].coro), FRAMES);
	for (uint32_t i = 0; i < lane->n; i++) {
		const struct sim_op *op = lane->front[i].op;

		if (op)
			fetch(op->link, sizeof(*op->link));
	}
}

/* Of the event after this one. */
static void fetch_endpoint(const struct sim_lane *lane)
{
	const struct sim_op *op;

	if (!lane->n)
		return;
	op = wf_sim_lane_first(lane)->op;
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
	fetch_ops(world);
	fetch_lane(queue);
}
