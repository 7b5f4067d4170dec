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
#include "plan/channel.h"
#include "plan/inquiry.h"
#include "plan/set.h"

enum {
	PIECE = 512			/* bytes of payload in a mail */
};

/* In front of each piece. */
struct piece_head {
	struct wf_edge edge;
	uint64_t epoch, total, offset;
};

/* A message on its way out. */
struct outgoing {
	struct wf_owed owed;
	struct wf_out *out;
	struct wf_move *move;		/* lives until the message is sent */
	const char *data;
	uint64_t epoch, total, offset;
};

/* A message that has come, or part of it. */
struct wf_arrived {
	struct wf_arrived *next;
	uint64_t epoch, total, received;
	char data[];
};

static uint64_t piece_bytes(const struct outgoing *o)
{
	uint64_t n = o->total - o->offset;

	return n < PIECE ? n : PIECE;
}

static uint16_t build(struct wf_owed *owed, struct wf_mail *head,
		      void *payload)
{
	struct outgoing *o = wf_container(owed, struct outgoing, owed);
	struct piece_head h = {
		.edge = o->out->edge, .epoch = o->epoch, .total = o->total,
		.offset = o->offset
	};
	uint64_t n = piece_bytes(o);

	head->kind = WF_MAIL_COLL;
	head->word = o->out->set->port.number;
	head->context = o->out->set->comm->id;
	memcpy(payload, &h, sizeof(h));
	if (n)
		memcpy((char *)payload + sizeof(h), o->data + o->offset, n);
	return (uint16_t)(sizeof(h) + n);
}

static void settled(struct wf_owed *owed, int status)
{
	struct outgoing *o = wf_container(owed, struct outgoing, owed);

	o->offset += piece_bytes(o);
	if (!status && o->offset < o->total) {
		wf_owe(o->out->peer, owed);
		return;
	}
	o->move->phase = WF_PHASE_MAILED;
	free(o);
}

bool wf_out_mail(struct wf_out *out, const struct wf_leg *leg)
{
	struct outgoing *o;

	if (leg->move->phase == WF_PHASE_MAILED)
		return true;
	if (leg->move->phase == WF_PHASE_MAILING)
		return false;
	o = calloc(1, sizeof(*o));
	if (!o)
		return false;		/* tried again by the next look */
	o->owed.build = build;
	o->owed.settled = settled;
	o->out = out;
	o->move = leg->move;
	o->data = leg->data;
	o->epoch = leg->epoch;
	o->total = leg->bytes;
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

bool wf_in_mail(struct wf_in *in, const struct wf_leg *leg, bool drop)
{
	struct wf_arrived **at = find(in, leg->epoch), *a = *at;

	if (!a || a->received < a->total)
		return false;
	if (!drop && a->total != leg->bytes)
		wf_in_differs(in, leg, a->total);
	else if (!drop && a->total)
		memcpy(leg->data, a->data, a->total);
	*at = a->next;
	free(a);
	return true;
}

static void keep(struct wf_in *in, const struct wf_letter *letter,
		 const struct piece_head *h, const char *data, uint64_t n)
{
	struct wf_arrived **at = find(in, h->epoch), *a = *at;

	if (!a) {
		a = calloc(1, sizeof(*a) + h->total);
		if (!a) {
			wf_mail_drop(letter->from->job, letter, "no memory");
			return;
		}
		a->epoch = h->epoch;
		a->total = h->total;
		*at = a;
	}
	if (h->offset != a->received || n > a->total - a->received) {
		wf_mail_drop(letter->from->job, letter, "not the next piece");
		return;
	}
	if (n)
		memcpy(a->data + a->received, data, n);
	a->received += n;
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
	in = wf_set_find_in(set, &h.edge);
	if (!in || h.total > WF_MAILED_MAX || h.epoch < set->done) {
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
		free(a);
	}
}
