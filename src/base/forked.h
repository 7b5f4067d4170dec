/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Descriptors that the child of a fork must not hold: with them its parent
 * would seem to live as long as the child does.
 */
#ifndef WEFT_BASE_FORKED_H
#define WEFT_BASE_FORKED_H

#include "base/list.h"

/* Who has such ones embeds it. */
struct wf_forked {
	struct wf_list link;
	void (*close)(struct wf_forked *forked);	/* in the child, once */
};

void wf_forked_init(struct wf_forked *forked,
		    void (*close)(struct wf_forked *forked));

/*
 * No fork from hold to let_go: descriptors are opened and recorded in one such
 * stretch, and closed and forgotten in one.  In between the child of a fork
 * closes what is recorded by those that are guarded.
 */
void wf_forked_hold(void);
void wf_forked_let_go(void);
void wf_forked_guard(struct wf_forked *forked);		/* held */
void wf_forked_unguard(struct wf_forked *forked);	/* held */

#endif
