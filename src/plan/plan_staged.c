/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs whose buffers are in a packed copy. */
#include "plan/plan_staged.h"

/* What an edge has got is good where it did not fail, or was told to. */
static void scatter_edges(const struct wf_run *run)
{
	for (int i = 0; i < run->plan->nsteps; i++) {
		const struct wf_step *s = &run->plan->step[i];

		if (s->kind == WF_STEP_RECV && !run->move[i].status)
			wf_staged_scatter_edge(run->staged, (int)s->edge);
	}
}

void wf_run_scatter(const struct wf_run *run)
{
	if (!run->status)
		wf_staged_scatter(run->staged);
	else if (!run->refusal && run->staged->per_edge)
		scatter_edges(run);
}
