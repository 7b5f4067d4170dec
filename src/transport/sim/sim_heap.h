/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is still to happen: events ordered by (time, number), the number
 * counting pushes, so that equal times keep their order and every run of a
 * seed takes the same path. A heap of four children per node: half the levels
 * of a binary one, and the four lie in two cache lines.
 */
#ifndef WEFT_TRANSPORT_SIM_HEAP_H
#define WEFT_TRANSPORT_SIM_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_op;

enum sim_kind {
	SIM_RUN,		/* the rank goes on */
	SIM_TIMER,		/* its deadline, if it still stands */
	SIM_LINE,		/* flights that write memory */
	SIM_FIRST,		/* first part of a put */
	SIM_SECOND,
	SIM_SIGNAL,		/* end of a put, with or without a signal */
	SIM_MAIL,
	SIM_ACK,		/* flights back */
	SIM_CREDIT,
	SIM_CONTACT,
	SIM_REFUSE,
	SIM_TOLD,
	SIM_DEATH		/* in the trace only */
};

struct sim_event {
	uint64_t time;		/* ps */
	uint64_t number;
	struct sim_op *op;	/* NULL: concerns the rank alone */
	uint32_t kind;		/* enum sim_kind, or of sim_fetch.h */
	uint32_t rank;		/* where it happens */
};

struct sim_heap {
	struct sim_event *events;
	size_t count;
	size_t capacity;
	uint64_t pushed;
};

/* Allocates nothing yet. */
void wf_sim_heap_init(struct sim_heap *heap);

/* For so many events, not fewer than it has: WEFT_OK, WEFT_ERR_NOMEM. */
int wf_sim_heap_reserve(struct sim_heap *heap, size_t capacity);
void wf_sim_heap_fini(struct sim_heap *heap);

/* Gives the event its number. WEFT_OK, WEFT_ERR_NOMEM. */
int wf_sim_heap_push(struct sim_heap *heap, struct sim_event event);

/* The same with the number that it has. */
int wf_sim_heap_put(struct sim_heap *heap, struct sim_event event);

/* The earliest event; the heap is not empty. */
struct sim_event wf_sim_heap_pop(struct sim_heap *heap);

#endif
