/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The mails of inquiry.h: how questions and answers are sent, and what becomes
 * of those that arrive.  Those of an edge need no memory: it was reserved when
 * their set was made.  Answers about edges that are not here are allocated;
 * one is kept for when there is no memory, and whoever gets none asks again.
 */
#include "plan/inquiry.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "base/zeroed.h"
#include "comm/accord.h"
#include "plan/set.h"

/* QUESTION and ANSWER. */
struct inquiry_mail {
	struct wf_edge edge;
	uint64_t epoch, bytes, chunks;
	int32_t status;
	uint8_t by_sender, put;
	uint8_t mailed;			/* all of it has left, by mail */
	uint8_t lacks;			/* of these: */
};

/* Who lacks a credit has not begun the epoch, and only asks for that. */
enum {
	LACKS_OPENING = 1,		/* the mail that opens the edge */
	LACKS_CREDIT = 2
};

static_assert(sizeof(struct inquiry_mail) == 48, "wire");

/* In the place of an epoch: all that this end has not begun. */
#define ALL_TO_COME UINT64_MAX

/* Where the other end listens. */
struct address {
	uint64_t context;
	uint32_t port;
};

/* An answer about an edge that is not here. */
struct inquiry {
	struct wf_owed owed;		/* first: see wf_contexts */
	struct wf_peer *peer;
	bool spare;
	uint32_t after;			/* posts that are visible before it */
	struct address to;
	struct inquiry_mail mail;
};

/* ---- of the edges of a set ---- */

/* What is to be told next; -1: nothing. */
static int next_due(const struct wf_talk *talk)
{
	for (int at = 0; at <= WF_DUE_END; at++)
		if (talk->due[at])
			return at;
	return -1;
}

/* From the place of what is heard, if it has not begun here, or the record. */
static void write_word(struct inquiry_mail *m, const struct wf_talk *talk,
		       const struct wf_record *record, int at)
{
	if (at == WF_DUE_END) {
		m->epoch = ALL_TO_COME;
		m->bytes = WF_REFUSED;
		m->status = WEFT_ERR_GRAPH;
		m->lacks = 0;
		return;
	}
	switch (talk->due[at]) {
	case WF_WORD_EARLY:
		m->epoch = talk->heard[at].epoch;
		m->lacks |= LACKS_CREDIT;
		break;
	case WF_WORD_NEVER_PEER:
	case WF_WORD_NEVER_GRAPH:
		m->epoch = talk->heard[at].epoch;
		m->bytes = WF_REFUSED;
		m->status = talk->due[at] == WF_WORD_NEVER_PEER ?
			    WEFT_ERR_PEER : WEFT_ERR_GRAPH;
		break;
	default:
		m->epoch = record[at].epoch;
		m->bytes = record[at].bytes;
		m->status = record[at].status;
		m->put = record[at].put;
		m->mailed = record[at].mailed;
	}
}

static void address_mail(struct wf_mail *head, const struct wf_set *set,
			 enum wf_word word)
{
	bool question = word == WF_WORD_QUESTION || word == WF_WORD_EARLY;

	head->kind = question ? WF_MAIL_QUESTION : WF_MAIL_ANSWER;
	head->word = set->there;
	head->context = set->comm->id;
}

static uint16_t build_out(struct wf_owed *owed, struct wf_mail *head,
			  void *payload)
{
	struct wf_out *out = wf_container(owed, struct wf_out, talk.owed);
	int at = next_due(&out->talk);
	struct inquiry_mail m = {
		.edge = out->edge, .chunks = out->area_sent,
		.by_sender = true,
		.lacks = !out->ntargets || out->short_since != UINT64_MAX ?
			 LACKS_OPENING : 0
	};

	address_mail(head, out->set, out->talk.due[at]);
	write_word(&m, &out->talk, out->record, at);
	memcpy(payload, &m, sizeof(m));
	return sizeof(m);
}

static uint16_t build_in(struct wf_owed *owed, struct wf_mail *head,
			 void *payload)
{
	struct wf_in *in = wf_container(owed, struct wf_in, talk.owed);
	int at = next_due(&in->talk);
	struct inquiry_mail m = {
		.edge = in->edge, .lacks = in->heard ? 0 : LACKS_OPENING
	};

	address_mail(head, in->set, in->talk.due[at]);
	write_word(&m, &in->talk, in->record, at);
	memcpy(payload, &m, sizeof(m));
	return sizeof(m);
}

/* One was sent, or none ever will be; true: there are more. */
static bool told(struct wf_talk *talk, int status)
{
	if (status)
		memset(talk->due, WF_WORD_NONE, sizeof(talk->due));
	else
		talk->due[next_due(talk)] = WF_WORD_NONE;
	return next_due(talk) >= 0;
}

static void settled_out(struct wf_owed *owed, int status)
{
	struct wf_out *out = wf_container(owed, struct wf_out, talk.owed);

	if (told(&out->talk, status))
		wf_owe(out->peer, owed);
}

static void settled_in(struct wf_owed *owed, int status)
{
	struct wf_in *in = wf_container(owed, struct wf_in, talk.owed);

	if (told(&in->talk, status))
		wf_owe(in->peer, owed);
}

void wf_inquiry_listen(struct weft_job *job)
{
	wf_contexts(job)->orphan = wf_inquiry_orphan;
}

/* On the way of the mails puts may be overtaken. */
static bool are_visible(const struct wf_peer *peer, uint32_t after)
{
	struct wf_ep *ep = peer->ep;
	uint64_t posts = ep->posted - ((uint32_t)ep->posted - after);

	return ep->dev->caps & WF_CAP_PUT_MAIL_ORDER ||
	       wf_ep_ask_flushed(ep, posts);
}

static bool ready_out(struct wf_owed *owed)
{
	const struct wf_out *out = wf_container(owed, struct wf_out, talk.owed);

	return are_visible(out->peer, out->talk.after);
}

static bool ready_in(struct wf_owed *owed)
{
	const struct wf_in *in = wf_container(owed, struct wf_in, talk.owed);

	return are_visible(in->peer, in->talk.after);
}

int wf_inquiry_reserve(struct wf_set *set)
{
	struct wf_contexts *ctx = wf_contexts(set->comm->job);
	size_t slots = set->mask + 1;
	size_t ends = (size_t)set->nout + (size_t)set->nin;
	struct wf_verdict *at;

	if (!ctx->spare_answer)
		ctx->spare_answer = wf_zeroed(1, sizeof(struct inquiry));
	set->words = wf_zeroed(slots * ends + 1, sizeof(*set->words));
	if (!ctx->spare_answer || !set->words)
		return WEFT_ERR_NOMEM;
	wf_inquiry_listen(set->comm->job);
	at = set->words;
	for (int i = 0; i < set->nout; i++, at += slots) {
		set->out[i].talk.owed.build = build_out;
		set->out[i].talk.owed.settled = settled_out;
		set->out[i].talk.owed.ready = ready_out;
		set->out[i].talk.heard = at;
	}
	for (int i = 0; i < set->nin; i++, at += slots) {
		set->in[i].talk.owed.build = build_in;
		set->in[i].talk.owed.settled = settled_in;
		set->in[i].talk.owed.ready = ready_in;
		set->in[i].talk.heard = at;
	}
	return WEFT_OK;
}

static void tell_from_out(struct wf_out *out, uint64_t epoch,
			  enum wf_word word)
{
	out->talk.due[epoch & out->set->mask] = (uint8_t)word;
	wf_owe(out->peer, &out->talk.owed);
}

static void tell_from_in(struct wf_in *in, uint64_t epoch, enum wf_word word)
{
	in->talk.due[epoch & in->set->mask] = (uint8_t)word;
	wf_owe(in->peer, &in->talk.owed);
}

void wf_inquiry_from_out(struct wf_out *out, bool question, uint64_t epoch)
{
	tell_from_out(out, epoch, question ? WF_WORD_QUESTION :
					     WF_WORD_ANSWER);
}

void wf_inquiry_from_in(struct wf_in *in, bool question, uint64_t epoch)
{
	tell_from_in(in, epoch, question ? WF_WORD_QUESTION : WF_WORD_ANSWER);
}

/*
 * Its number is kept where an answer to it will be.  Who has said something
 * of this epoch already has begun it, or has answered; what is still to be
 * told of the one before it goes first, and this is asked again.
 */
void wf_inquiry_early(struct wf_out *out, const struct wf_leg *leg)
{
	unsigned at = (unsigned)(leg->epoch & out->set->mask);

	if (out->talk.due[at] || wf_verdict_on(out->talk.heard, at, leg->epoch))
		return;
	out->talk.heard[at] = (struct wf_verdict){ .epoch = leg->epoch };
	tell_from_out(out, leg->epoch, WF_WORD_EARLY);
}

/* What was heard is this epoch's question. */
static enum wf_word withdrawn_word(const struct wf_record *r, uint64_t epoch)
{
	return r->epoch == epoch ? WF_WORD_ANSWER : WF_WORD_NEVER_PEER;
}

void wf_inquiry_withdrawn_out(struct wf_out *out, uint64_t epoch)
{
	const struct wf_record *r = &out->record[epoch & out->set->mask];

	tell_from_out(out, epoch, withdrawn_word(r, epoch));
}

void wf_inquiry_withdrawn_in(struct wf_in *in, uint64_t epoch)
{
	const struct wf_record *r = &in->record[epoch & in->set->mask];

	tell_from_in(in, epoch, withdrawn_word(r, epoch));
}

void wf_inquiry_forget(struct wf_talk *talk, unsigned at)
{
	/* The others are about what was heard, which may be this epoch. */
	if (talk->due[at] != WF_WORD_QUESTION &&
	    talk->due[at] != WF_WORD_EARLY &&
	    talk->due[at] != WF_WORD_ANSWER)
		return;
	talk->due[at] = WF_WORD_NONE;
	if (next_due(talk) < 0)
		wf_owe_not(&talk->owed);
}

void wf_inquiry_want(struct wf_in *in)
{
	if (in->count->done)
		wf_inquiry_from_in(in, true, in->count->done - 1);
}

/* ---- about edges that are not here ---- */

static uint16_t build(struct wf_owed *owed, struct wf_mail *head,
		      void *payload)
{
	struct inquiry *q = wf_container(owed, struct inquiry, owed);

	head->kind = WF_MAIL_ANSWER;
	head->word = q->to.port;
	head->context = q->to.context;
	memcpy(payload, &q->mail, sizeof(q->mail));
	return sizeof(q->mail);
}

static void settled(struct wf_owed *owed, int status)
{
	struct inquiry *q = wf_container(owed, struct inquiry, owed);

	(void)status;
	if (!q->spare)
		free(q);
}

static bool ready(struct wf_owed *owed)
{
	const struct inquiry *q = wf_container(owed, struct inquiry, owed);

	return are_visible(q->peer, q->after);
}

/* NULL: no memory, and the spare one is under way, or was never made. */
static struct inquiry *make(struct wf_peer *peer, struct address to,
			    const struct inquiry_mail *mail)
{
	struct inquiry *q = wf_zeroed(1, sizeof(*q));

	if (!q) {
		struct wf_owed *spare = wf_contexts(peer->job)->spare_answer;

		if (!spare || spare->queued)
			return NULL;
		q = wf_container(spare, struct inquiry, owed);
		*q = (struct inquiry){ .spare = true };
	}
	q->owed.build = build;
	q->owed.settled = settled;
	q->peer = peer;
	q->to = to;
	q->mail = *mail;
	return q;
}

/*
 * Is this the question of wf_in_revoke()?  A failing run has its status, or
 * that of ranks at odds, which no refusal of a collective has.
 */
static bool is_revoke(const struct wf_letter *letter,
		      const struct inquiry_mail *m, bool compared)
{
	return letter->head.kind == WF_MAIL_QUESTION && !m->by_sender &&
	       m->bytes == WF_REFUSED &&
	       (m->status == WEFT_ERR_PEER ||
		(compared && m->status == WEFT_ERR_ARG));
}

/*
 * Nobody knows any more whether there was one: all that was posted to this
 * peer is visible there before it hears "not put".
 */
static void answer_late(struct wf_peer *peer, struct address to,
			const struct inquiry_mail *question, int status)
{
	struct inquiry_mail m = *question;
	struct inquiry *q;

	m.by_sender = !m.by_sender;
	m.put = m.mailed = m.lacks = false;
	m.bytes = WF_REFUSED;
	m.status = status;
	q = make(peer, to, &m);
	if (!q)
		return;			/* it asks again */
	q->after = (uint32_t)peer->ep->posted;
	q->owed.ready = ready;
	wf_owe(peer, &q->owed);
}

/* ---- arriving mails ---- */

/* What is complete here is not looked at again: an answer that comes twice. */
static bool store(const struct wf_count *count, unsigned mask,
		  struct wf_talk *talk, const struct wf_letter *letter,
		  const struct inquiry_mail *m)
{
	if (m->epoch < count->done)
		return false;
	/* The one that has its place is not complete: it asks again. */
	if (m->lacks & LACKS_CREDIT && m->epoch > count->done + mask)
		return false;
	talk->heard[m->epoch & mask] = (struct wf_verdict){
		.known = true,
		.question = letter->head.kind == WF_MAIL_QUESTION,
		.early = m->lacks & LACKS_CREDIT,
		.put = m->put, .mailed = m->mailed, .status = m->status,
		.epoch = m->epoch, .bytes = m->bytes, .chunks = m->chunks
	};
	return true;
}

/* Has the sender put what this question is about, and is it to be told so? */
static bool wants_to_know(const struct wf_record *r,
			  const struct wf_letter *letter,
			  const struct inquiry_mail *m)
{
	bool question = letter->head.kind == WF_MAIL_QUESTION;

	return r->bytes != m->bytes || is_revoke(letter, m, false) ||
	       (question && (r->mailed || m->bytes == WF_REFUSED));
}

/*
 * A question about one that ended without a beginning: the first that missed
 * somebody, or one behind it?  The first has failed for certain; those behind
 * may still begin where an older one goes on.
 */
static bool is_lost(const struct wf_set *set, const struct wf_count *count,
		    const struct wf_record *r, const struct wf_letter *letter,
		    const struct inquiry_mail *m)
{
	uint64_t end = m->epoch == count->lost ? count->next : count->done;

	if (letter->head.kind != WF_MAIL_QUESTION || m->epoch < count->lost ||
	    m->epoch >= end || r->epoch == m->epoch)
		return false;
	/*
	 * Who waits for the first hears of a death by itself, and by name; an
	 * answer has none where there was no memory to tell the news.
	 */
	return m->epoch > count->lost || !wf_comm_dead(set->comm);
}

/* Where it is from: of a pair each end has a port of its own. */
static struct address asker(const struct wf_letter *letter,
			    const struct inquiry_mail *m)
{
	struct address to = { letter->head.context, letter->head.word };
	uint32_t use = to.port & WF_PORT_PAIRS;

	if (to.port >= WF_PORT_LANE_OUT)
		to.port = m->by_sender ?
			WF_PORT_LANE_OUT | use | (uint32_t)m->edge.receiver :
			WF_PORT_LANE_IN | use | (uint32_t)m->edge.sender;
	return to;
}

static void answer_lost(const struct wf_set *set,
			const struct wf_letter *letter,
			const struct inquiry_mail *m)
{
	answer_late(letter->from, asker(letter, m), m,
		    wf_comm_odds(set->comm) ? WEFT_ERR_ARG : WEFT_ERR_PEER);
}

/* Of a set that was given up: the epoch does not come. */
static bool is_vain(const struct wf_set *set, const struct wf_count *count,
		    const struct inquiry_mail *m)
{
	return (set->closing || set->ended) && m->epoch >= count->next;
}

static void to_sender(struct wf_set *set, const struct wf_letter *letter,
		      const struct inquiry_mail *m)
{
	struct wf_out *out = wf_set_find_out(set, letter->from, &m->edge);
	bool revoke = is_revoke(letter, m, wf_set_is_compared(set));
	struct wf_record *r;

	if (!out || is_vain(set, out->count, m)) {
		wf_inquiry_orphan(letter->from->job, letter);
		return;
	}
	if (m->lacks & LACKS_OPENING)
		wf_out_tell_again(out);
	r = &out->record[m->epoch & set->mask];
	if (m->epoch < out->count->next && r->epoch == m->epoch &&
	    (r->put || r->over)) {
		if (wants_to_know(r, letter, m))
			wf_inquiry_from_out(out, false, m->epoch);
		return;
	}
	/* Memory is taken back of what ended here without a put. */
	if (is_lost(set, out->count, r, letter, m) ||
	    (revoke && m->epoch < out->count->done)) {
		answer_lost(set, letter, m);
		return;
	}
	if (store(out->count, set->mask, &out->talk, letter, m))
		out->verdict = out->talk.heard;
	/*
	 * The receiver takes its memory back, and this epoch was not put.
	 * Whether it has begun here or not: the verdict keeps it from being
	 * put, and the set carries nothing again, so the answer need not wait
	 * for its turn.
	 */
	if (revoke &&
	    wf_verdict_on(out->verdict, (unsigned)(m->epoch & set->mask),
			  m->epoch))
		tell_from_out(out, m->epoch, WF_WORD_NEVER_PEER);
}

static void to_receiver(struct wf_set *set, const struct wf_letter *letter,
			const struct inquiry_mail *m)
{
	struct wf_in *in = wf_set_find_in(set, letter->from, &m->edge);
	struct wf_record *r;

	if (!in || is_vain(set, in->count, m)) {
		wf_inquiry_orphan(letter->from->job, letter);
		return;
	}
	if (m->lacks & LACKS_OPENING)
		wf_in_tell_again(in);
	r = &in->record[m->epoch & set->mask];
	if (m->epoch < in->count->next && r->epoch == m->epoch && r->over) {
		if (letter->head.kind == WF_MAIL_QUESTION &&
		    r->bytes != m->bytes)
			wf_inquiry_from_in(in, false, m->epoch);
		return;
	}
	if (is_lost(set, in->count, r, letter, m)) {
		answer_lost(set, letter, m);
		return;
	}
	if (store(in->count, set->mask, &in->talk, letter, m))
		in->verdict = in->talk.heard;
}

void wf_inquiry_orphan(struct weft_job *job, const struct wf_letter *letter)
{
	struct inquiry_mail m = { .epoch = 0 };
	struct address to;

	if (letter->head.kind == WF_MAIL_QUESTION &&
	    letter->head.length == sizeof(m))
		memcpy(&m, letter->payload, sizeof(m));
	to = asker(letter, &m);
	if (is_revoke(letter, &m, false))
		answer_late(letter->from, to, &m, m.status);
	else if (letter->head.kind == WF_MAIL_QUESTION &&
		 letter->head.length == sizeof(m))
		answer_late(letter->from, to, &m, WEFT_ERR_GRAPH);
	else
		wf_mail_drop(job, letter, "its edge does not exist here");
}

/* Its status becomes that of a run here: an error, where there is one. */
static bool is_valid(const struct inquiry_mail *m)
{
	return m->status < 0 || (!m->status && m->bytes != WF_REFUSED);
}

/* The other end has given the edge up, and asks whether this one has. */
static void to_ended(struct wf_set *set, const struct wf_letter *letter,
		     const struct inquiry_mail *m)
{
	struct wf_out *out = NULL;
	struct wf_in *in = NULL;

	if (m->by_sender)
		in = wf_set_find_in(set, letter->from, &m->edge);
	else
		out = wf_set_find_out(set, letter->from, &m->edge);
	if (in || out)
		wf_inquiry_ended(set, letter->from, in ? &in->talk : &out->talk,
				 letter->head.kind == WF_MAIL_QUESTION);
	else
		wf_inquiry_orphan(letter->from->job, letter);
}

void wf_inquiry_deliver(struct wf_set *set, const struct wf_letter *letter)
{
	struct inquiry_mail m;

	if (letter->head.length != sizeof(m)) {
		wf_mail_drop(letter->from->job, letter, "bad length");
		return;
	}
	memcpy(&m, letter->payload, sizeof(m));
	if (!is_valid(&m))
		wf_mail_drop(letter->from->job, letter, "bad status");
	else if (m.epoch == ALL_TO_COME)
		to_ended(set, letter, &m);
	else if (m.by_sender)
		to_receiver(set, letter, &m);
	else
		to_sender(set, letter, &m);
}
