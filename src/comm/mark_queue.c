/* SPDX-License-Identifier: BSD-3-Clause */
/* Marks in the order of their calls: see mark_queue.h. */
#include "comm/mark_queue.h"

#include <stdlib.h>

static struct wf_mark_item *item_of(struct wf_list *link)
{
	return wf_container(link, struct wf_mark_item, link);
}

void wf_mark_queue_init(struct wf_mark_queue *queue)
{
	wf_list_init(&queue->items);
}

static void drop(struct wf_mark_queue *queue, struct wf_mark_item *item)
{
	wf_list_del(&item->link);
	if (item != &queue->spare)
		free(item);
}

void wf_mark_queue_clear(struct wf_mark_queue *queue)
{
	while (!wf_list_empty(&queue->items))
		drop(queue, item_of(queue->items.next));
}

/* Without memory: behind the last one, or in the place of that. */
static void push_any(struct wf_mark_queue *queue, const struct wf_mark *mark,
		     uint64_t times)
{
	struct wf_mark_item *last;

	if (wf_list_empty(&queue->items)) {
		last = &queue->spare;
		last->mark = *mark;
		last->times = times;
		wf_list_add_tail(&queue->items, &last->link);
	} else {
		last = item_of(queue->items.prev);
		last->times += times;
	}
	last->mark.any = true;
}

void wf_mark_queue_push(struct wf_mark_queue *queue,
			const struct wf_mark *mark, uint64_t times)
{
	struct wf_mark_item *item = malloc(sizeof(*item));

	if (!item) {
		push_any(queue, mark, times);
		return;
	}
	item->mark = *mark;
	item->times = times;
	wf_list_add_tail(&queue->items, &item->link);
}

const struct wf_mark *wf_mark_queue_first(const struct wf_mark_queue *queue)
{
	return wf_list_empty(&queue->items) ? NULL :
	       &item_of(queue->items.next)->mark;
}

void wf_mark_queue_pop(struct wf_mark_queue *queue)
{
	struct wf_mark_item *item = item_of(queue->items.next);

	item->mark.order++;
	if (!--item->times)
		drop(queue, item);
}
