/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Legs whose elements have gaps between them: those of the lanes of messages,
 * where all goes by ready lines.  They are packed where they are put and
 * unpacked where they have come, by parts, so that nobody makes a copy of all.
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

/* The next n bytes: see wf_leg_give() and wf_leg_take(). */
static inline void wf_leg_pack(const struct wf_leg *leg, void *to, uint64_t n)
{
	wf_gather(wf_leg_type(leg), leg->data, leg->move->moved, to, n);
}

static inline void wf_leg_unpack(const struct wf_leg *leg, const void *from,
				 uint64_t n)
{
	if (wf_leg_type(leg))
		wf_scatter(wf_leg_type(leg), leg->data, leg->move->moved,
			   from, n);
	else
		wf_leg_take(leg, leg->move->moved, from, n);
}

#endif
