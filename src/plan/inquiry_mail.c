/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The mails of inquiry.h: how questions and answers are sent, and what becomes
 * of those that arrive.  None of it is on the data path, so they are allocated
 * one by one.
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

	if (!wf_ep_flushed(ep, q->after))
		ep->ops->flush(ep, WF_FLUSH_REMOTE);
	return wf_ep_flushed(ep, q->after);
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

void wf_inquiry_from_out(struct wf_out *out, bool question, uint64_t epoch)
{
	const struct wf_record *r = &out->record[epoch & out->set->mask];
	struct inquiry_mail m = {
		.edge = out->edge, .epoch = epoch, .bytes = r->bytes,
		.chunks = out->area_sent, .status = r->status,
		.by_sender = true, .put = r->put
	};

	send(out->peer, address_of(out->set), question, &m);
}

void wf_inquiry_from_in(struct wf_in *in, bool question, uint64_t epoch)
{
	const struct wf_record *r = &in->record[epoch & in->set->mask];
	struct inquiry_mail m = {
		.edge = in->edge, .epoch = epoch, .bytes = r->bytes,
		.status = r->status, .put = r->put
	};

	send(in->peer, address_of(in->set), question, &m);
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
			wf_inquiry_from_out(out, false, m->epoch);
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
			wf_inquiry_from_in(in, false, m->epoch);
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
