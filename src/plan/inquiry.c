/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What questions and answers about an epoch of an edge mean for it, and what
 * makes an edge end with an error: see inquiry.h.
 */
#include "plan/inquiry.h"

#include "plan/plan.h"
#include "plan/set.h"

void wf_out_ask(struct wf_out *out, const struct wf_leg *leg)
{
	uint8_t phase = leg->move->phase;

	if (leg->move->asked || (phase != WF_PHASE_BEGIN &&
				 phase != WF_PHASE_OPEN &&
				 phase != WF_PHASE_CHUNKS))
		return;
	leg->move->asked = true;
	/* Of one that may not begin the credit may never come. */
	if (phase == WF_PHASE_BEGIN)
		wf_inquiry_early(out, leg);
	else
		wf_inquiry_from_out(out, true, leg->epoch);
}

void wf_in_ask(struct wf_in *in, const struct wf_leg *leg)
{
	uint8_t phase = leg->move->phase;

	if (leg->move->asked || (phase != WF_PHASE_OPEN &&
				 phase != WF_PHASE_ANNOUNCED &&
				 phase != WF_PHASE_VERDICT &&
				 phase != WF_PHASE_DROP))
		return;
	leg->move->asked = true;
	wf_inquiry_from_in(in, true, leg->epoch);
}

/* Status of an edge whose sender has `sent` and whose receiver `takes`. */
static int difference(uint64_t sent, uint64_t takes)
{
	return sent > takes ? WEFT_ERR_TRUNCATE : WEFT_ERR_SIZE;
}

static void tell(const struct wf_edge *edge, const struct wf_leg *leg,
		 uint64_t sent, uint64_t takes)
{
	wf_leg_fail(leg, edge, difference(sent, takes), "%llu bytes sent, %llu "
		    "expected", (unsigned long long)sent,
		    (unsigned long long)takes);
}

/*
 * It ends without a put, and nobody waits for its growth any more.  Of one that
 * ends among its chunks the receiver awaits those that are on their way.  True:
 * its source is reusable already.
 */
static bool end_unsent(struct wf_out *out, const struct wf_leg *leg)
{
	struct wf_record *r = &out->record[leg->epoch & out->set->mask];

	r->over = true;
	r->put = leg->move->phase == WF_PHASE_CHUNKS;
	if (out->short_since == leg->epoch)
		out->short_since = UINT64_MAX;
	wf_inquiry_from_out(out, false, leg->epoch);
	return !r->put || wf_out_posted(out, leg);
}

/* Of a collective only the two ends hear of it: see wf_coll_strays(). */
static int status_shown(const struct wf_set *set, int status)
{
	return status == WEFT_ERR_NOMEM && !set->collective ?
	       status : WEFT_ERR_DEVICE;
}

/* The sentence of an op of the transport that failed here. */
static void tell_failed(const struct wf_peer *peer, const struct wf_edge *edge,
			const struct wf_leg *leg, const char *what, int status,
			int shown)
{
	wf_leg_fail(leg, edge, shown, "%s to rank %d on host %s failed: %s",
		    what, peer->rank, wf_peer_host(peer),
		    weft_status_name(status));
}

bool wf_out_stops(struct wf_out *out, const struct wf_leg *leg,
		  const char *what, int status)
{
	struct wf_record *r = &out->record[leg->epoch & out->set->mask];

	if (status >= 0)
		return false;
	tell_failed(out->peer, &out->edge, leg, what, status,
		    status_shown(out->set, status));
	r->bytes = WF_REFUSED;
	r->status = leg->move->status;
	return end_unsent(out, leg);
}

bool wf_in_stops(struct wf_in *in, const struct wf_leg *leg,
		 const char *what, int status)
{
	struct wf_record *r = &in->record[leg->epoch & in->set->mask];

	if (status >= 0)
		return false;
	tell_failed(in->peer, &in->edge, leg, what, status,
		    status_shown(in->set, status));
	r->bytes = WF_REFUSED;
	r->status = leg->move->status;
	wf_in_refuse(in, leg);
	return false;
}

void wf_out_differs(struct wf_out *out, const struct wf_leg *leg,
		    uint64_t theirs)
{
	tell(&out->edge, leg, leg->bytes, theirs);
	end_unsent(out, leg);
}

void wf_in_differs(struct wf_in *in, const struct wf_leg *leg,
		   uint64_t theirs)
{
	tell(&in->edge, leg, theirs, leg->bytes);
}

static const char *reason(int status)
{
	switch (status) {
	case WEFT_ERR_GRAPH:
		return "there is no such edge";
	case WEFT_ERR_PEER:
		return "it needs a rank that is dead or has closed its job,";
	default:
		return "the call failed or was refused";
	}
}

/*
 * The other end's call was refused or failed there, or it has freed the edge:
 * perhaps because of a death, of which this rank has heard before.
 */
static void refused_there(struct wf_peer *peer, const struct wf_edge *edge,
			  const struct wf_leg *leg, int status)
{
	char dead[WF_PEER_WHY] = "";
	bool blamed = wf_comm_blame(leg->run->set->comm, peer, dead,
				    sizeof(dead));

	wf_leg_fail(leg, edge, blamed && status == WEFT_ERR_GRAPH ?
		    WEFT_ERR_PEER : status, "%s at rank %d on host %s (%s)%s",
		    reason(status), peer->rank, wf_peer_host(peer),
		    weft_status_name(status), dead);
}

bool wf_out_is_refused(const struct wf_out *out, const struct wf_leg *leg)
{
	unsigned at = (unsigned)(leg->epoch & out->set->mask);

	return wf_verdict_on(out->verdict, at, leg->epoch) &&
	       out->verdict[at].bytes == WF_REFUSED;
}

/* Without memory for ready lines none can come, whatever the receiver says. */
static bool has_line(const struct wf_out *out, unsigned at, uint32_t seq)
{
	return !out->ready || wf_line_has(&out->ready[at], out->ll, seq);
}

bool wf_out_settles(struct wf_out *out, const struct wf_leg *leg, bool *over)
{
	unsigned at = (unsigned)(leg->epoch & out->set->mask);
	struct wf_verdict *v = out->verdict;

	*over = true;
	if (leg->bytes == WF_REFUSED) {
		*over = end_unsent(out, leg);
		return true;
	}
	if (!wf_verdict_on(v, at, leg->epoch) || v[at].bytes == leg->bytes)
		return false;
	/* Its ready line is under way to memory that may go after the end. */
	if (v[at].put && !has_line(out, at, leg->seq)) {
		*over = false;
	} else if (v[at].bytes != WF_REFUSED) {
		wf_out_differs(out, leg, v[at].bytes);
	} else if (v[at].status == WEFT_ERR_ARG &&
		   wf_set_is_compared(out->set)) {
		/* it is at odds, and why this rank hears as well */
		*over = false;
	} else {
		refused_there(out->peer, &out->edge, leg, v[at].status);
		*over = end_unsent(out, leg);
	}
	return true;
}

void wf_in_refuse(struct wf_in *in, const struct wf_leg *leg)
{
	leg->move->phase = WF_PHASE_VERDICT;
	wf_inquiry_from_in(in, true, leg->epoch);
}

/* Await a put that nobody wants, by the class of its bytes. */
static bool dropped(struct wf_in *in, const struct wf_leg *leg,
		    const struct wf_verdict *v)
{
	unsigned at = (unsigned)(leg->epoch & in->set->mask);
	struct wf_landing *landed;

	if (in->arrived && wf_in_mail(in, leg, true))
		return true;
	if (v->mailed)
		return true;		/* it came, and found no memory */
	if (!v->put)
		return true;		/* who put it has freed the edge */
	if (!in->told)
		return false;
	if (v->bytes > in->slot_max && !leg->move->direct)
		return wf_in_drop_chunks(in, leg, v->chunks);
	if (v->bytes <= in->line_max) {
		if (!wf_line_has(wf_in_line(in, at), in->ll, leg->seq))
			return false;
		if (in->ll)
			wf_ll_clear(wf_in_line(in, at));
		return true;
	}
	landed = wf_in_landed(in, leg->epoch);
	if (!landed)
		return false;
	wf_in_take(in, landed, leg->epoch);
	return true;
}

/* What the sender has told ends the epoch here, or its put is awaited. */
static bool obey(struct wf_in *in, const struct wf_leg *leg,
		 struct wf_verdict *v)
{
	if (leg->bytes == WF_REFUSED || leg->move->status)
		;			/* refused or revoked here */
	else if (v->bytes == WF_REFUSED)
		refused_there(in->peer, &in->edge, leg, v->status);
	else
		wf_in_differs(in, leg, v->bytes);
	if (!v->put)
		return true;
	leg->move->phase = WF_PHASE_DROP;
	return dropped(in, leg, v);
}

bool wf_in_may_have_landed(const struct wf_in *in, const struct wf_leg *leg)
{
	unsigned at = (unsigned)(leg->epoch & in->set->mask);

	return wf_verdict_on(in->verdict, at, leg->epoch) &&
	       in->verdict[at].status == WEFT_ERR_GRAPH &&
	       (leg->move->phase == WF_PHASE_ANNOUNCED ||
		(leg->move->phase == WF_PHASE_OPEN &&
		 leg->bytes <= in->slot_max));
}

/* It was mailed before the answer that tells so, and is not here. */
static void lost(struct wf_in *in, const struct wf_leg *leg)
{
	wf_leg_fail(leg, &in->edge, WEFT_ERR_NOMEM,
		    "no memory for the message when it came");
}

bool wf_in_settles(struct wf_in *in, const struct wf_leg *leg, bool *over)
{
	unsigned at = (unsigned)(leg->epoch & in->set->mask);
	struct wf_verdict *v = in->verdict ? &in->verdict[at] : NULL;
	struct wf_move *m = leg->move;

	/* All that one which has left ever put has landed before its bye. */
	if (m->phase >= WF_PHASE_VERDICT && m->status &&
	    in->peer->state == WF_PEER_LEFT) {
		*over = true;
		return true;
	}
	if (m->phase == WF_PHASE_DROP) {
		*over = dropped(in, leg, v);
		return true;
	}
	if (!wf_verdict_on(in->verdict, at, leg->epoch) || v->early)
		return m->phase == WF_PHASE_VERDICT;
	if (m->phase != WF_PHASE_VERDICT && v->bytes == leg->bytes) {
		*over = v->mailed && !wf_in_has_mail(in, leg->epoch);
		if (*over)
			lost(in, leg);
		return *over;
	}
	if (v->question) {
		/* It has not put and waits; its answer will be final. */
		v->known = false;
		if (m->phase != WF_PHASE_VERDICT)
			wf_inquiry_from_in(in, false, leg->epoch);
		m->phase = WF_PHASE_VERDICT;
		return true;
	}
	if (wf_in_ready_landed(in, leg))
		*over = obey(in, leg, v);
	return true;
}

bool wf_in_revoke(struct wf_in *in, const struct wf_leg *leg)
{
	unsigned at = (unsigned)(leg->epoch & in->set->mask);

	if (leg->move->phase < WF_PHASE_ANNOUNCED || !leg->move->direct)
		return true;
	/* One that lives, and that no mail reaches, may still put: see both. */
	if (!wf_peer_is_there(in->peer))
		return wf_peer_fence(in->peer) != WEFT_INPROGRESS ||
		       wf_in_advance(in, leg);
	if (!leg->move->revoked && leg->move->phase < WF_PHASE_DROP) {
		leg->move->revoked = true;
		in->record[at].bytes = WF_REFUSED;
		in->record[at].status = leg->move->status;
		leg->move->phase = WF_PHASE_VERDICT;
		wf_inquiry_from_in(in, true, leg->epoch);
	}
	return wf_in_advance(in, leg);
}

/* The record of an epoch in which nothing goes along the edge any more. */
static struct wf_record withdrawn(const struct wf_leg *leg)
{
	return (struct wf_record){
		.epoch = leg->epoch, .bytes = WF_REFUSED,
		.status = leg->move->status, .over = true
	};
}

static bool is_asked(const struct wf_verdict *verdict, unsigned at,
		     uint64_t epoch)
{
	return wf_verdict_on(verdict, at, epoch) && verdict[at].question;
}

void wf_out_withdraw(struct wf_out *out, const struct wf_leg *leg)
{
	unsigned at = (unsigned)(leg->epoch & out->set->mask);
	struct wf_record *r = &out->record[at];

	if (leg->move->phase == WF_PHASE_CHUNKS) {
		*r = withdrawn(leg);
		end_unsent(out, leg);
		return;
	}
	if (leg->move->phase > WF_PHASE_OPEN ||
	    (r->epoch == leg->epoch && (r->put || r->over)))
		return;
	/*
	 * Behind one that missed somebody epochs end as soon as they start, and
	 * the other end may ask for that one when many have had its place: so
	 * they leave no record.  Nor does one that lacks its credit, since the
	 * receiver may ask for the one that has its place.  Of all of them it
	 * is known that they never began.
	 */
	if (r->epoch == leg->epoch ||
	    (leg->epoch <= out->count->lost &&
	     wf_out_may_begin(out, leg->epoch)))
		*r = withdrawn(leg);
	if (is_asked(out->verdict, at, leg->epoch))
		wf_inquiry_withdrawn_out(out, leg->epoch);
}

void wf_in_withdraw(struct wf_in *in, const struct wf_leg *leg)
{
	unsigned at = (unsigned)(leg->epoch & in->set->mask);
	struct wf_record *r = &in->record[at];

	/* The sender is, or will be, among its chunks: it gets no credits. */
	if (leg->move->phase == WF_PHASE_ANNOUNCED && !leg->move->direct) {
		*r = withdrawn(leg);
		r->put = true;
		wf_inquiry_from_in(in, false, leg->epoch);
		return;
	}
	if (leg->move->phase > WF_PHASE_OPEN ||
	    (r->epoch == leg->epoch && r->over))
		return;
	if (r->epoch == leg->epoch || leg->epoch <= in->count->lost)
		*r = withdrawn(leg);
	if (is_asked(in->verdict, at, leg->epoch))
		wf_inquiry_withdrawn_in(in, leg->epoch);
}
