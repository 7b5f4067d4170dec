/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Marks in the order of their calls.  None is lost: one that finds no memory is
 * kept as one that goes with any call.
 */
#ifndef WEFT_COMM_MARK_QUEUE_H
#define WEFT_COMM_MARK_QUEUE_H

#include "base/list.h"
#include "comm/mark.h"

/* A mark, or a row of those that go with any call. */
struct wf_mark_item {
	struct wf_list link;
	uint64_t times;
	struct wf_mark mark;		/* the first of them */
};

struct wf_mark_queue {
	struct wf_list items;
	struct wf_mark_item spare;	/* for when there is no memory */
};

void wf_mark_queue_init(struct wf_mark_queue *queue);
void wf_mark_queue_clear(struct wf_mark_queue *queue);

/* So many of them in a row, which go with any call if it is not 1. */
void wf_mark_queue_push(struct wf_mark_queue *queue,
			const struct wf_mark *mark, uint64_t times);

/* The oldest; NULL: there is none. */
const struct wf_mark *wf_mark_queue_first(const struct wf_mark_queue *queue);

/* It goes. */
void wf_mark_queue_pop(struct wf_mark_queue *queue);

#endif
