/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The heap of events, used by the scheduler only. Memory doubles and is never
 * given back during a run, so pushing costs no allocation once it has grown.
 */
#include "transport/sim/sim_heap.h"

#include <stdlib.h>
#include <weft/status.h>

enum { CHILDREN = 4, FIRST = 8 };

static bool before(const struct sim_event *a, const struct sim_event *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	return a->number < b->number;
}

int wf_sim_heap_reserve(struct sim_heap *heap, size_t capacity)
{
	struct sim_event *events = realloc(heap->events,
					   capacity * sizeof(*events));

	if (!events)
		return WEFT_ERR_NOMEM;
	heap->events = events;
	heap->capacity = capacity;
	return WEFT_OK;
}

static int grow(struct sim_heap *heap)
{
	return wf_sim_heap_reserve(heap, heap->capacity ? 2 * heap->capacity :
							  FIRST);
}

void wf_sim_heap_init(struct sim_heap *heap)
{
	*heap = (struct sim_heap){ 0 };
}

void wf_sim_heap_fini(struct sim_heap *heap)
{
	free(heap->events);
}

int wf_sim_heap_put(struct sim_heap *heap, struct sim_event event)
{
	size_t at = heap->count;

	if (at == heap->capacity && grow(heap))
		return WEFT_ERR_NOMEM;
	heap->count++;
	while (at) {
		size_t up = (at - 1) / CHILDREN;

		if (!before(&event, &heap->events[up]))
			break;
		heap->events[at] = heap->events[up];
		at = up;
	}
	heap->events[at] = event;
	return WEFT_OK;
}

int wf_sim_heap_push(struct sim_heap *heap, struct sim_event event)
{
	event.number = heap->pushed++;
	return wf_sim_heap_put(heap, event);
}

/* The earliest of the children that begin at first. */
static size_t earliest(const struct sim_heap *heap, size_t first)
{
	size_t best = first;

	for (size_t i = first + 1; i < first + CHILDREN; i++)
		if (i < heap->count &&
		    before(&heap->events[i], &heap->events[best]))
			best = i;
	return best;
}

struct sim_event wf_sim_heap_pop(struct sim_heap *heap)
{
	struct sim_event top = heap->events[0];
	struct sim_event last = heap->events[--heap->count];
	size_t at = 0;

	for (;;) {
		size_t down = CHILDREN * at + 1;

		if (down >= heap->count)
			break;
		down = earliest(heap, down);
		if (!before(&heap->events[down], &last))
			break;
		heap->events[at] = heap->events[down];
		at = down;
	}
	heap->events[at] = last;
	return top;
}
