/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies of equal size at a constant stride, at either end, as one step of a
 * plan.  What such a step says of further copies counts only where it has
 * bytes: coll/tree.c turns others into copies of none.
 */
#ifndef WEFT_PLAN_COPIES_H
#define WEFT_PLAN_COPIES_H

#include "plan/plan.h"

struct wf_copies {
	struct wf_place from, to;	/* of the first one */
	uint64_t bytes;			/* of each */
	uint32_t n;
	struct wf_copy_step stride;
};

/* One more, if it goes on as those before; the first one always does. */
bool wf_copies_add(struct wf_copies *c, struct wf_place from,
		   struct wf_place to, uint64_t bytes);

uint32_t wf_build_copies(struct wf_builder *b, const struct wf_copies *c);

/* Such a step, in a run. */
void wf_run_copy(const struct wf_run *run, const struct wf_step *s);

#endif
