/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Questions and answers about an epoch of an edge: see inquiry.h.  None of it
 * is on the data path, so mails are allocated one by one.
 */
#include "plan/inquiry.h"

#include <stdlib.h>
#include <string.h>
#include "plan/set.h"

/* QUESTION and ANSWER. */
struct inquiry_mail {
	struct wf_edge edge;
	uint64_t epoch, bytes, chunks;
	int32_t status;
	uint8_t by_sender, put, unused[2];
};

/* Where the other end listens. */
struct address {
	uint64_t context;
	uint32_t port;
};

struct inquiry {
	struct wf_owed owed;
	struct wf_peer *peer;
	uint64_t after;			/* posts that are visible before it */
	struct address to;
	bool question;
	struct inquiry_mail mail;
};

static uint16_t build(struct wf_owed *owed, struct wf_mail *head,
		      void *payload)
{
	struct inquiry *q = wf_container(owed, struct inquiry, owed);

	head->kind = q->question ? WF_MAIL_QUESTION : WF_MAIL_ANSWER;
	head->word = q->to.port;
	head->context = q->to.context;
	memcpy(payload, &q->mail, sizeof(q->mail));
	return sizeof(q->mail);
}

static void settled(struct wf_owed *owed, int status)
{
	(void)status;
	free(wf_container(owed, struct inquiry, owed));
}

/* On the way of the mails puts may be overtaken. */
static bool puts_are_visible(struct wf_owed *owed)
{
	struct inquiry *q = wf_container(owed, struct inquiry, owed);
	struct wf_ep *ep = q->peer->ep;

	if (wf_ep_flushed(ep, q->after))
		return true;
	ep->ops->flush(ep, WF_FLUSH_REMOTE);
	return false;
}

static struct inquiry *make(struct wf_peer *peer, struct address to,
			    const struct inquiry_mail *mail)
{
	struct inquiry *q = calloc(1, sizeof(*q));

	if (!q) {
		wf_error(&peer->job->log, "no memory for a question to rank "
			 "%d: the exchange may wait for ever", peer->rank);
		return NULL;
	}
	q->owed.build = build;
	q->owed.settled = settled;
	q->peer = peer;
	q->to = to;
	q->mail = *mail;
	return q;
}

static void send(struct wf_peer *peer, struct address to, bool question,
		 const struct inquiry_mail *mail)
{
	struct inquiry *q = make(peer, to, mail);

	if (!q)
		return;
	q->question = question;
	wf_owe(peer, &q->owed);
}

static struct address address_of(const struct wf_set *set)
{
	return (struct address){ set->comm->id, set->port.number };
}

static void send_from_out(struct wf_out *out, bool question, uint64_t epoch)
{
	const struct wf_record *r = &out->record[epoch & out->set->mask];
	struct inquiry_mail m = {
		.edge = out->edge, .epoch = epoch, .bytes = r->bytes,
		.chunks = out->area_sent, .status = r->status,
		.by_sender = true, .put = r->put
	};

	send(out->peer, address_of(out->set), question, &m);
}

static void send_from_in(struct wf_in *in, bool question, uint64_t epoch)
{
	const struct wf_record *r = &in->record[epoch & in->set->mask];
	struct inquiry_mail m = {
		.edge = in->edge, .epoch = epoch, .bytes = r->bytes,
		.status = r->status, .put = r->put
	};

	send(in->peer, address_of(in->set), question, &m);
}

void wf_out_ask(struct wf_out *out, const struct wf_leg *leg)
{
	if (leg->move->asked || leg->move->phase != WF_PHASE_OPEN)
		return;
	leg->move->asked = true;
	send_from_out(out, true, leg->epoch);
}

void wf_in_ask(struct wf_in *in, const struct wf_leg *leg)
{
	if (leg->move->asked || (leg->move->phase != WF_PHASE_OPEN &&
				 leg->move->phase != WF_PHASE_ANNOUNCED))
		return;
	leg->move->asked = true;
	send_from_in(in, true, leg->epoch);
}

/* Status of an edge whose sender has `sent` and whose receiver `takes`. */
static int difference(uint64_t sent, uint64_t takes)
{
	return sent > takes ? WEFT_ERR_TRUNCATE : WEFT_ERR_SIZE;
}

static void tell(const struct wf_edge *edge, const struct wf_leg *leg,
		 uint64_t sent, uint64_t takes)
{
	wf_leg_fail(leg, difference(sent, takes), "edge %u from rank %d to "
		    "rank %d, exchange %llu: %llu bytes sent, %llu expected",
		    edge->k, edge->sender, edge->receiver,
		    (unsigned long long)leg->epoch,
		    (unsigned long long)sent, (unsigned long long)takes);
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
	send_from_out(out, false, leg->epoch);
	return !r->put || wf_out_posted(out, leg);
}

/* The sentence of an op of the transport that failed here. */
static void tell_failed(const struct wf_peer *peer, const struct wf_edge *edge,
			const struct wf_leg *leg, const char *what, int status)
{
	int shown = status == WEFT_ERR_NOMEM ? status : WEFT_ERR_DEVICE;

	wf_leg_fail(leg, shown, "edge %u from rank %d to rank %d, "
		    "exchange %llu: %s to rank %d on host %s failed: %s",
		    edge->k, edge->sender, edge->receiver,
		    (unsigned long long)leg->epoch, what, peer->rank,
		    wf_peer_host(peer), weft_status_name(status));
}

bool wf_out_stops(struct wf_out *out, const struct wf_leg *leg,
		  const char *what, int status)
{
	struct wf_record *r = &out->record[leg->epoch & out->set->mask];

	if (status >= 0)
		return false;
	tell_failed(out->peer, &out->edge, leg, what, status);
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
	tell_failed(in->peer, &in->edge, leg, what, status);
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

/* The other end's call was refused or failed there. */
static void refused_there(struct wf_peer *peer, const struct wf_edge *edge,
			  const struct wf_leg *leg, int status)
{
	wf_leg_fail(leg, status, "edge %u from rank %d to rank %d, "
		    "exchange %llu: %s at rank %d on host %s (%s)", edge->k,
		    edge->sender, edge->receiver,
		    (unsigned long long)leg->epoch, reason(status),
		    peer->rank, wf_peer_host(peer), weft_status_name(status));
}

bool wf_out_is_refused(const struct wf_out *out, const struct wf_leg *leg)
{
	unsigned at = (unsigned)(leg->epoch & out->set->mask);

	return wf_verdict_on(out->verdict, at, leg->epoch) &&
	       out->verdict[at].bytes == WF_REFUSED;
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
	if (v[at].put && !wf_line_ready(&out->ready[at], leg->seq)) {
		*over = false;
	} else if (v[at].bytes != WF_REFUSED) {
		wf_out_differs(out, leg, v[at].bytes);
	} else {
		refused_there(out->peer, &out->edge, leg, v[at].status);
		*over = end_unsent(out, leg);
	}
	return true;
}

void wf_in_refuse(struct wf_in *in, const struct wf_leg *leg)
{
	leg->move->phase = WF_PHASE_VERDICT;
	send_from_in(in, true, leg->epoch);
}

/* Await a put that nobody wants, by the class of its bytes. */
static bool dropped(struct wf_in *in, const struct wf_leg *leg,
		    const struct wf_verdict *v)
{
	unsigned at = (unsigned)(leg->epoch & in->set->mask);
	struct wf_landing *landed;

	if (in->arrived && wf_in_mail(in, leg, true))
		return true;
	if (!in->told)
		return false;
	if (v->bytes > in->set->slot_max && !leg->move->direct)
		return wf_in_drop_chunks(in, v->chunks);
	if (v->bytes <= in->set->line_max)
		return wf_line_ready(&in->lines[at], leg->seq);
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

/* No ready line of an epoch is under way when it ends. */
static bool line_has_landed(struct wf_in *in, const struct wf_leg *leg)
{
	if (!in->record[leg->epoch & in->set->mask].put ||
	    wf_ep_flushed(in->ep, leg->move->post))
		return true;
	in->ep->ops->flush(in->ep, WF_FLUSH_REMOTE);
	return false;
}

bool wf_in_may_have_landed(const struct wf_in *in, const struct wf_leg *leg)
{
	unsigned at = (unsigned)(leg->epoch & in->set->mask);

	return wf_verdict_on(in->verdict, at, leg->epoch) &&
	       in->verdict[at].status == WEFT_ERR_GRAPH &&
	       (leg->move->phase == WF_PHASE_ANNOUNCED ||
		(leg->move->phase == WF_PHASE_OPEN &&
		 leg->bytes <= in->set->slot_max));
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
	if (!wf_verdict_on(in->verdict, at, leg->epoch))
		return m->phase == WF_PHASE_VERDICT;
	if (m->phase != WF_PHASE_VERDICT && v->bytes == leg->bytes)
		return false;
	if (v->question) {
		/* It has not put and waits; its answer will be final. */
		v->known = false;
		if (m->phase != WF_PHASE_VERDICT)
			send_from_in(in, false, leg->epoch);
		m->phase = WF_PHASE_VERDICT;
		return true;
	}
	if (line_has_landed(in, leg))
		*over = obey(in, leg, v);
	return true;
}

bool wf_in_revoke(struct wf_in *in, const struct wf_leg *leg)
{
	unsigned at = (unsigned)(leg->epoch & in->set->mask);

	if (leg->move->phase < WF_PHASE_ANNOUNCED || !leg->move->direct)
		return true;
	if (!wf_peer_is_there(in->peer))
		return wf_peer_fence(in->peer) != WEFT_INPROGRESS;
	if (!leg->move->revoked && leg->move->phase != WF_PHASE_DROP) {
		leg->move->revoked = true;
		in->record[at].bytes = WF_REFUSED;
		in->record[at].status = leg->move->status;
		leg->move->phase = WF_PHASE_VERDICT;
		send_from_in(in, true, leg->epoch);
	}
	return wf_in_advance(in, leg);
}

/* Is this the question of wf_in_revoke()?  A failing run has its status. */
static bool is_revoke(const struct wf_letter *letter,
		      const struct inquiry_mail *m)
{
	return letter->head.kind == WF_MAIL_QUESTION && !m->by_sender &&
	       m->bytes == WF_REFUSED && m->status == WEFT_ERR_PEER;
}

static struct inquiry_mail not_put(const struct inquiry_mail *question,
				   int status)
{
	struct inquiry_mail m = *question;

	m.by_sender = !m.by_sender;
	m.put = false;
	m.bytes = WF_REFUSED;
	m.status = status;
	return m;
}

/* There was no put, and there will be none. */
static void answer_not_put(struct wf_peer *peer, struct address to,
			   const struct inquiry_mail *question, int status)
{
	struct inquiry_mail m = not_put(question, status);

	send(peer, to, false, &m);
}

/*
 * Nobody knows any more whether there was one: all that was posted to this
 * peer is visible there before it hears "not put".
 */
static void answer_late(struct wf_peer *peer, struct address to,
			const struct inquiry_mail *question, int status)
{
	struct inquiry_mail m = not_put(question, status);
	struct inquiry *q = make(peer, to, &m);

	if (!q)
		return;
	if (!(peer->ep->dev->caps & WF_CAP_PUT_MAIL_ORDER)) {
		q->after = peer->ep->posted;
		q->owed.ready = puts_are_visible;
	}
	wf_owe(peer, &q->owed);
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
	*r = withdrawn(leg);
	if (is_asked(out->verdict, at, leg->epoch))
		send_from_out(out, false, leg->epoch);
}

void wf_in_withdraw(struct wf_in *in, const struct wf_leg *leg)
{
	unsigned at = (unsigned)(leg->epoch & in->set->mask);
	struct wf_record *r = &in->record[at];

	/* The sender is, or will be, among its chunks: it gets no credits. */
	if (leg->move->phase == WF_PHASE_ANNOUNCED && !leg->move->direct) {
		*r = withdrawn(leg);
		r->put = true;
		send_from_in(in, false, leg->epoch);
		return;
	}
	if (leg->move->phase > WF_PHASE_OPEN ||
	    (r->epoch == leg->epoch && r->over))
		return;
	*r = withdrawn(leg);
	if (is_asked(in->verdict, at, leg->epoch))
		send_from_in(in, false, leg->epoch);
}

/* ---- arriving mails ---- */

static struct wf_verdict *keep(struct wf_set *set, struct wf_verdict **all)
{
	if (!*all)
		*all = calloc(set->mask + 1, sizeof(**all));
	return *all;
}

static void store(struct wf_set *set, struct wf_verdict **all,
		  const struct wf_letter *letter, const struct inquiry_mail *m)
{
	struct wf_verdict *v = keep(set, all);

	if (!v) {
		wf_mail_drop(letter->from->job, letter, "no memory");
		return;
	}
	v[m->epoch & set->mask] = (struct wf_verdict){
		.known = true,
		.question = letter->head.kind == WF_MAIL_QUESTION,
		.put = m->put, .status = m->status, .epoch = m->epoch,
		.bytes = m->bytes, .chunks = m->chunks
	};
}

static void to_sender(struct wf_set *set, const struct wf_letter *letter,
		      const struct inquiry_mail *m)
{
	struct wf_out *out = wf_set_find_out(set, &m->edge);
	struct wf_record *r;

	if (!out) {
		wf_inquiry_orphan(letter->from->job, letter);
		return;
	}
	r = &out->record[m->epoch & set->mask];
	if (m->epoch < set->next && r->epoch == m->epoch &&
	    (r->put || r->over)) {
		if (r->bytes != m->bytes || is_revoke(letter, m))
			send_from_out(out, false, m->epoch);
		return;
	}
	store(set, &out->verdict, letter, m);
	/*
	 * A death made the receiver take its memory back, and this epoch was
	 * not put.  Whether it has begun here or not: the verdict keeps it from
	 * being put, and the set carries nothing again, so the answer need not
	 * wait for its turn.
	 */
	if (is_revoke(letter, m) && out->verdict)
		answer_not_put(letter->from, address_of(set), m, m->status);
}

static void to_receiver(struct wf_set *set, const struct wf_letter *letter,
			const struct inquiry_mail *m)
{
	struct wf_in *in = wf_set_find_in(set, &m->edge);
	struct wf_record *r;

	if (!in) {
		wf_inquiry_orphan(letter->from->job, letter);
		return;
	}
	r = &in->record[m->epoch & set->mask];
	if (m->epoch < set->next && r->epoch == m->epoch && r->over) {
		if (letter->head.kind == WF_MAIL_QUESTION &&
		    r->bytes != m->bytes)
			send_from_in(in, false, m->epoch);
		return;
	}
	store(set, &in->verdict, letter, m);
}

void wf_inquiry_orphan(struct weft_job *job, const struct wf_letter *letter)
{
	struct address to = { letter->head.context, letter->head.word };
	struct inquiry_mail m = { .epoch = 0 };

	if (letter->head.kind == WF_MAIL_QUESTION &&
	    letter->head.length == sizeof(m))
		memcpy(&m, letter->payload, sizeof(m));
	if (is_revoke(letter, &m))
		answer_late(letter->from, to, &m, m.status);
	/* After a death objects go early; the asker hears of it as well. */
	else if (letter->head.kind == WF_MAIL_QUESTION &&
		 letter->head.length == sizeof(m) && job->first_dead < 0)
		answer_late(letter->from, to, &m, WEFT_ERR_GRAPH);
	else
		wf_mail_drop(job, letter, "its edge does not exist here");
}

/* Questions that were kept for epochs which do not come. */
static void refuse_kept(struct wf_set *set, struct wf_peer *peer,
			const struct wf_verdict *verdict,
			struct inquiry_mail m)
{
	for (unsigned at = 0; verdict && at <= set->mask; at++) {
		m.epoch = verdict[at].epoch;
		if (verdict[at].known && verdict[at].question &&
		    m.epoch >= set->next)
			answer_not_put(peer, address_of(set), &m,
				       WEFT_ERR_GRAPH);
	}
}

void wf_inquiry_close(struct wf_set *set)
{
	struct inquiry_mail m = { .by_sender = false };

	if (set->comm->job->first_dead >= 0)
		return;
	for (int i = 0; i < set->nout; i++) {
		m.edge = set->out[i].edge;
		refuse_kept(set, set->out[i].peer, set->out[i].verdict, m);
	}
	m.by_sender = true;
	for (int i = 0; i < set->nin; i++) {
		m.edge = set->in[i].edge;
		refuse_kept(set, set->in[i].peer, set->in[i].verdict, m);
	}
}

void wf_inquiry_deliver(struct wf_set *set, const struct wf_letter *letter)
{
	struct inquiry_mail m;

	if (letter->head.length != sizeof(m)) {
		wf_mail_drop(letter->from->job, letter, "bad length");
		return;
	}
	memcpy(&m, letter->payload, sizeof(m));
	if (set->closing && m.epoch >= set->next)
		wf_inquiry_orphan(letter->from->job, letter);
	else if (m.by_sender)
		to_receiver(set, letter, &m);
	else
		to_sender(set, letter, &m);
}
