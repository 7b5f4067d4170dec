/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an edge owns, and how the other end hears of it: the receiver tells
 * lines, slots and signals (LANDING, and GROWTH for larger slots), the sender
 * its ready lines and credit signals (READY).  All of it at the first exchange
 * that needs it, never on the data path.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "base/zeroed.h"
#include "plan/channel.h"
#include "plan/channel_area.h"
#include "plan/channel_signals.h"
#include "plan/set.h"

enum {
	SMALLEST_SLOT = 64
};

/* LANDING and GROWTH; GROWN uses edge, first and next. */
struct landing_mail {
	struct wf_edge edge;
	uint64_t first, capacity;
	union {
		uint64_t stride;	/* bytes from line to line */
		uint64_t next;		/* all that is put is below */
	};
	struct wf_rloc base, lines;
	uint32_t sig[WF_SLOTS_MAX];
	uint32_t area_sig[WF_AREA_CHUNKS];
	uint32_t slot_max;		/* longer ones go by ready line */
	uint32_t unused;		/* 0 */
};

/* CLOSED uses the edge. */
struct ready_mail {
	struct wf_edge edge;
	struct wf_rloc ready;
	uint32_t credit_sig, area_credit_sig;
	uint32_t anywhere;		/* 1: the sender may write all memory */
	uint32_t unpaid;		/* 1: credits that are due fail */
};

static_assert(sizeof(struct landing_mail) == 128, "wire");
static_assert(sizeof(struct ready_mail) == 48, "wire");

static void address_mail(struct wf_mail *head, const struct wf_set *set,
			 enum wf_mail_kind kind)
{
	head->kind = (uint8_t)kind;
	head->word = set->there;
	head->context = set->comm->id;
}

static struct wf_rloc key_of(const struct wf_peer *peer, uint64_t offset)
{
	struct wf_device *dev = peer->ep->dev;
	struct wf_rloc rloc = { 0, 0 };

	/* A backend that gives none tells why, and the peer's put fails. */
	if (offset && dev->ops->key(&dev->arena, offset, &rloc))
		wf_debug(&peer->job->log, "no key for offset %llu",
			 (unsigned long long)offset);
	return rloc;
}

/* What a line to or from this peer carries. */
static uint32_t line_max_of(const struct wf_set *set,
			    const struct wf_device *dev)
{
	return set->line_max < dev->line_data ? set->line_max : dev->line_data;
}

/* ---- the receiver's end ---- */

/* When the mail leaves, without which nothing is put here. */
static void in_encode(struct wf_in *in)
{
	const struct wf_device *dev = in->peer->ep->dev;

	in->ll = !(dev->caps & WF_CAP_LINE_PLAIN);
	in->line_max = line_max_of(in->set, dev);
}

static uint16_t build_landing(struct wf_owed *owed, struct wf_mail *head,
			      void *payload)
{
	struct wf_landing *l = wf_container(owed, struct wf_landing, mail);
	struct wf_in *in = l->in;
	struct landing_mail m = {
		.edge = in->edge, .first = l->first, .capacity = l->capacity,
		.stride = (char *)wf_in_line(in, 1) - (char *)in->lines,
		.base = key_of(in->peer, l->offset),
		.lines = key_of(in->peer, in->lines_offset),
		.slot_max = in->slot_max
	};

	in_encode(in);
	address_mail(head, in->set,
		     l->older ? WF_MAIL_GROWTH : WF_MAIL_LANDING);
	memcpy(m.sig, l->sig, sizeof(m.sig));
	memcpy(m.area_sig, in->area_sig, sizeof(m.area_sig));
	memcpy(payload, &m, sizeof(m));
	return sizeof(m);
}

static void free_landing(struct wf_in *in, struct wf_landing *l)
{
	struct weft_job *job = in->peer->job;
	bool keeps = wf_set_keeps(in->set);

	wf_owe_not(&l->mail);
	for (unsigned i = 0; !keeps && i <= in->set->mask; i++)
		if (l->word[i])
			wf_signal_free(&job->signals, l->sig[i]);
	if (l->offset && !keeps)
		wf_segment_free(&job->segment, l->offset);
	free(l);
}

/* No message is there yet; the payloads need not be cleared. */
static void clear_heads(struct wf_in *in, const struct wf_landing *l)
{
	char *slot = wf_segment_at(&in->peer->job->segment, l->offset);

	for (unsigned i = 0; l->capacity && i <= in->set->mask; i++) {
		memset(slot, 0, sizeof(uint64_t));
		slot += WF_HEAD_BYTES + l->capacity;
	}
}

static int add_landing(struct wf_in *in, uint64_t first, uint64_t bytes)
{
	struct weft_job *job = in->peer->job;
	struct wf_landing *l = wf_zeroed(1, sizeof(*l));
	unsigned slots = in->set->mask + 1;
	int status = WEFT_OK;

	if (!l)
		return WEFT_ERR_NOMEM;
	l->in = in;
	l->first = first;
	l->mail.build = build_landing;
	for (l->capacity = bytes ? SMALLEST_SLOT : 0; l->capacity < bytes;)
		l->capacity *= 2;
	for (unsigned i = 0; !status && i < slots; i++)
		status = wf_peer_take_signal(in->peer, &l->sig[i], &l->word[i]);
	if (!status && bytes)
		status = wf_segment_alloc_raw(&job->segment, slots *
					      (WF_HEAD_BYTES + l->capacity),
					      64, &l->offset);
	if (status) {
		free_landing(in, l);
		return status;
	}
	clear_heads(in, l);
	l->older = in->landing;
	in->landing = l;
	wf_owe(in->peer, &l->mail);
	return WEFT_OK;
}

/* Landings older than one that serves all that is under way go. */
bool wf_in_tidy(struct wf_in *in)
{
	struct wf_landing *l = in->landing;

	while (l && (!l->acknowledged || in->count->done < l->older_until))
		l = l->older;
	while (l && l->older) {
		struct wf_landing *old = l->older;

		l->older = old->older;
		free_landing(in, old);
	}
	return !in->landing || !in->landing->older;
}

static int open_in(struct wf_in *in, uint64_t bytes)
{
	int status = WEFT_OK;

	if (!in->peer->ep)
		wf_peer_connect(in->peer);
	/* What an earlier try has got is kept. */
	if (!in->lines)
		status = wf_in_make_lines(in);
	if (status)
		return status;
	for (int i = 0; !status && i < WF_AREA_CHUNKS; i++)
		if (!in->area_word[i])
			status = wf_peer_take_signal(in->peer, &in->area_sig[i],
					     &in->area_word[i]);
	if (!status)
		status = add_landing(in, 0, bytes);
	in->told = !status;
	return status;
}

/* The most bytes that go as a line, whatever the peer is connected by. */
static uint32_t least_line(const struct wf_in *in)
{
	const struct weft_job *job = in->peer->job;
	uint32_t least = in->set->line_max;

	if (in->peer->state == WF_PEER_READY)
		return line_max_of(in->set, in->peer->ep->dev);
	for (int i = 0; i < job->ndevs; i++)
		if (job->dev[i]->line_data < least)
			least = job->dev[i]->line_data;
	return least;
}

/*
 * That of the backend which connects the peer; one that refuses later leaves
 * its limit behind.
 */
static uint32_t choose_slot_max(const struct wf_in *in)
{
	uint32_t least = in->set->slot_least, most;

	if (in->set->pair)
		return least;
	wf_peer_connect(in->peer);
	most = in->peer->ep ? in->peer->ep->dev->slot_max : least;
	return most > least ? most : least;
}

int wf_in_prepare(struct wf_in *in, const struct wf_leg *leg)
{
	uint64_t bytes = leg->bytes;
	bool slot;
	int status = WEFT_OK;

	if (!in->told)
		in->slot_max = choose_slot_max(in);
	slot = bytes > least_line(in) && bytes <= in->slot_max;
	if (!in->told)
		status = open_in(in, slot ? bytes : 0);
	else if (slot && bytes > in->landing->capacity)
		status = add_landing(in, leg->epoch, bytes);
	if (!status && wf_in_needs_area(in, leg))
		status = wf_in_make_area(in, bytes);
	return status;
}

void wf_in_tell_again(struct wf_in *in)
{
	for (struct wf_landing *l = in->landing; in->told && l; l = l->older)
		wf_owe(in->peer, &l->mail);
}

static uint16_t build_closed(struct wf_owed *owed, struct wf_mail *head,
			     void *payload)
{
	struct wf_in *in = wf_container(owed, struct wf_in, closed);
	struct ready_mail m = {
		.edge = in->edge,
		.unpaid = in->set->broken == WEFT_ERR_DEVICE
	};

	address_mail(head, in->set, WF_MAIL_CLOSED);
	memcpy(payload, &m, sizeof(m));
	return sizeof(m);
}

/* Of somebody's end the sender hears as well, but not of a device here. */
static bool has_to_tell(const struct wf_in *in)
{
	if (in->set->broken)
		return in->heard && in->set->broken == WEFT_ERR_DEVICE;
	return in->ready.addr;
}

void wf_in_close(struct wf_in *in)
{
	if (!has_to_tell(in))
		return;
	in->closed.build = build_closed;
	wf_owe(in->peer, &in->closed);
}

void wf_in_release(struct wf_in *in)
{
	struct weft_job *job = in->peer->job;

	while (in->landing) {
		struct wf_landing *l = in->landing;

		in->landing = l->older;
		free_landing(in, l);
	}
	wf_owe_not(&in->closed);
	wf_owe_not(&in->talk.owed);
	wf_in_mail_release(in);
	if (wf_set_keeps(in->set))
		return;
	for (int i = 0; i < WF_AREA_CHUNKS; i++)
		if (in->area_word[i])
			wf_signal_free(&job->signals, in->area_sig[i]);
	if (in->area_offset)
		wf_segment_free(&job->segment, in->area_offset);
	wf_in_free_lines(in);
}

/* ---- the sender's end ---- */

void wf_out_encode(struct wf_out *out)
{
	const struct wf_device *dev = out->peer->ep->dev;

	if (out->ntargets)
		out->ep = out->peer->ep;
	out->ll = !(dev->caps & WF_CAP_LINE_PLAIN);
	out->line_max = line_max_of(out->set, dev);
}

static uint16_t build_ready(struct wf_owed *owed, struct wf_mail *head,
			    void *payload)
{
	struct wf_out *out = wf_container(owed, struct wf_out, mail);
	struct ready_mail m = {
		.edge = out->edge,
		.ready = key_of(out->peer, out->ready_offset),
		.credit_sig = out->credit_sig,
		.area_credit_sig = out->area_credit_sig,
		.anywhere = out->peer->ep->writes_anywhere
	};

	wf_out_encode(out);
	address_mail(head, out->set, WF_MAIL_READY);
	memcpy(payload, &m, sizeof(m));
	return sizeof(m);
}

static uint16_t build_grown(struct wf_owed *owed, struct wf_mail *head,
			    void *payload)
{
	struct wf_out *out = wf_container(owed, struct wf_out, grown);
	struct landing_mail m = {
		.edge = out->edge,
		.first = wf_out_target(out, out->ntargets - 1)->first,
		.next = out->count->next
	};

	address_mail(head, out->set, WF_MAIL_GROWN);
	memcpy(payload, &m, sizeof(m));
	return sizeof(m);
}

static int make_ready_lines(struct wf_out *out)
{
	struct weft_job *job = out->peer->job;
	int status = wf_segment_alloc(&job->segment, (out->set->mask + 1) *
				      WF_LINE_BYTES, WF_LINE_BYTES,
				      &out->ready_offset);

	if (!status)
		out->ready = wf_segment_at(&job->segment, out->ready_offset);
	return status;
}

int wf_out_prepare(struct wf_out *out, uint64_t bytes)
{
	bool lines = bytes > out->set->slot_least && bytes != WF_REFUSED &&
		     !out->ready;
	int status = WEFT_OK, lacking = WEFT_OK;

	if (out->told && !lines)
		return WEFT_OK;
	if (!out->told)
		status = wf_out_renew_credits(out);
	if (status)
		return status;
	if (lines)
		lacking = make_ready_lines(out);
	if (out->told && lacking)
		return lacking;
	/* Also without ready lines: the receiver has credits to give. */
	out->told = true;
	out->mail.build = build_ready;
	wf_owe(out->peer, &out->mail);
	return lacking;
}

static void drop_oldest_target(struct wf_out *out)
{
	out->ntargets--;
	for (int i = 0; i < out->ntargets; i++)
		*wf_out_target(out, i) = *wf_out_target(out, i + 1);
}

/* Landings that no epoch under way can use go. */
static void tidy_out(struct wf_out *out)
{
	while (out->ntargets > 1 &&
	       wf_out_target(out, 1)->first <= out->count->done)
		drop_oldest_target(out);
}

/* In the order of their epochs; it may come twice. */
static void add_target(struct wf_out *out, const struct wf_target *t)
{
	int at = out->ntargets;

	while (at && wf_out_target(out, at - 1)->first >= t->first)
		at--;
	if (at < out->ntargets &&
	    (wf_out_target(out, at)->first == t->first ||
	     wf_out_target(out, at)->first <= out->count->done))
		return;
	if (out->ntargets > (int)out->set->mask) {
		/* the window does not allow so many; nothing is overwritten */
		wf_error(&out->peer->job->log, "rank %d has told more landing "
			 "slots than its window allows", out->peer->rank);
		return;
	}
	for (int i = out->ntargets++; i > at; i--)
		*wf_out_target(out, i) = *wf_out_target(out, i - 1);
	*wf_out_target(out, at) = *t;
}

void wf_out_release(struct wf_out *out)
{
	struct weft_job *job = out->peer->job;

	wf_owe_not(&out->mail);
	wf_owe_not(&out->grown);
	wf_owe_not(&out->talk.owed);
	if (wf_set_keeps(out->set))
		return;
	wf_out_free_credits(out);
	if (out->ready)
		wf_segment_free(&job->segment, out->ready_offset);
}

/* ---- mails ---- */

static void landing_comes(struct wf_out *out, const struct landing_mail *m)
{
	struct wf_target t = {
		.first = m->first, .capacity = m->capacity, .base = m->base
	};

	memcpy(t.sig, m->sig, sizeof(t.sig));
	memcpy(out->area_sig, m->area_sig, sizeof(out->area_sig));
	out->lines = m->lines;
	out->slot_max = m->slot_max;
	out->spread = m->stride == 2 * WF_LINE_BYTES;
	tidy_out(out);
	add_target(out, &t);
	tidy_out(out);
}

void wf_out_tell_again(struct wf_out *out)
{
	if (out->told)
		wf_owe(out->peer, &out->mail);
}

static void ready_comes(struct wf_in *in, const struct ready_mail *m)
{
	in->ready = m->ready;
	in->credit_sig = m->credit_sig;
	in->area_credit_sig = m->area_credit_sig;
	in->anywhere = m->anywhere;
	in->heard = true;
	if (in->set->closing)
		wf_in_close(in);
}

static void closed_comes(struct wf_out *out, const struct ready_mail *m)
{
	out->closed = true;
	out->unpaid |= m->unpaid;
}

/*
 * What the sender had put before it heard of the growth, direct puts and
 * messages shorter than expected, may still be on its way to older signals.
 */
static void grown_comes(struct wf_in *in, const struct landing_mail *m)
{
	for (struct wf_landing *l = in->landing; l; l = l->older) {
		if (l->first != m->first || l->acknowledged)
			continue;
		l->acknowledged = true;
		l->older_until = l->first > m->next ? l->first : m->next;
	}
	in->set->untidy |= !wf_in_tidy(in);
}

static void deliver_landing(struct wf_set *set, const struct wf_letter *letter)
{
	struct landing_mail m;
	struct wf_out *out = NULL;
	struct wf_in *in = NULL;

	memcpy(&m, letter->payload, sizeof(m));
	if (letter->head.kind == WF_MAIL_GROWN) {
		in = wf_set_find_in(set, letter->from, &m.edge);
		if (in)
			grown_comes(in, &m);
	} else {
		out = wf_set_find_out(set, letter->from, &m.edge);
		if (out)
			landing_comes(out, &m);
	}
	if (!in && !out)
		wf_mail_drop(letter->from->job, letter, "no such edge");
	if (out && letter->head.kind == WF_MAIL_GROWTH) {
		/* perhaps before this end has opened the edge */
		out->grown.build = build_grown;
		wf_owe(out->peer, &out->grown);
	}
}

static void deliver_ready(struct wf_set *set, const struct wf_letter *letter)
{
	struct ready_mail m;
	struct wf_out *out;
	struct wf_in *in;

	memcpy(&m, letter->payload, sizeof(m));
	in = wf_set_find_in(set, letter->from, &m.edge);
	out = wf_set_find_out(set, letter->from, &m.edge);
	if (letter->head.kind == WF_MAIL_READY && in)
		ready_comes(in, &m);
	else if (letter->head.kind == WF_MAIL_CLOSED && out)
		closed_comes(out, &m);
	else
		wf_mail_drop(letter->from->job, letter, "no such edge");
}

void wf_channel_deliver(struct wf_set *set, const struct wf_letter *letter)
{
	bool ready = letter->head.kind == WF_MAIL_READY ||
		     letter->head.kind == WF_MAIL_CLOSED;

	if (letter->head.length != (ready ? sizeof(struct ready_mail)
					  : sizeof(struct landing_mail)))
		wf_mail_drop(letter->from->job, letter, "bad length");
	else if (ready)
		deliver_ready(set, letter);
	else
		deliver_landing(set, letter);
}
