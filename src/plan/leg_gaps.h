/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Legs whose bytes do not lie side by side in the memory of the program: those
 * of the lanes of messages, whose elements may have gaps, and those of runs
 * with a packed copy that they go without (staged.h).  All goes by ready
 * lines: they are packed where they are put and unpacked where they have come,
 * by parts, so that nobody makes a copy of all.
 */
#ifndef WEFT_PLAN_LEG_GAPS_H
#define WEFT_PLAN_LEG_GAPS_H

#include "plan/plan.h"
#include "type/element.h"

/* Of its elements, if they have gaps; else NULL. */
static inline const struct weft_type *wf_leg_type(const struct wf_leg *leg)
{
	const struct wf_run *run = leg->run;

	return run->plan->step[leg->move - run->move].type;
}

/* Its edge, where its run has a packed copy. */
static inline int wf_leg_edge(const struct wf_leg *leg)
{
	const struct wf_run *run = leg->run;

	return (int)run->plan->step[leg->move - run->move].edge;
}

/* Does a receive unpack them, from this device? */
static inline bool wf_leg_unpacks(const struct wf_leg *leg,
				  const struct wf_device *dev)
{
	const struct wf_staged *staged = leg->run->staged;

	if (wf_leg_type(leg))
		return true;
	return staged && staged->loose && staged->per_edge && !staged->fold &&
	       !staged->in_arena && dev->caps & WF_CAP_MAPPED;
}

/* Are they in the copy by now, if there is one? */
static inline bool wf_leg_is_gathered(const struct wf_leg *leg)
{
	return !leg->run->staged ||
	       wf_staged_is_gathered(leg->run->staged, wf_leg_edge(leg));
}

/* The next n bytes: see wf_leg_give() and wf_leg_take(). */
static inline void wf_leg_pack(const struct wf_leg *leg, void *to, uint64_t n)
{
	if (wf_leg_type(leg))
		wf_gather(wf_leg_type(leg), leg->data, leg->move->moved, to, n);
	else
		wf_staged_pack(leg->run->staged, wf_leg_edge(leg),
			       leg->move->moved, to, n);
}

static inline void wf_leg_unpack(const struct wf_leg *leg,
				 const struct wf_device *dev, const void *from,
				 uint64_t n)
{
	uint64_t moved = leg->move->moved;

	if (!wf_leg_unpacks(leg, dev))
		wf_leg_take(leg, moved, from, n);
	else if (wf_leg_type(leg))
		wf_scatter(wf_leg_type(leg), leg->data, moved, from, n);
	else
		wf_staged_unpack(leg->run->staged, wf_leg_edge(leg), moved,
				 from, n);
}

/* All have been, or came packed. */
static inline void wf_leg_unpacked(const struct wf_leg *leg,
				   const struct wf_device *dev)
{
	if (!wf_leg_type(leg) && wf_leg_unpacks(leg, dev))
		wf_staged_was_unpacked(leg->run->staged, wf_leg_edge(leg));
}

#endif
