/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matching of messages and receives, of one communicator.
 *
 * A receive names a source and a tag, or any of either.  It takes the first
 * message that fits; a message is taken by the first receive that fits.  What
 * finds nothing waits, in the order of arrival or of posting.
 *
 * Each way to leave source or tag open is a view, with a hash table of its own.
 * A receive is in the view of its pattern, and a message looks into all four
 * that have receives.  A message that waits is in the views in which receives
 * have ever looked.  So each operation takes the same time whatever waits, wild
 * cards or not.
 *
 * Nothing is allocated for a receive or message; tables grow where there is
 * memory, and else get slower.  Nothing here knows what a message is.
 */
#ifndef WEFT_P2P_MATCH_H
#define WEFT_P2P_MATCH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/list.h"

#define WF_MATCH_ANY INT_MIN		/* source or tag of a receive */

enum wf_match_view {
	WF_MATCH_EXACT,			/* by source and tag */
	WF_MATCH_SOURCE,		/* by source, any tag */
	WF_MATCH_TAG,			/* by tag, any source */
	WF_MATCH_ALL,
	WF_MATCH_VIEWS
};

enum {
	WF_MATCH_FEW = 4		/* lists of a table before it grows */
};

/* Embedded in what it is of. */
struct wf_match_receive {
	struct wf_list link;
	uint64_t order;			/* of posting */
	int source, tag;
	enum wf_match_view view;	/* where it waits */
	bool posted;			/* it waits */
};

struct wf_match_message {
	struct wf_list link[WF_MATCH_VIEWS];
	int source, tag;
	bool waits;
};

/* Lists by hash; of one key in order. */
struct wf_match_table {
	struct wf_list *list;		/* few, or a block */
	size_t lists, count;
	struct wf_list few[WF_MATCH_FEW];
};

struct wf_match {
	struct wf_match_table receives[WF_MATCH_VIEWS];
	struct wf_match_table messages[WF_MATCH_VIEWS];
	bool looked[WF_MATCH_VIEWS];	/* messages are in this view */
	uint64_t posted;		/* receives so far */
	size_t wild;			/* of them wait, not by EXACT */
};

void wf_match_init(struct wf_match *match);

/* What waits is the caller's: it is in no list any more. */
void wf_match_fini(struct wf_match *match);

/*
 * A message has come: the receive that takes it, which waits no longer; NULL:
 * none does.
 */
struct wf_match_receive *wf_match_claim(struct wf_match *match, int source,
					int tag);

/* One that nobody has claimed waits. */
void wf_match_keep(struct wf_match *match, struct wf_match_message *message);

/* A receive: the message that it takes, which waits no longer; NULL: none. */
struct wf_match_message *wf_match_post(struct wf_match *match,
				       struct wf_match_receive *receive);

/* The message that a receive would take, which stays; NULL: none. */
struct wf_match_message *wf_match_probe(struct wf_match *match, int source,
					int tag);

/* One that was probed is taken out. */
void wf_match_take(struct wf_match *match, struct wf_match_message *message);

/* A receive is not wanted any more; false: it does not wait. */
bool wf_match_cancel(struct wf_match *match, struct wf_match_receive *receive);

/* Some receive, or message, that waits; NULL: none. */
struct wf_match_receive *wf_match_any_receive(const struct wf_match *match);
struct wf_match_message *wf_match_any_message(const struct wf_match *match);

#endif
