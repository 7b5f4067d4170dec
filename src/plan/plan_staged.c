/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs whose buffers are in a packed copy. */
#include "plan/plan_staged.h"

#include "base/assert.h"
#include "job/peer.h"

/*
 * Nothing of this is taken back while the run is under way, so that the end
 * which packs (channel_large.c) finds what was left to it; no epoch of a graph
 * goes by mail.
 */
static bool goes_loose(const struct wf_run *run, const struct wf_step *s)
{
	struct wf_out *out = &run->set->out[s->edge];

	return run->staged->loose && !run->staged->in_arena &&
	       s->bytes > out->slot_max && wf_out_is_open(out) &&
	       out->ep->dev->caps & WF_CAP_MAPPED;
}

void wf_run_gather_all(const struct wf_run *run)
{
	const struct wf_plan *plan = run->plan;

	if (!run->staged->per_out) {
		wf_staged_gather(run->staged);
		return;
	}
	wf_staged_rewind(run->staged);
	for (int i = 0; i < plan->nsteps; i++) {
		const struct wf_step *s = &plan->step[i];

		if (s->kind == WF_STEP_SEND && !goes_loose(run, s))
			wf_staged_gather_edge(run->staged, (int)s->edge);
	}
}

/* What an edge has got is good where it did not fail, or was told to. */
static void scatter_edges(const struct wf_run *run)
{
	for (int i = 0; i < run->plan->nsteps; i++) {
		const struct wf_step *s = &run->plan->step[i];

		if (s->kind == WF_STEP_RECV && !run->move[i].status)
			wf_staged_scatter_edge(run->staged, (int)s->edge);
	}
}

static void fold_ordered(const struct wf_run *run)
{
	const struct wf_staged *staged = run->staged;

	wf_fold_take_ordered(staged->fold, wf_staged_got(staged));
	wf_job_reduced(staged->job, staged->fold->of.n *
		       staged->fold->packets.width *
		       staged->fold->of.with.width);
}

void wf_run_scatter(const struct wf_run *run)
{
	const struct wf_fold *fold = run->staged->fold;

	if (fold && fold->packets.order && !run->status)
		fold_ordered(run);
	else if (fold && fold->packets.order)
		return;
	else if (fold)
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

	if (run->refusal || staged->fold->packets.order)
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
