/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs whose buffers are in a packed copy: see staged.h. */
#ifndef WEFT_PLAN_PLAN_STAGED_H
#define WEFT_PLAN_PLAN_STAGED_H

#include "plan/plan.h"

/* How runs are polled: plan_run.c. */
bool wf_run_poll(struct wf_poller *poller);

/*
 * Its copy has what the memory of the program has, of what does not go straight
 * from there: before each start.
 */
void wf_run_gather_all(const struct wf_run *run);

static inline void wf_run_gather(const struct wf_run *run)
{
	if (run->staged)
		wf_run_gather_all(run);
}

/* What has come goes to where it belongs: the run is complete. */
void wf_run_scatter(const struct wf_run *run);

/* It goes into the fold: edges that have come, and all before them have. */
void wf_run_fold(const struct wf_run *run);

/* That is done while others are awaited, not only in the end. */
void wf_run_fold_early(struct wf_run *run);

static inline void wf_run_unstage(struct wf_run *run)
{
	if (!run->staged)
		return;
	wf_staged_free(run->staged);
	run->staged = NULL;
}

#endif
