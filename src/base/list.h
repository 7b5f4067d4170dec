/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Circular list whose links lie in its elements.
 *
 * A head and an element are the same struct; an element that is in no list
 * points to itself, so wf_list_del() may be called on it again. Whoever owns
 * the head owns the order; there is no count.
 */
#ifndef WEFT_BASE_LIST_H
#define WEFT_BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct wf_list {
	struct wf_list *next;
	struct wf_list *prev;
};

/* The struct of this type whose member lies at ptr. */
#define wf_container(ptr, type, member) \
	((type *)(void *)((char *)(ptr) - offsetof(type, member)))

static inline void wf_list_init(struct wf_list *list)
{
	list->next = list;
	list->prev = list;
}

/* Of a head: no elements. Of an element: in no list. */
static inline bool wf_list_empty(const struct wf_list *list)
{
	return list->next == list;
}

static inline void wf_list_add_head(struct wf_list *list, struct wf_list *item)
{
	item->prev = list;
	item->next = list->next;
	list->next->prev = item;
	list->next = item;
}

/* Also puts item in front of an element, if list is one. */
static inline void wf_list_add_tail(struct wf_list *list, struct wf_list *item)
{
	wf_list_add_head(list->prev, item);
}

static inline void wf_list_del(struct wf_list *item)
{
	item->prev->next = item->next;
	item->next->prev = item->prev;
	wf_list_init(item);
}

/* NULL if the list is empty. */
static inline struct wf_list *wf_list_first(const struct wf_list *list)
{
	return wf_list_empty(list) ? NULL : list->next;
}

/* Takes the first element out; NULL if there is none. */
static inline struct wf_list *wf_list_pop(struct wf_list *list)
{
	struct wf_list *item = wf_list_first(list);

	if (item)
		wf_list_del(item);
	return item;
}

#endif
