/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns by window.  A window gets its list once the first one with a list is
 * close, and has it from then on, so what the heap has of it was called before.
 */
#include "transport/sim/sim_turns.h"

#include <stdlib.h>
#include <weft/status.h>

enum { FIRST = 64 };

static int grow(struct sim_called *c)
{
	size_t capacity = c->capacity ? 2 * c->capacity : FIRST;
	uint32_t *lanes = realloc(c->lanes, capacity * sizeof(*lanes));

	if (!lanes)
		return WEFT_ERR_NOMEM;
	c->lanes = lanes;
	c->capacity = capacity;
	return WEFT_OK;
}

int wf_sim_turns_init(struct sim_turns *turns)
{
	int status = WEFT_OK;

	*turns = (struct sim_turns){ 0 };
	wf_sim_heap_init(&turns->far);
	for (int i = 0; i < SIM_NEAR && !status; i++)
		status = grow(&turns->near[i]);
	return status;
}

void wf_sim_turns_fini(struct sim_turns *turns)
{
	for (int i = 0; i < SIM_NEAR; i++)
		free(turns->near[i].lanes);
	wf_sim_heap_fini(&turns->far);
}

/* An earlier window than the first may be called, too: it is the next. */
int wf_sim_turns_call(struct sim_turns *turns, uint64_t window, uint32_t lane)
{
	struct sim_called *c = &turns->near[window % SIM_NEAR];

	if (window - turns->window >= SIM_NEAR)
		return wf_sim_heap_push(&turns->far, (struct sim_event){
			.time = window, .rank = lane });
	if (c->count == c->capacity && grow(c))
		return WEFT_ERR_NOMEM;
	c->lanes[c->count++] = lane;
	return WEFT_OK;
}

static bool is_far(const struct sim_turns *turns)
{
	return turns->far.count &&
	       turns->far.events->time <= turns->window;
}

/* The list is done with; the next window with turns has the first one. */
static void advance(struct sim_turns *turns)
{
	struct sim_called *c = &turns->near[turns->window % SIM_NEAR];
	uint64_t next = UINT64_MAX;

	c->first = c->count = 0;
	if (turns->far.count)
		next = turns->far.events->time;
	for (uint64_t w = turns->window + 1;
	     w < turns->window + SIM_NEAR && w < next; w++)
		if (turns->near[w % SIM_NEAR].count)
			next = w;
	turns->window = next;
}

struct sim_turn wf_sim_turns_next(struct sim_turns *turns)
{
	struct sim_called *c;

	for (;;) {
		if (is_far(turns)) {
			struct sim_event e = wf_sim_heap_pop(&turns->far);

			return (struct sim_turn){ e.time, e.rank };
		}
		c = &turns->near[turns->window % SIM_NEAR];
		if (c->first < c->count)
			break;
		advance(turns);
	}
	return (struct sim_turn){ turns->window, c->lanes[c->first++] };
}
