/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The engine: takes the steps of a run whose predecessors are done, and goes
 * on with each as far as its channel allows.  Driven by progress only; a run
 * is in the job's list of pollers from start to completion.
 *
 * Lines and landing slots, the data path, are here whole; what is rare is
 * elsewhere: large messages in channel_large.c, the mailbox in channel_mail.c,
 * sizes that differ in inquiry.c, failing in plan_fail.c.
 */
#include <stdlib.h>
#include <string.h>
#include "base/lack.h"
#include "base/text.h"
#include "plan/copies.h"
#include "plan/inquiry.h"
#include "plan/plan_staged.h"

static inline struct wf_leg leg_of(struct wf_run *run, uint32_t i,
				   struct wf_place at)
{
	const struct wf_step *s = &run->plan->step[i];
	struct wf_move *m = &run->move[i];
	struct wf_leg leg = {
		.run = run, .move = m,
		.epoch = wf_run_number(run, i),
		.seq = run->number ? wf_line_seq(run->number[i]) : run->seq,
		.refusal = run->refusal, .data = wf_run_place(run, at),
		.bytes = s->bytes
	};

	if (m->tainted && !leg.refusal)
		leg.refusal = m->status;
	if (leg.refusal)
		leg.bytes = WF_REFUSED;
	return leg;
}

/* ---- sending ---- */

static void record_put(struct wf_out *out, const struct wf_leg *leg)
{
	out->record[leg->epoch & out->set->mask].put = true;
}

bool wf_out_posted(struct wf_out *out, const struct wf_leg *leg)
{
	leg->move->post = out->ep->posted;
	leg->move->phase = WF_PHASE_POSTED;
	return wf_ep_ask_done(out->ep, leg->move->post);
}

bool wf_out_post(struct wf_out *out, const struct wf_leg *leg,
		 struct wf_rloc dst, uint32_t sig, const uint64_t *head)
{
	struct wf_ep *ep = out->ep;
	struct wf_loc src = wf_leg_source(leg, ep->dev, leg->data, leg->bytes);
	int status = ep->ops->put_signal(ep, src, dst, leg->bytes, sig, head);

	if (status)
		return wf_out_stops(out, leg, "a put", status);
	record_put(out, leg);
	return wf_out_posted(out, leg);
}

/*
 * Once an epoch exceeds the capacity that is known here, it and all later slot
 * epochs of the edge wait for the growth mail.
 */
static bool waits_for_growth(struct wf_out *out, const struct wf_target *to,
			     const struct wf_leg *leg)
{
	if (leg->bytes > to->capacity) {
		if (leg->epoch < out->short_since)
			out->short_since = leg->epoch;
		return true;
	}
	return leg->epoch > out->short_since && to->first <= out->short_since &&
	       wf_out_target(out, out->ntargets - 1)->first < out->short_since;
}

static bool send_slot(struct wf_out *out, const struct wf_leg *leg)
{
	const struct wf_target *to = wf_target_of(out, leg->epoch);
	unsigned at = (unsigned)(leg->epoch & out->set->mask);
	struct wf_rloc dst;

	if (!to || waits_for_growth(out, to, leg))
		return false;
	if (leg->epoch >= out->short_since)
		out->short_since = UINT64_MAX;
	dst = to->base;
	dst.addr += at * (WF_HEAD_BYTES + to->capacity);
	return wf_out_post(out, leg, dst, to->sig[at], &leg->bytes);
}

/* From here on the record of epoch - 2w is not asked for any more. */
static inline void begin_send(struct wf_out *out, const struct wf_leg *leg)
{
	unsigned at = (unsigned)(leg->epoch & out->set->mask);
	struct wf_record *r = &out->record[at];

	wf_inquiry_begin(&out->talk, at);
	r->epoch = leg->epoch;
	r->bytes = leg->bytes;
	r->status = leg->refusal;
	r->put = false;
	r->mailed = false;
	r->over = false;
	leg->move->phase = WF_PHASE_OPEN;
}

/* Is it open, with its lines right behind those of the other one? */
static bool lies_behind(struct wf_out *twin, const struct wf_out *out)
{
	return wf_out_is_open(twin) && twin->ep == out->ep &&
	       twin->lines.key == out->lines.key &&
	       twin->lines.addr == out->lines.addr + WF_LINE_BYTES;
}

/*
 * Its twin, if the next step is that one's send, which has not begun and may go
 * as a line at once: it begins.  Else NULL.
 */
static struct wf_out *take_along(struct wf_out *out, const struct wf_leg *leg,
				 struct wf_leg *next)
{
	struct wf_run *run = leg->run;
	uint32_t i = (uint32_t)(leg->move - run->move) + 1;
	const struct wf_step *s = run->plan->step + i;
	struct wf_out *twin;

	if (i == (uint32_t)run->plan->nsteps || s->kind != WF_STEP_SEND ||
	    run->needs[i] || run->move[i].phase != WF_PHASE_BEGIN)
		return NULL;
	twin = &out->set->out[s->edge];
	*next = leg_of(run, i, s->from);
	if (!wf_out_may_begin(twin, next->epoch) || twin->verdict ||
	    !lies_behind(twin, out) || next->bytes > twin->line_max)
		return NULL;
	begin_send(twin, next);
	return twin;
}

static bool send_line(struct wf_out *out, const struct wf_leg *leg)
{
	struct wf_piece piece[2] = { { leg->data, (uint32_t)leg->bytes } };
	uint64_t at = leg->epoch & out->set->mask;
	struct wf_rloc dst = out->lines;
	struct wf_out *twin = NULL;
	struct wf_leg next;
	int status;

	if (out->spread)
		at *= 2;
	if (out->spread && out->edge.k % 2 == 0)
		twin = take_along(out, leg, &next);
	if (twin)
		piece[1] = (struct wf_piece){ next.data, (uint32_t)next.bytes };
	dst.addr += at * WF_LINE_BYTES;
	status = out->ep->ops->lines(out->ep, dst, piece, twin ? 2 : 1,
				     leg->seq);
	if (status)
		return wf_out_stops(out, leg, "a line", status);
	record_put(out, leg);
	if (twin) {
		/* With nothing to wait for: see wf_out_posted(). */
		next.move->phase = WF_PHASE_POSTED;
		record_put(twin, &next);
	}
	return true;
}

static bool send_edge(struct wf_out *out, const struct wf_leg *leg)
{
	struct wf_move *m = leg->move;
	bool over;

	if (m->phase == WF_PHASE_BEGIN) {
		if (!wf_out_may_begin(out, leg->epoch) &&
		    !wf_out_is_refused(out, leg))
			return false;
		begin_send(out, leg);
	}
	if ((out->verdict || leg->bytes == WF_REFUSED) &&
	    m->phase != WF_PHASE_MAILING && m->phase != WF_PHASE_MAILED &&
	    wf_out_settles(out, leg, &over))
		return over;
	if (leg->epoch < out->count->mail_end)
		return wf_out_mail(out, leg);
	if (!wf_out_is_open(out))
		return false;
	if (leg->bytes <= out->line_max)
		return send_line(out, leg);
	if (leg->bytes > out->slot_max)
		return wf_out_large(out, leg);
	return send_slot(out, leg);
}

/* ---- receiving ---- */

static bool consume(struct wf_in *in, const struct wf_leg *leg)
{
	in->record[leg->epoch & in->set->mask].over = true;
	wf_in_consumed(in, leg->epoch, leg->move->status != WEFT_ERR_GRAPH);
	return true;
}

/*
 * One that did not wait for the ready line: it would come late, in the place of
 * that of a later epoch.
 */
static bool consume_early(struct wf_in *in, const struct wf_leg *leg)
{
	leg->move->phase = WF_PHASE_LANDING;
	return wf_in_ready_landed(in, leg) && consume(in, leg);
}

/* What was consumed is zeroed: see line_ll.h. */
static bool receive_ll(struct wf_in *in, const struct wf_leg *leg,
		       struct wf_line *line)
{
	uint32_t piece[WF_LL_WORDS], n;

	if (!wf_ll_take(line, leg->seq, piece, &n))
		return false;
	if (n != leg->bytes)
		wf_in_differs(in, leg, n);
	else
		wf_leg_take(leg, 0, piece, n);
	return consume(in, leg);
}

static bool receive_line(struct wf_in *in, const struct wf_leg *leg)
{
	struct wf_line *line = wf_in_line(in, leg->epoch & in->set->mask);

	if (in->ll)
		return receive_ll(in, leg, line);
	if (!wf_line_ready(line, leg->seq))
		return false;
	if (wf_line_length(line) != leg->bytes)
		wf_in_differs(in, leg, wf_line_length(line));
	else
		wf_leg_take(leg, 0, wf_line_content(line, leg->bytes),
			    leg->bytes);
	return consume(in, leg);
}

static inline char *slot_of(const struct wf_in *in,
			    const struct wf_landing *l, uint64_t epoch)
{
	char *slots = wf_segment_at(&in->peer->job->segment, l->offset);

	return slots + (epoch & in->set->mask) * (WF_HEAD_BYTES + l->capacity);
}

uint64_t wf_in_take(const struct wf_in *in, struct wf_landing *from,
		    uint64_t epoch)
{
	uint64_t bytes, none = 0;
	char *slot;

	from->used[epoch & in->set->mask]++;
	if (!from->capacity)
		return 0;
	slot = slot_of(in, from, epoch);
	memcpy(&bytes, slot, sizeof(bytes));
	memcpy(slot, &none, sizeof(none));
	return bytes;
}

static bool receive_slot(struct wf_in *in, const struct wf_leg *leg)
{
	struct wf_landing *from = wf_in_landed(in, leg->epoch);
	uint64_t bytes;

	if (!from)
		return false;
	bytes = wf_in_take(in, from, leg->epoch);
	if (bytes == leg->bytes) {
		wf_leg_take(leg, 0, slot_of(in, from, leg->epoch) +
			    WF_HEAD_BYTES, bytes);
		wf_job_copied(in->peer->job, bytes);
	} else {
		wf_in_differs(in, leg, bytes);
	}
	return consume(in, leg);
}

static inline void begin_recv(struct wf_in *in, const struct wf_leg *leg)
{
	unsigned at = (unsigned)(leg->epoch & in->set->mask);
	struct wf_record *r = &in->record[at];

	wf_inquiry_begin(&in->talk, at);
	r->epoch = leg->epoch;
	r->bytes = leg->bytes;
	r->status = leg->refusal;
	r->put = false;
	r->over = false;
	leg->move->phase = WF_PHASE_OPEN;
	if (leg->bytes == WF_REFUSED)
		wf_in_refuse(in, leg);
}

/*
 * The epoch should come by mail.  A sender that was given another count may
 * have begun with its channel, and waits for this end to open it.  Or it has
 * for a later epoch, which is in flight as well: what serves that is there
 * already, and growth comes in the order of epochs.
 */
static bool opened_early(struct wf_in *in, const struct wf_leg *leg)
{
	if (!in->heard)
		return false;
	return (in->told && in->landing->first >= leg->epoch) ||
	       !wf_in_prepare(in, leg);
}

static bool receive(struct wf_in *in, const struct wf_leg *leg)
{
	if (in->arrived && wf_in_mail(in, leg, false))
		return consume_early(in, leg);
	if (leg->epoch < in->count->mail_end && !opened_early(in, leg))
		return false;
	if (leg->bytes <= in->line_max)
		return receive_line(in, leg);
	if (leg->bytes <= in->slot_max)
		return receive_slot(in, leg);
	if (!wf_in_large(in, leg))
		return false;
	return leg->move->status ? consume_early(in, leg) : consume(in, leg);
}

bool wf_in_advance(struct wf_in *in, const struct wf_leg *leg)
{
	struct wf_move *m = leg->move;
	bool asked, landed, over = false;

	if (m->phase == WF_PHASE_BEGIN)
		begin_recv(in, leg);
	if (m->phase == WF_PHASE_LANDING)
		return consume_early(in, leg);
	asked = in->verdict || m->phase >= WF_PHASE_VERDICT;
	landed = asked && wf_in_may_have_landed(in, leg);
	if (asked && !landed && wf_in_settles(in, leg, &over))
		return over && consume(in, leg);
	if (receive(in, leg))
		return true;
	if (landed && wf_in_settles(in, leg, &over))
		return over && consume(in, leg);
	/* The sender may wait for a credit that will not come. */
	if (in->failed && m->phase < WF_PHASE_VERDICT)
		wf_in_stops(in, leg, "a credit", in->failed);
	return false;
}

/* ---- steps ---- */

struct wf_leg wf_run_leg(struct wf_run *run, uint32_t i, struct wf_place at)
{
	return leg_of(run, i, at);
}

static void reduce(const struct wf_run *run, const struct wf_step *s)
{
	if (!s->bytes)
		return;
	wf_combine(&run->plan->with, wf_run_place(run, s->from),
		   wf_run_place(run, s->other), wf_run_place(run, s->to),
		   s->bytes / run->plan->with.width);
	wf_job_reduced(run->set->comm->job, s->bytes);
}

/* Most looks, at little cost: nothing came by line or mail, nobody spoke. */
static bool nothing_came(const struct wf_run *run, uint32_t i,
			 const struct wf_step *s)
{
	const struct wf_in *in = &run->set->in[s->edge];
	const struct wf_move *m = &run->move[i];
	uint64_t epoch;
	uint32_t seq;

	if (m->phase != WF_PHASE_OPEN || run->refusal || in->arrived ||
	    in->verdict || in->failed)
		return false;
	epoch = wf_run_number(run, i);
	seq = run->number ? wf_line_seq(epoch) : run->seq;
	if (epoch < in->count->mail_end)
		return !in->heard;
	return s->bytes <= in->line_max &&
	       !wf_line_has(wf_in_line(in, epoch & in->set->mask), in->ll,
			    seq);
}

/* True: the step is done. */
static bool advance(struct wf_run *run, uint32_t i, const struct wf_step *s)
{
	const struct wf_move *m = &run->move[i];
	struct wf_out *out;
	struct wf_leg leg;

	switch (s->kind) {
	case WF_STEP_SEND:
		out = &run->set->out[s->edge];
		if (m->phase == WF_PHASE_POSTED)
			return wf_ep_ask_done(out->ep, m->post);
		leg = leg_of(run, i, s->from);
		return send_edge(out, &leg);
	case WF_STEP_RECV:
		if (nothing_came(run, i, s))
			return false;
		leg = leg_of(run, i, s->to);
		return wf_in_advance(&run->set->in[s->edge], &leg);
	case WF_STEP_COPY:
		if (!run->refusal && !run->move[i].tainted)
			wf_run_copy(run, s);
		return true;
	case WF_STEP_REDUCE:
		if (!run->refusal && !run->move[i].tainted)
			reduce(run, s);
		return true;
	}
	return true;
}

/*
 * The step is done: its successors may come into play.  Those of one that
 * failed have nothing to work on; they tell so along their edges, so that
 * nobody takes garbage for a result.  A receive works on what comes.
 */
static void step_done(struct wf_run *run, uint32_t i, const struct wf_step *s)
{
	const struct wf_plan *plan = run->plan;
	int32_t status = run->move[i].status;

	for (uint32_t k = 0; k < s->nnext; k++) {
		uint32_t after = plan->next[s->first_next + k];

		if (status && plan->step[after].kind != WF_STEP_RECV) {
			run->move[after].tainted = true;
			run->move[after].status = status;
		}
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
		const struct wf_step *s = &run->plan->step[i];

		if (!advance(run, i, s))
			run->pending[kept++] = i;
		else if (s->nnext)
			step_done(run, i, s);
	}
	if (kept == run->npending)
		return false;
	run->npending = kept;
	return true;
}

/* ---- life of a run ---- */

/* It cannot complete, and does not even look. */
static bool is_lost(struct wf_run *run)
{
	if (!run->set->comm->job->gone)
		return false;
	if (run->epoch > run->set->count.lost)
		wf_run_look_at_gone(run);
	else
		wf_run_look_at_dead(run);
	return run->state == WF_RUN_FAILING;
}

/* The window admits the epoch. */
static void activate(struct wf_run *run)
{
	char why[WF_LACK_TEXT];
	int status = WEFT_OK;

	run->state = WF_RUN_ACTIVE;
	if (is_lost(run))
		return;
	if (!run->plan->prepared && run->epoch >= run->set->count.mail_end)
		status = wf_run_prepare(run);
	/* Without memory it is an epoch like a refused one. */
	if (!status || run->refusal)
		return;
	run->status = run->refusal = status;
	wf_segment_why(&run->set->comm->job->segment, why, sizeof(why));
	wf_run_tell(run, run->error, sizeof(run->error));
	wf_text_add(run->error, sizeof(run->error), ": no memory for its "
		    "channels, of the process or of its arena: %s", why);
}

static void complete(struct wf_run *run)
{
	run->state = WF_RUN_IDLE;
	if (run->number)
		wf_run_complete_edges(run);
	wf_poller_del(run->set->comm->job, &run->poller);
	run->set->comm->job->uneven |= run->status != WEFT_OK;
	wf_set_complete(run->set, run->epoch);
	if (run->pins)
		wf_run_unpin(run);
	if (run->staged)
		wf_run_scatter(run);
	if (run->finished)
		run->finished(run);
}

bool wf_run_poll(struct wf_poller *poller)
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
			wf_run_look_at_gone(run);
	} else {
		moved = wf_run_quiet(run);
	}
	if (run->npending && poller->old)
		wf_run_ask(run);
	if (!run->npending)
		complete(run);
	return moved;
}

int wf_run_init(struct wf_run *run, struct wf_plan *plan, const char *call)
{
	int status;

	memset(run, 0, sizeof(*run));
	run->poller.poll = wf_run_poll;
	run->poller.waits_for = wf_run_waits_for;
	run->poller.report = wf_run_report;
	run->call = call;
	status = wf_run_take(run, plan);
	if (status) {
		wf_run_fini(run);
		return status;
	}
	/* Who prepares looks at them before the first start. */
	memset(run->move, 0, (size_t)plan->nsteps * sizeof(*run->move));
	if (run->number)
		memset(run->number, 0, (size_t)plan->nsteps * sizeof(uint64_t));
	return WEFT_OK;
}

void wf_run_start(struct wf_run *run, int refusal)
{
	const struct wf_plan *plan = run->plan;

	run->epoch = wf_set_number(run->set, &run->seq);
	if (run->number)
		wf_run_number_edges(run);
	run->status = refusal;
	run->refusal = refusal;
	run->state = WF_RUN_QUEUED;
	run->error[0] = 0;
	run->asked = 0;
	run->again = WF_ASK_AGAIN_NS;
	run->npending = (uint32_t)plan->nroots;
	for (int i = 0; i < plan->nsteps; i++)
		run->move[i] = (struct wf_move){ .phase = WF_PHASE_BEGIN };
	memcpy(run->needs, plan->needs,
	       (size_t)plan->nsteps * sizeof(*run->needs));
	for (int i = 0; i < plan->nroots; i++)
		run->pending[i] = plan->root[i];
	wf_poller_add(run->set->comm->job, &run->poller);
	/* Epochs take slots, growth and the chunk area in their order. */
	if (run->epoch == run->set->count.done)
		wf_run_poll(&run->poller);
	else
		wf_job_progress(run->set->comm->job);
}
