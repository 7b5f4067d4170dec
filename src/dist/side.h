/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A side of a Dist: one direction of its pattern at this rank, in content,
 * items and roots (weft/dist.h).  Constant once it is made, and counted, so
 * that Dists, their inverses and what is under way share it; a setter makes
 * another one, which shares the arrays that stay.  What follows from the arrays
 * that were given is made when it is first asked for, with the job entered.
 *
 * All values are below 2^31.  Exchanges read arrays as uint32_t, programs as
 * int32_t, which C allows of the same memory.
 */
#ifndef WEFT_DIST_SIDE_H
#define WEFT_DIST_SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "plan/fold.h"			/* WF_FOLD_FIRST */

enum wf_side_array {
	/* Given: */
	WF_MSGS2RANKS,
	WF_MSGS2CONTENT,
	WF_ITEMS2CONTENT,		/* NULL: the identity */
	WF_ROOTS2ITEMS,			/* NULL: each item is a root */
	WF_SIDE_GIVEN,
	/* What follows: */
	WF_CONTENT2MSGS = WF_SIDE_GIVEN,
	WF_ITEMS2MSGS,
	WF_ITEMS2RANKS,
	WF_CONTENT2ITEMS,		/* NULL: the identity */
	WF_CONTENT2SRCS,		/* NULL: the identity */
	WF_FOLD_AT,			/* NULL: each item is a root */
	WF_SIDE_ARRAYS
};

struct wf_dist_array {
	int refs;
	bool is_identity;		/* of arrays that follow from given
					   ones, once they are in a side */
	uint32_t n;
	uint32_t at[];
};

struct wf_dist_side {
	int refs;
	bool in_order;			/* known with WF_FOLD_AT: see below */
	struct wf_dist_array *array[WF_SIDE_ARRAYS];
};

/* ---- making one ---- */

/* One reference; NULL: no memory. */
struct wf_dist_array *wf_dist_array_new(size_t n);

/* One more; of NULL none. */
struct wf_dist_array *wf_dist_array_hold(struct wf_dist_array *array);
void wf_dist_array_drop(struct wf_dist_array *array);	/* NULL: nothing */

/* Without arrays, or with those that the other one was given.  NULL: none. */
struct wf_dist_side *wf_dist_side_new(void);
struct wf_dist_side *wf_dist_side_copy(const struct wf_dist_side *of);

/*
 * Of one that nobody else has: an array, whose reference goes there.  A given
 * one may be filled later; one that follows is compared with the identity here.
 */
void wf_dist_side_put(struct wf_dist_side *side, enum wf_side_array which,
		      struct wf_dist_array *array);

static inline struct wf_dist_side *wf_dist_side_hold(struct wf_dist_side *side)
{
	side->refs++;
	return side;
}

void wf_dist_side_drop(struct wf_dist_side *side);	/* NULL: nothing */

/* ---- what it is ---- */

static inline uint32_t wf_dist_side_nmsgs(const struct wf_dist_side *side)
{
	return side->array[WF_MSGS2RANKS]->n;
}

static inline uint32_t wf_dist_side_nitems(const struct wf_dist_side *side)
{
	return side->array[WF_MSGS2CONTENT]->at[wf_dist_side_nmsgs(side)];
}

/* Of items where they are not set. */
static inline uint32_t wf_dist_side_nroots(const struct wf_dist_side *side)
{
	const struct wf_dist_array *roots = side->array[WF_ROOTS2ITEMS];

	return roots ? roots->n - 1 : wf_dist_side_nitems(side);
}

/*
 * An array, made now if need be; *array_p is borrowed, NULL as said above.
 * WEFT_ERR_NOMEM.
 */
int wf_dist_side_get(struct wf_dist_side *side, enum wf_side_array which,
		     const struct wf_dist_array **array_p);

/* ---- for exchanges; memory is borrowed from the side ---- */

/* Packets of one end: so many messages as msgs2ranks has. */
struct wf_dist_ends {
	const uint32_t *offs;		/* msgs2content */
	const uint32_t *at;		/* per content place; NULL: that one,
					   so nothing has to be gathered */
};

/* Content place c takes its packet from source at[c].  WEFT_ERR_NOMEM. */
int wf_dist_side_send(struct wf_dist_side *side, struct wf_dist_ends *ends_p);

/* What comes to content place c is item at[c].  WEFT_ERR_NOMEM. */
int wf_dist_side_recv(struct wf_dist_side *side, struct wf_dist_ends *ends_p);

/* What comes is folded into roots. */
struct wf_dist_fold {
	const uint32_t *offs;		/* msgs2content */
	const uint32_t *at;		/* per content place its root, with
					   WF_FOLD_FIRST; NULL: roots are not
					   set, and nothing is folded */
	const uint32_t *items2content;	/* NULL: the identity */
	const uint32_t *roots2items;	/* NULL: as at */
	bool in_order;			/* within each root the order of items
					   is that of content */
};

/* WEFT_ERR_NOMEM. */
int wf_dist_side_fold(struct wf_dist_side *side, struct wf_dist_fold *fold_p);

#endif
