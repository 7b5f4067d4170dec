/* SPDX-License-Identifier: BSD-3-Clause */
/* Receives and messages that wait for each other: see match.h. */
#include "p2p/match.h"

#include <stdlib.h>

enum {
	CROWDED = 2			/* elements a list: the table grows */
};

/* ---- tables ---- */

static void table_init(struct wf_match_table *t)
{
	t->list = t->few;
	t->lists = WF_MATCH_FEW;
	t->count = 0;
	for (size_t i = 0; i < t->lists; i++)
		wf_list_init(&t->few[i]);
}

static void table_fini(struct wf_match_table *t)
{
	for (size_t i = 0; i < t->lists; i++)
		while (wf_list_pop(&t->list[i]))
			;
	if (t->list != t->few)
		free(t->list);
	table_init(t);
}

/* What a view does not look at is any. */
static inline struct wf_list *list_of(const struct wf_match_table *t,
				      enum wf_match_view view, int source,
				      int tag)
{
	uint64_t key = 0;

	if (view == WF_MATCH_EXACT || view == WF_MATCH_SOURCE)
		key = (uint64_t)(uint32_t)source << 32;
	if (view == WF_MATCH_EXACT || view == WF_MATCH_TAG)
		key |= (uint32_t)tag;
	key *= UINT64_C(0x9e3779b97f4a7c15);
	return &t->list[(key >> 32) & (t->lists - 1)];
}

/* Elements of a key were in one list, and stay in their order. */
static void table_grow(struct wf_match_table *t, enum wf_match_view view,
		       void (*key_of)(const struct wf_list *at,
				      enum wf_match_view view, int *source,
				      int *tag))
{
	struct wf_match_table old = *t;
	size_t lists = 4 * t->lists;
	struct wf_list *list = malloc(lists * sizeof(*list)), *at;

	if (!list)
		return;
	for (size_t i = 0; i < lists; i++)
		wf_list_init(&list[i]);
	t->list = list;
	t->lists = lists;
	for (size_t i = 0; i < old.lists; i++) {
		/* the few lie in *t, not in the copy */
		struct wf_list *from = old.list == t->few ? &t->few[i] :
							    &old.list[i];

		while ((at = wf_list_pop(from))) {
			int source, tag;

			key_of(at, view, &source, &tag);
			wf_list_add_tail(list_of(t, view, source, tag), at);
		}
	}
	if (old.list != t->few)
		free(old.list);
}

/* All of one view of everything are in one list anyway. */
static bool is_crowded(const struct wf_match_table *t, enum wf_match_view view)
{
	return view != WF_MATCH_ALL && t->count > CROWDED * t->lists;
}

/* ---- receives ---- */

static struct wf_match_receive *receive_at(const struct wf_list *at)
{
	return wf_container(at, struct wf_match_receive, link);
}

static void receive_key(const struct wf_list *at, enum wf_match_view view,
			int *source, int *tag)
{
	(void)view;
	*source = receive_at(at)->source;
	*tag = receive_at(at)->tag;
}

static enum wf_match_view view_of(int source, int tag)
{
	if (source == WF_MATCH_ANY)
		return tag == WF_MATCH_ANY ? WF_MATCH_ALL : WF_MATCH_TAG;
	return tag == WF_MATCH_ANY ? WF_MATCH_SOURCE : WF_MATCH_EXACT;
}

static void remove_receive(struct wf_match *m, struct wf_match_receive *r)
{
	wf_list_del(&r->link);
	m->receives[r->view].count--;
	m->wild -= r->view != WF_MATCH_EXACT;
	r->posted = false;
}

static inline void put_receive(struct wf_match *m, enum wf_match_view view,
			       struct wf_match_receive *r)
{
	struct wf_match_table *t = &m->receives[view];

	if (is_crowded(t, view))
		table_grow(t, view, receive_key);
	wf_list_add_tail(list_of(t, view, r->source, r->tag), &r->link);
	t->count++;
	r->view = view;
	m->wild += view != WF_MATCH_EXACT;
}

/* The first of a view that takes it. */
static inline struct wf_match_receive *
find_receive(const struct wf_match *m, enum wf_match_view view, int source,
	     int tag)
{
	const struct wf_match_table *t = &m->receives[view];
	const struct wf_list *list;

	if (!t->count)
		return NULL;
	list = list_of(t, view, source, tag);
	for (struct wf_list *at = list->next; at != list; at = at->next) {
		struct wf_match_receive *r = receive_at(at);

		if ((r->source == source || r->source == WF_MATCH_ANY) &&
		    (r->tag == tag || r->tag == WF_MATCH_ANY))
			return r;
	}
	return NULL;
}

/* ---- messages ---- */

static struct wf_match_message *message_at(const struct wf_list *at,
					   enum wf_match_view view)
{
	return wf_container(at, struct wf_match_message, link[view]);
}

static void message_key(const struct wf_list *at, enum wf_match_view view,
			int *source, int *tag)
{
	*source = message_at(at, view)->source;
	*tag = message_at(at, view)->tag;
}

static void put_message(struct wf_match *m, enum wf_match_view view,
			struct wf_match_message *msg)
{
	struct wf_match_table *t = &m->messages[view];

	if (is_crowded(t, view))
		table_grow(t, view, message_key);
	wf_list_add_tail(list_of(t, view, msg->source, msg->tag),
			 &msg->link[view]);
	t->count++;
}

/* Those that wait already come into a view when it is first looked at. */
static void look(struct wf_match *m, enum wf_match_view view)
{
	const struct wf_list *all = list_of(&m->messages[WF_MATCH_ALL],
					    WF_MATCH_ALL, 0, 0);

	if (m->looked[view])
		return;
	m->looked[view] = true;
	for (struct wf_list *at = all->next; at != all; at = at->next)
		put_message(m, view, message_at(at, WF_MATCH_ALL));
}

/* ---- the calls ---- */

void wf_match_init(struct wf_match *m)
{
	for (int v = 0; v < WF_MATCH_VIEWS; v++) {
		table_init(&m->receives[v]);
		table_init(&m->messages[v]);
		m->looked[v] = v == WF_MATCH_ALL;
	}
	m->posted = 0;
	m->wild = 0;
}

void wf_match_fini(struct wf_match *m)
{
	for (int v = 0; v < WF_MATCH_VIEWS; v++) {
		table_fini(&m->receives[v]);
		table_fini(&m->messages[v]);
	}
}

struct wf_match_receive *wf_match_claim(struct wf_match *m, int source,
					int tag)
{
	struct wf_match_receive *first = find_receive(m, WF_MATCH_EXACT, source,
						      tag);

	for (int v = WF_MATCH_EXACT + 1; m->wild && v < WF_MATCH_VIEWS; v++) {
		struct wf_match_receive *r = find_receive(
			m, (enum wf_match_view)v, source, tag);

		if (r && (!first || r->order < first->order))
			first = r;
	}
	if (first)
		remove_receive(m, first);
	return first;
}

void wf_match_keep(struct wf_match *m, struct wf_match_message *msg)
{
	msg->waits = true;
	for (int v = 0; v < WF_MATCH_VIEWS; v++) {
		wf_list_init(&msg->link[v]);
		if (m->looked[v])
			put_message(m, (enum wf_match_view)v, msg);
	}
}

/* There are messages. */
static struct wf_match_message *find_message(struct wf_match *m,
					     enum wf_match_view view,
					     int source, int tag)
{
	const struct wf_list *list;

	look(m, view);
	list = list_of(&m->messages[view], view, source, tag);
	for (struct wf_list *at = list->next; at != list; at = at->next) {
		struct wf_match_message *msg = message_at(at, view);

		if ((source == msg->source || source == WF_MATCH_ANY) &&
		    (tag == msg->tag || tag == WF_MATCH_ANY))
			return msg;
	}
	return NULL;
}

struct wf_match_message *wf_match_probe(struct wf_match *m, int source, int tag)
{
	return m->messages[WF_MATCH_ALL].count ?
	       find_message(m, view_of(source, tag), source, tag) : NULL;
}

void wf_match_take(struct wf_match *m, struct wf_match_message *msg)
{
	for (int v = 0; v < WF_MATCH_VIEWS; v++) {
		if (!m->looked[v])
			continue;
		wf_list_del(&msg->link[v]);
		m->messages[v].count--;
	}
	msg->waits = false;
}

struct wf_match_message *wf_match_post(struct wf_match *m,
				       struct wf_match_receive *r)
{
	enum wf_match_view view = view_of(r->source, r->tag);
	struct wf_match_message *msg = NULL;

	r->order = m->posted++;
	if (m->messages[WF_MATCH_ALL].count)
		msg = find_message(m, view, r->source, r->tag);
	r->posted = !msg;
	if (msg) {
		wf_match_take(m, msg);
		return msg;
	}
	/* the usual view by itself, as it is known then how to look there */
	if (view == WF_MATCH_EXACT)
		put_receive(m, WF_MATCH_EXACT, r);
	else
		put_receive(m, view, r);
	return NULL;
}

bool wf_match_cancel(struct wf_match *m, struct wf_match_receive *r)
{
	if (!r->posted)
		return false;
	remove_receive(m, r);
	return true;
}

static struct wf_list *any_of(const struct wf_match_table *t)
{
	struct wf_list *at = NULL;

	for (size_t i = 0; !at && i < t->lists; i++)
		at = wf_list_first(&t->list[i]);
	return at;
}

struct wf_match_receive *wf_match_any_receive(const struct wf_match *m)
{
	struct wf_list *at = NULL;

	for (int v = 0; !at && v < WF_MATCH_VIEWS; v++)
		at = any_of(&m->receives[v]);
	return at ? receive_at(at) : NULL;
}

struct wf_match_message *wf_match_any_message(const struct wf_match *m)
{
	struct wf_list *at = any_of(&m->messages[WF_MATCH_ALL]);

	return at ? message_at(at, WF_MATCH_ALL) : NULL;
}
