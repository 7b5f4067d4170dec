/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs whose buffers are in a packed copy. */
#include "plan/plan_staged.h"

#include "base/assert.h"

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
	if (run->staged->fold)
		wf_run_fold(run);
	else if (!run->status)
		wf_staged_scatter(run->staged);
	else if (!run->refusal && run->staged->per_edge)
		scatter_edges(run);
}

/* All of what the i-th in-edge brings in this epoch. */
static bool has_come(const struct wf_run *run, int i)
{
	/* behind one send step for each out-edge: topo/neighbor_plan.c */
	uint32_t step = (uint32_t)(run->set->nout + i);
	uint64_t epoch = wf_run_number(run, step);
	const struct wf_record *r =
		&run->set->in[i].record[epoch & run->set->mask];

	WF_ASSERT(run->plan->step[step].kind == WF_STEP_RECV &&
		  run->plan->step[step].edge == (uint32_t)i);
	return r->epoch == epoch && r->over && !run->move[step].status;
}

/* One that failed stops it: what comes behind is not combined. */
void wf_run_fold(const struct wf_run *run)
{
	const struct wf_staged *staged = run->staged;

	if (run->refusal)
		return;
	while (staged->given + staged->fold->next < staged->n &&
	       has_come(run, staged->fold->next))
		wf_staged_fold(staged);
}

/* What has come by now is combined before more is looked for. */
static bool fold_poll(struct wf_poller *poller)
{
	const struct wf_run *run = wf_container(poller, struct wf_run, poller);

	if (run->state == WF_RUN_ACTIVE && run->staged && run->staged->fold)
		wf_run_fold(run);
	return wf_run_poll(poller);
}

void wf_run_fold_early(struct wf_run *run)
{
	run->poller.poll = fold_poll;
}
