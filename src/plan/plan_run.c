/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The engine: takes the steps of a run whose predecessors are done, and goes
 * on with each as far as its channel allows.  Driven by progress only; a run
 * is in the job's list of pollers from start to completion.
 */
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "plan/inquiry.h"
#include "plan/plan.h"

static inline char *place(const struct wf_run *run, struct wf_place at)
{
	/* As numbers: a buffer of zero bytes may be NULL. */
	return (char *)((uintptr_t)run->buffer[at.buffer] +
			(uintptr_t)at.offset);
}

static inline struct wf_leg leg_of(const struct wf_run *run, uint32_t i,
				   struct wf_place at)
{
	const struct wf_step *s = &run->plan->step[i];
	struct wf_leg leg = {
		.move = &run->move[i], .epoch = run->epoch, .seq = run->seq,
		.refusal = run->refusal, .data = place(run, at),
		.bytes = run->refusal ? WF_REFUSED : s->bytes
	};

	return leg;
}

static void reduce(const struct wf_run *run, const struct wf_step *s)
{
	if (!s->bytes)
		return;
	run->plan->kernel(place(run, s->from), place(run, s->other),
			  place(run, s->to), s->bytes / run->plan->width);
}

static void copy(const struct wf_run *run, const struct wf_step *s)
{
	if (s->bytes)
		memcpy(place(run, s->to), place(run, s->from), s->bytes);
}

/* True: the step is done. */
static bool advance(struct wf_run *run, uint32_t i)
{
	const struct wf_step *s = &run->plan->step[i];
	struct wf_leg leg;

	switch (s->kind) {
	case WF_STEP_SEND:
		leg = leg_of(run, i, s->from);
		return wf_out_advance(&run->set->out[s->edge], &leg);
	case WF_STEP_RECV:
		leg = leg_of(run, i, s->to);
		return wf_in_advance(&run->set->in[s->edge], &leg);
	case WF_STEP_COPY:
		if (!run->refusal)
			copy(run, s);
		return true;
	case WF_STEP_REDUCE:
		if (!run->refusal)
			reduce(run, s);
		return true;
	}
	return true;
}

/* The step is done: its successors may come into play. */
static void step_done(struct wf_run *run, uint32_t i)
{
	const struct wf_plan *plan = run->plan;
	const struct wf_step *s = &plan->step[i];

	if (run->move[i].status && !run->status) {
		run->status = run->move[i].status;
		wf_text_add(run->error, sizeof(run->error), "%s",
			    run->set->comm->job->error);
	}
	for (uint32_t k = 0; k < s->nnext; k++) {
		uint32_t after = plan->next[s->first_next + k];

		if (!--run->needs[after])
			run->pending[run->npending++] = after;
	}
}

/* One look at each pending step; those that are not done keep their order. */
static bool advance_all(struct wf_run *run)
{
	uint32_t kept = 0;

	for (uint32_t at = 0; at < run->npending; at++) {
		uint32_t i = run->pending[at];

		if (advance(run, i))
			step_done(run, i);
		else
			run->pending[kept++] = i;
	}
	if (kept == run->npending)
		return false;
	run->npending = kept;
	return true;
}

static struct wf_peer *peer_of(const struct wf_run *run, uint32_t i)
{
	const struct wf_step *s = &run->plan->step[i];

	if (s->kind == WF_STEP_SEND)
		return run->set->out[s->edge].peer;
	return s->kind == WF_STEP_RECV ? run->set->in[s->edge].peer : NULL;
}

/* ---- failing ---- */

static void fail(struct wf_run *run, int status, const struct wf_peer *peer)
{
	struct weft_job *job = run->set->comm->job;

	wf_job_fail(job, status, "exchange %llu of context %llu: rank %d on "
		    "host %s %s", (unsigned long long)run->epoch,
		    (unsigned long long)run->set->comm->id, peer->rank,
		    wf_peer_host(peer), peer->why);
	run->error[0] = 0;
	wf_text_add(run->error, sizeof(run->error), "%s", job->error);
	run->status = status;
	run->set->broken = status;
	run->state = WF_RUN_FAILING;
}

/* The own source must be reusable before the call ends. */
static bool send_is_quiet(struct wf_run *run, uint32_t i)
{
	struct wf_out *out = &run->set->out[run->plan->step[i].edge];
	struct wf_move *m = &run->move[i];

	if (m->phase == WF_PHASE_MAILING)
		return false;		/* settled when sent, or gone */
	if (m->phase < WF_PHASE_CHUNKS)
		return true;
	if (m->phase == WF_PHASE_CHUNKS) {
		m->post = out->ep->posted;
		m->phase = WF_PHASE_POSTED;
		out->ep->ops->flush(out->ep, WF_FLUSH_LOCAL);
	}
	return wf_ep_done(out->ep, m->post) || !wf_peer_is_there(out->peer);
}

static bool is_quiet(struct wf_run *run, uint32_t i)
{
	const struct wf_step *s = &run->plan->step[i];
	struct wf_leg leg;

	if (s->kind == WF_STEP_SEND)
		return send_is_quiet(run, i);
	if (s->kind != WF_STEP_RECV)
		return true;
	leg = leg_of(run, i, s->to);
	leg.move->status = run->status;
	return wf_in_revoke(&run->set->in[s->edge], &leg);
}

static bool quiet_all(struct wf_run *run)
{
	uint32_t kept = 0;
	bool moved;

	for (uint32_t at = 0; at < run->npending; at++)
		if (!is_quiet(run, run->pending[at]))
			run->pending[kept++] = run->pending[at];
	moved = kept != run->npending;
	run->npending = kept;
	return moved;
}

/*
 * Somebody of the job is gone.  A dead member ends the run; a member that has
 * left ends it only if a step still waits for it, all that it sent having been
 * looked at just now.
 */
static void look_at_gone(struct wf_run *run)
{
	struct wf_peer *peer = wf_comm_dead(run->set->comm);

	for (uint32_t at = 0; !peer && at < run->npending; at++) {
		peer = peer_of(run, run->pending[at]);
		if (peer && (wf_peer_is_there(peer) ||
			     run->move[run->pending[at]].phase ==
			     WF_PHASE_POSTED))
			peer = NULL;
	}
	if (peer)
		fail(run, WEFT_ERR_PEER, peer);
}

/* ---- life of a run ---- */

static void ask_all(struct wf_run *run)
{
	for (uint32_t at = 0; at < run->npending; at++) {
		uint32_t i = run->pending[at];
		const struct wf_step *s = &run->plan->step[i];
		struct wf_leg leg;

		if (s->kind == WF_STEP_SEND) {
			leg = leg_of(run, i, s->from);
			wf_out_ask(&run->set->out[s->edge], &leg);
		} else if (s->kind == WF_STEP_RECV) {
			leg = leg_of(run, i, s->to);
			wf_in_ask(&run->set->in[s->edge], &leg);
		}
	}
}

/* What the channels of the plan need for this epoch. */
int wf_run_prepare(struct wf_run *run)
{
	struct wf_set *set = run->set;
	int status = WEFT_OK;

	for (int i = 0; !status && i < run->plan->nsteps; i++) {
		const struct wf_step *s = &run->plan->step[i];

		if (s->kind == WF_STEP_SEND)
			status = wf_out_prepare(&set->out[s->edge]);
		else if (s->kind == WF_STEP_RECV)
			status = wf_in_prepare(&set->in[s->edge], run->epoch,
					       place(run, s->to), s->bytes);
	}
	run->plan->prepared = !status && run->plan->fixed;
	return status;
}

/* The window admits the epoch. */
static void activate(struct wf_run *run)
{
	int status = WEFT_OK;

	run->state = WF_RUN_ACTIVE;
	if (!run->plan->prepared && run->epoch >= run->set->mail_end)
		status = wf_run_prepare(run);
	/* Without memory it is an epoch like a refused one. */
	if (status && !run->refusal)
		run->status = run->refusal = status;
}

static void complete(struct wf_run *run)
{
	run->state = WF_RUN_IDLE;
	wf_poller_del(&run->poller);
	wf_set_complete(run->set, run->epoch);
	if (run->finished)
		run->finished(run);
}

static bool run_poll(struct wf_poller *poller)
{
	struct wf_run *run = wf_container(poller, struct wf_run, poller);
	struct weft_job *job = run->set->comm->job;
	bool moved;

	if (run->state == WF_RUN_QUEUED) {
		if (!wf_set_admits(run->set, run->epoch))
			return false;
		activate(run);
	}
	if (run->state == WF_RUN_ACTIVE) {
		moved = advance_all(run);
		if (run->npending && job->gone)
			look_at_gone(run);
		if (run->npending && poller->old)
			ask_all(run);
	} else {
		moved = quiet_all(run);
	}
	if (!run->npending)
		complete(run);
	return moved;
}

static int run_waits_for(struct wf_poller *poller, int *cursor)
{
	struct wf_run *run = wf_container(poller, struct wf_run, poller);

	while ((uint32_t)*cursor < run->npending) {
		struct wf_peer *peer = peer_of(run, run->pending[*cursor]);

		++*cursor;
		if (peer)
			return peer->rank;
	}
	return -1;
}

int wf_run_take(struct wf_run *run, struct wf_plan *plan)
{
	size_t n = (size_t)plan->nsteps + 1;
	size_t bytes = n * (sizeof(*run->move) + 2 * sizeof(uint32_t));

	if (bytes > run->bytes) {
		void *memory = realloc(run->move, bytes);

		if (!memory)
			return WEFT_ERR_NOMEM;
		run->move = memory;
		run->bytes = bytes;
	}
	run->pending = (uint32_t *)(run->move + n);
	run->needs = run->pending + n;
	run->plan = plan;
	run->set = plan->set;
	run->buffer[WF_BUFFER_SCRATCH] = plan->scratch;
	return WEFT_OK;
}

int wf_run_init(struct wf_run *run, struct wf_plan *plan)
{
	memset(run, 0, sizeof(*run));
	run->poller.poll = run_poll;
	run->poller.waits_for = run_waits_for;
	return wf_run_take(run, plan);
}

void wf_run_fini(struct wf_run *run)
{
	free(run->move);
	run->move = NULL;
}

void wf_run_start(struct wf_run *run, int refusal)
{
	const struct wf_plan *plan = run->plan;

	run->epoch = wf_set_number(run->set, &run->seq);
	run->status = refusal;
	run->refusal = refusal;
	run->state = WF_RUN_QUEUED;
	run->error[0] = 0;
	memset(run->move, 0, (size_t)plan->nsteps * sizeof(*run->move));
	memcpy(run->pending, plan->root,
	       (size_t)plan->nroots * sizeof(*plan->root));
	run->npending = (uint32_t)plan->nroots;
	for (int i = 0; plan->linked && i < plan->nsteps; i++)
		run->needs[i] = plan->step[i].needs;
	wf_poller_add(run->set->comm->job, &run->poller);
	run_poll(&run->poller);
}

static bool run_is_idle(void *arg)
{
	return wf_run_is_idle(arg);
}

static void describe(void *arg, char *text, size_t bytes)
{
	struct wf_run *run = arg;
	int shown = 0;

	wf_text_add(text, bytes, "exchange %llu of context %llu (%s):",
		    (unsigned long long)run->epoch,
		    (unsigned long long)run->set->comm->id,
		    run->state == WF_RUN_QUEUED ? "queued behind earlier ones"
						: "active");
	for (uint32_t at = 0; at < run->npending && shown < 4; at++) {
		uint32_t i = run->pending[at];
		struct wf_peer *peer = peer_of(run, i);
		const struct wf_step *s = &run->plan->step[i];

		if (!peer)
			continue;
		wf_text_add(text, bytes, " %s-edge %u %s rank %d on host %s",
			    s->kind == WF_STEP_SEND ? "out" : "in", s->edge,
			    s->kind == WF_STEP_SEND ? "to" : "from",
			    peer->rank, wf_peer_host(peer));
		shown++;
	}
}

int wf_run_wait(struct wf_run *run)
{
	struct wf_wait wait = { run_is_idle, describe, run };

	wf_job_wait(run->set->comm->job, &wait);
	return run->status;
}
