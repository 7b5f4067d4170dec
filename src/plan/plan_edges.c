/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a run asks of the edges of its steps at its start and at its end: the
 * memory of their channels, and, in a set where an epoch uses some edges only,
 * which epoch of the edge it is.  Both ends count alike, because all ranks make
 * the same calls in the same order, and know which edges each of them uses.
 */
#include "plan/plan.h"

static struct wf_count *count_of(const struct wf_run *run, uint32_t step)
{
	const struct wf_step *s = &run->plan->step[step];

	switch (s->kind) {
	case WF_STEP_SEND:
		return run->set->out[s->edge].count;
	case WF_STEP_RECV:
		return run->set->in[s->edge].count;
	case WF_STEP_COPY:
	case WF_STEP_REDUCE:
		break;
	}
	return NULL;
}

/* Those that go by mail need nothing. */
static int prepare(struct wf_run *run, uint32_t i)
{
	const struct wf_count *count = count_of(run, i);
	const struct wf_step *s = &run->plan->step[i];
	struct wf_leg leg;

	if (!count || wf_run_number(run, i) < count->mail_end)
		return WEFT_OK;
	if (s->kind == WF_STEP_SEND)
		return wf_out_prepare(&run->set->out[s->edge], s->bytes);
	leg = wf_run_leg(run, i, s->to);
	leg.bytes = s->bytes;		/* also of one that is refused */
	return wf_in_prepare(&run->set->in[s->edge], &leg);
}

int wf_run_prepare(struct wf_run *run)
{
	int status = WEFT_OK;

	/* All edges, also behind one that lacks memory. */
	for (int i = 0; i < run->plan->nsteps; i++) {
		int one = prepare(run, (uint32_t)i);

		status = status ? status : one;
	}
	run->plan->prepared = !status && run->plan->fixed;
	return status;
}

void wf_run_number_edges(struct wf_run *run)
{
	for (int i = 0; i < run->plan->nsteps; i++) {
		struct wf_count *count = count_of(run, (uint32_t)i);

		if (!count)
			continue;
		wf_count_promote(count, run->plan->unsized ? UINT64_MAX :
				 run->plan->step[i].bytes);
		run->number[i] = count->next++;
	}
}

void wf_run_complete_edges(const struct wf_run *run)
{
	for (int i = 0; i < run->plan->nsteps; i++) {
		struct wf_count *count = count_of(run, (uint32_t)i);

		if (count)
			wf_count_complete(count, run->number[i]);
	}
}

static void misses_somebody(struct wf_count *count, uint64_t epoch)
{
	if (count && epoch < count->lost)
		count->lost = epoch;
}

void wf_run_lose(struct wf_run *run)
{
	misses_somebody(&run->set->count, run->epoch);
	for (int i = 0; run->number && i < run->plan->nsteps; i++)
		misses_somebody(count_of(run, (uint32_t)i), run->number[i]);
}
