/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Edges on the mailbox: the first epochs of a communicator's collectives need
 * no channel, so that a communicator costs nothing until it is used in
 * earnest.  A message is one mail, or consecutive ones of up to 512 bytes.
 * Whoever receives takes what comes, by mail or by the channel: ranks that
 * pass different counts may differ about when the channels begin.
 */
#include <stdlib.h>
#include <string.h>
#include "base/zeroed.h"
#include "plan/channel.h"
#include "plan/inquiry.h"
#include "plan/set.h"

enum {
	PIECE = 512,			/* bytes of payload in a mail */
	SHORT = WF_LINE_DATA		/* of messages that have a place */
};

/* In front of each piece. */
struct piece_head {
	struct wf_edge edge;
	uint64_t epoch, total, offset;
};

/* A message on its way out: one for each edge, made with the set. */
struct wf_outgoing {
	struct wf_owed owed;
	struct wf_out *out;		/* NULL: none */
	struct wf_move *move;		/* lives until the message is sent */
	char *data;
	uint64_t epoch, total, offset;
};

/* A message that has come, or part of it. */
struct wf_arrived {
	struct wf_arrived *next;
	uint64_t epoch;
	uint16_t total, received;
	bool kept;			/* its place was made with the set */
	char data[];
};

static uint64_t piece_bytes(const struct wf_outgoing *o)
{
	uint64_t n = o->total - o->offset;

	return n < PIECE ? n : PIECE;
}

static uint16_t build(struct wf_owed *owed, struct wf_mail *head,
		      void *payload)
{
	struct wf_outgoing *o = wf_container(owed, struct wf_outgoing, owed);
	struct piece_head h = {
		.edge = o->out->edge, .epoch = o->epoch, .total = o->total,
		.offset = o->offset
	};
	const struct wf_leg leg = { .data = o->data };
	uint64_t n = piece_bytes(o);

	head->kind = WF_MAIL_COLL;
	head->word = o->out->set->there;
	head->context = o->out->set->comm->id;
	memcpy(payload, &h, sizeof(h));
	wf_leg_give(&leg, o->offset, (char *)payload + sizeof(h), n);
	return (uint16_t)(sizeof(h) + n);
}

static void settled(struct wf_owed *owed, int status)
{
	struct wf_outgoing *o = wf_container(owed, struct wf_outgoing, owed);

	o->offset += piece_bytes(o);
	if (!status && o->offset < o->total) {
		wf_owe(o->out->peer, owed);
		return;
	}
	o->move->phase = WF_PHASE_MAILED;
	o->out->record[o->epoch & o->out->set->mask].mailed = !status;
	o->out = NULL;
}

bool wf_out_mail(struct wf_out *out, const struct wf_leg *leg)
{
	struct wf_outgoing *o = &out->set->outgoing[out - out->set->out];

	if (leg->move->phase == WF_PHASE_MAILED)
		return true;
	/* Also while the message of another epoch is on its way. */
	if (leg->move->phase == WF_PHASE_MAILING || o->out)
		return false;
	o->owed.build = build;
	o->owed.settled = settled;
	o->out = out;
	o->move = leg->move;
	o->data = leg->data;
	o->epoch = leg->epoch;
	o->total = leg->bytes;
	o->offset = 0;
	out->record[leg->epoch & out->set->mask].put = true;
	leg->move->phase = WF_PHASE_MAILING;
	wf_owe(out->peer, &o->owed);
	return leg->move->phase == WF_PHASE_MAILED;
}

static struct wf_arrived **find(struct wf_in *in, uint64_t epoch)
{
	struct wf_arrived **at = &in->arrived;

	while (*at && (*at)->epoch != epoch)
		at = &(*at)->next;
	return at;
}

/*
 * Sending needs no more, and short messages, such as those which agree on a
 * status or tell colours, are not lost for lack of memory: who alone did not
 * get them would not do what follows from them.
 */
int wf_mail_reserve(struct wf_set *set)
{
	const size_t bytes = sizeof(struct wf_arrived) + SHORT;
	char *at = wf_zeroed((size_t)set->nin * WF_MAILED_EPOCHS + 1, bytes);

	set->places = at;
	set->outgoing = wf_zeroed((size_t)set->nout + 1,
				  sizeof(*set->outgoing));
	if (!at || !set->outgoing)
		return WEFT_ERR_NOMEM;
	for (int i = 0; i < set->nin * WF_MAILED_EPOCHS; i++) {
		struct wf_arrived *a = (void *)(at + (size_t)i * bytes);
		struct wf_in *in = &set->in[i / WF_MAILED_EPOCHS];

		a->kept = true;
		a->next = in->places;
		in->places = a;
	}
	return WEFT_OK;
}

static struct wf_arrived *get_place(struct wf_in *in, uint64_t bytes)
{
	struct wf_arrived *a;

	if (bytes > SHORT || !in->places) {
		a = malloc(sizeof(*a) + bytes);
		if (a)
			a->kept = false;
		return a;
	}
	a = in->places;
	in->places = a->next;
	return a;
}

static void put_place(struct wf_in *in, struct wf_arrived *a)
{
	if (!a->kept) {
		free(a);
		return;
	}
	a->next = in->places;
	in->places = a;
}

bool wf_in_has_mail(struct wf_in *in, uint64_t epoch)
{
	const struct wf_arrived *a = *find(in, epoch);

	return a && a->received == a->total;
}

bool wf_in_mail(struct wf_in *in, const struct wf_leg *leg, bool drop)
{
	struct wf_arrived **at = find(in, leg->epoch), *a = *at;

	if (!a || a->received < a->total)
		return false;
	if (!drop && a->total != leg->bytes)
		wf_in_differs(in, leg, a->total);
	else if (!drop)
		wf_leg_take(leg, 0, a->data, a->total);
	*at = a->next;
	put_place(in, a);
	return true;
}

static void keep(struct wf_in *in, const struct wf_letter *letter,
		 const struct piece_head *h, const char *data, uint64_t n)
{
	struct wf_arrived **at = find(in, h->epoch), *a = *at;

	if (!a) {
		a = get_place(in, h->total);
		if (!a) {
			/* the sender's answer tells that it is lost */
			wf_mail_drop(letter->from->job, letter, "no memory");
			return;
		}
		a->epoch = h->epoch;
		a->total = (uint16_t)h->total;
		a->received = 0;
		a->next = NULL;
		*at = a;
	}
	if (h->offset != a->received ||
	    n > (uint64_t)(a->total - a->received)) {
		wf_mail_drop(letter->from->job, letter, "not the next piece");
		return;
	}
	if (n)
		memcpy(a->data + a->received, data, n);
	a->received += (uint16_t)n;
}

void wf_in_mail_deliver(struct wf_set *set, const struct wf_letter *letter)
{
	struct piece_head h;
	struct wf_in *in;

	if (letter->head.length < sizeof(h)) {
		wf_mail_drop(letter->from->job, letter, "bad length");
		return;
	}
	memcpy(&h, letter->payload, sizeof(h));
	in = wf_set_find_in(set, letter->from, &h.edge);
	if (!in || h.total > WF_MAILED_MAX || h.epoch < in->count->done ||
	    h.epoch >= WF_MAILED_EPOCHS) {
		wf_mail_drop(letter->from->job, letter, "nobody waits for it");
		return;
	}
	keep(in, letter, &h, (const char *)letter->payload + sizeof(h),
	     letter->head.length - sizeof(h));
}

void wf_in_mail_release(struct wf_in *in)
{
	while (in->arrived) {
		struct wf_arrived *a = in->arrived;

		in->arrived = a->next;
		put_place(in, a);
	}
}
