/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waiting for a run, and saying for whom: to the failure detector, to the
 * other ends of its edges when it takes long, and to people.
 */
#include "base/text.h"
#include "plan/inquiry.h"
#include "plan/plan.h"

struct wf_peer *wf_run_peer(const struct wf_run *run, uint32_t i)
{
	const struct wf_step *s = &run->plan->step[i];

	if (s->kind == WF_STEP_SEND)
		return run->set->out[s->edge].peer;
	return s->kind == WF_STEP_RECV ? run->set->in[s->edge].peer : NULL;
}

void wf_run_ask(struct wf_run *run)
{
	const struct weft_job *job = run->set->comm->job;
	uint64_t now;
	bool again;

	/* Until the detector looks once more nothing is older. */
	if (run->looked == job->live_looks)
		return;
	run->looked = job->live_looks;
	now = wf_job_now(job);
	again = now - run->asked >= run->again;
	/* ever more rarely, so that nothing else is what one sees */
	if (again) {
		run->asked = now;
		run->again *= 2;
	}
	for (uint32_t at = 0; at < run->npending; at++) {
		uint32_t i = run->pending[at];
		const struct wf_step *s = &run->plan->step[i];
		struct wf_leg leg;

		if (again)
			run->move[i].asked = false;
		if (s->kind == WF_STEP_SEND) {
			leg = wf_run_leg(run, i, s->from);
			wf_out_ask(&run->set->out[s->edge], &leg);
		} else if (s->kind == WF_STEP_RECV) {
			leg = wf_run_leg(run, i, s->to);
			wf_in_ask(&run->set->in[s->edge], &leg);
		}
	}
}

int wf_run_waits_for(struct wf_poller *poller, int *cursor)
{
	struct wf_run *run = wf_container(poller, struct wf_run, poller);

	while ((uint32_t)*cursor < run->npending) {
		struct wf_peer *peer = wf_run_peer(run, run->pending[*cursor]);

		++*cursor;
		if (peer)
			return peer->rank;
	}
	return -1;
}

static bool run_is_idle(void *arg)
{
	return wf_run_is_idle(arg);
}

static void describe(void *arg, char *text, size_t bytes)
{
	enum { SHOWN = 4 };
	const struct wf_run *run = arg;
	int shown = 0;

	wf_run_tell(run, text, bytes);
	wf_text_add(text, bytes, " (%s):",
		    run->state == WF_RUN_QUEUED ? "queued behind earlier ones"
						: "active");
	for (uint32_t at = 0; at < run->npending && shown < SHOWN; at++) {
		if (!wf_run_peer(run, run->pending[at]))
			continue;
		wf_text_add(text, bytes, shown++ ? ", " : " ");
		wf_run_tell_step(run, run->pending[at], text, bytes);
	}
}

int wf_run_wait(struct wf_run *run)
{
	struct wf_wait wait = { run_is_idle, describe, run };

	wf_job_wait(run->set->comm->job, &wait);
	return run->status;
}
