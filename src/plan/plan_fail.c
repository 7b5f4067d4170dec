/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When a run cannot complete: a member of its communicator is gone, or its
 * ranks are at odds.  The call ends only when the user's memory is quiet: own
 * sources reusable, and what was offered to peers taken back.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/text.h"
#include "comm/accord.h"
#include "plan/inquiry.h"
#include "plan/plan.h"

/* Edges that the program does not know by numbers are called by their ranks. */
static void tell_edge(struct wf_run *run, const struct wf_edge *edge)
{
	run->error[0] = 0;
	wf_run_tell(run, run->error, sizeof(run->error));
	wf_text_add(run->error, sizeof(run->error), ", ");
	if (wf_set_has_numbers(run->set))
		wf_text_add(run->error, sizeof(run->error), "edge %u ",
			    edge->k);
	wf_text_add(run->error, sizeof(run->error), "from rank %d to rank %d: ",
		    edge->sender, edge->receiver);
}

void wf_leg_fail(const struct wf_leg *leg, const struct wf_edge *edge,
		 int status, const char *fmt, ...)
{
	struct wf_run *run = leg->run;
	size_t used;
	va_list args;

	leg->move->status = status;
	if (run->status)
		return;
	run->status = status;
	tell_edge(run, edge);
	used = strlen(run->error);
	va_start(args, fmt);
	vsnprintf(run->error + used, sizeof(run->error) - used, fmt, args);
	va_end(args);
	wf_info(&run->set->comm->job->log, "%s: %s", weft_status_name(status),
		run->error);
}

/*
 * Also the steps whose time had not come: ranks that still live may wait for
 * them, and without an answer they would do so until this one closes.
 */
static void withdraw_all(struct wf_run *run)
{
	for (int at = 0; at < run->plan->nsteps; at++) {
		const struct wf_step *s = &run->plan->step[at];
		uint32_t i = (uint32_t)at;
		struct wf_leg leg;

		if (s->kind != WF_STEP_SEND && s->kind != WF_STEP_RECV)
			continue;
		leg = wf_run_leg(run, i, s->kind == WF_STEP_SEND ? s->from :
								   s->to);
		if (!leg.move->status)
			leg.move->status = WEFT_ERR_PEER;
		if (s->kind == WF_STEP_SEND)
			wf_out_withdraw(&run->set->out[s->edge], &leg);
		else
			wf_in_withdraw(&run->set->in[s->edge], &leg);
	}
}

static void tell(struct wf_run *run, const struct wf_peer *peer)
{
	run->status = wf_peer_status(peer);
	run->error[0] = 0;
	wf_run_tell(run, run->error, sizeof(run->error));
	wf_text_add(run->error, sizeof(run->error), ": rank %d on host %s %s",
		    peer->rank, wf_peer_host(peer), wf_peer_why(peer));
	wf_comm_blame(run->set->comm, peer, run->error, sizeof(run->error));
	wf_info(&run->set->comm->job->log, "%s: %s",
		weft_status_name(run->status), run->error);
}

/* What its collectives end with; NULL: nothing. */
static const char *odds_of(const struct wf_set *set)
{
	return wf_set_is_compared(set) ? wf_comm_odds(set->comm) : NULL;
}

/* From now on it waits only until memory is quiet. */
static void give_up(struct wf_run *run)
{
	run->set->broken = WEFT_ERR_PEER;
	wf_run_lose(run);
	run->state = WF_RUN_FAILING;
}

static void fail(struct wf_run *run, const struct wf_peer *peer)
{
	/*
	 * A run that has failed already waits for a verdict only; who has left
	 * need not give it, and all that it put has landed.
	 */
	if (!run->status || peer->state == WF_PEER_DEAD)
		tell(run, peer);
	give_up(run);
	/* Of a death they hear by themselves, and by name. */
	if (peer->state != WF_PEER_DEAD)
		withdraw_all(run);
}

/* Others hear of it by themselves, as of a death. */
static void fail_at_odds(struct wf_run *run, const char *odds)
{
	if (!run->status) {
		run->status = WEFT_ERR_ARG;
		run->error[0] = 0;
		wf_text_add(run->error, sizeof(run->error), "%s", odds);
	}
	give_up(run);
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
	}
	return wf_ep_ask_done(out->ep, m->post) ||
	       (wf_peer_is_silent(out->peer) &&
		wf_peer_fence(out->peer) != WEFT_INPROGRESS);
}

static bool is_quiet(struct wf_run *run, uint32_t i)
{
	const struct wf_step *s = &run->plan->step[i];
	struct wf_leg leg;

	if (s->kind == WF_STEP_SEND)
		return send_is_quiet(run, i);
	if (s->kind != WF_STEP_RECV)
		return true;
	leg = wf_run_leg(run, i, s->to);
	leg.move->status = odds_of(run->set) ? WEFT_ERR_ARG : WEFT_ERR_PEER;
	return wf_in_revoke(&run->set->in[s->edge], &leg);
}

bool wf_run_quiet(struct wf_run *run)
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

/* The other end of a pair, if it is dead. */
static struct wf_peer *dead_end(const struct wf_set *set)
{
	struct wf_peer *peer = set->nout ? set->out->peer : set->in->peer;

	return peer->state == WF_PEER_DEAD ? peer : NULL;
}

bool wf_run_look_at_dead(struct wf_run *run)
{
	const struct wf_set *set = run->set;
	struct wf_peer *peer = set->pair ? dead_end(set) :
					   wf_comm_dead(set->comm);
	const char *odds = odds_of(set);

	if (peer)
		fail(run, peer);
	else if (odds)
		fail_at_odds(run, odds);
	return peer || odds;
}

/* Does this step wait for somebody who will not come? */
static struct wf_peer *waits_in_vain(const struct wf_run *run, uint32_t i)
{
	struct wf_peer *peer = wf_run_peer(run, i);

	if (!peer || wf_peer_is_there(peer) ||
	    run->move[i].phase == WF_PHASE_POSTED)
		return NULL;
	return peer;
}

/* A peer of any step that is not there. */
static struct wf_peer *misses(const struct wf_run *run)
{
	for (int i = 0; i < run->plan->nsteps; i++) {
		struct wf_peer *peer = wf_run_peer(run, (uint32_t)i);

		if (peer && !wf_peer_is_there(peer))
			return peer;
	}
	return NULL;
}

/*
 * Behind an epoch that has failed nothing is as it should be: what that one
 * did not take may lie in the place of this one, or keep the chunk area for
 * ever, and its credits are not paid.
 */
void wf_run_look_at_gone(struct wf_run *run)
{
	struct wf_peer *peer = NULL;

	if (wf_run_look_at_dead(run))
		return;
	if (run->epoch > run->set->count.lost)
		peer = misses(run);
	for (uint32_t at = 0; !peer && at < run->npending; at++)
		peer = waits_in_vain(run, run->pending[at]);
	if (peer)
		fail(run, peer);
}
