/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The receiver's end of an edge, one epoch at a time: look at the line or the
 * signal, copy out, and give the slot back by completing (or by a credit).
 */
#include <string.h>
#include "plan/channel.h"
#include "plan/inquiry.h"
#include "plan/set.h"

void wf_in_consumed(struct wf_in *in, uint64_t epoch)
{
	unsigned window = (unsigned)in->set->window;

	if (in->has_reverse)
		return;
	/* In epoch order: one that came early does not count yet. */
	in->early |= 1u << (epoch - in->consumed);
	while (in->early & 1) {
		in->early >>= 1;
		if (++in->consumed % window == 0)
			in->credits_due++;
	}
	if (in->credits_due && !wf_in_pay(in))
		wf_set_owes(in->set);
}

static bool raise_signals(struct wf_ep *ep, uint32_t sig, uint32_t *due)
{
	struct wf_rloc none = { 0, 0 };

	while (*due) {
		if (ep->ops->put_signal(ep, wf_loc_any(NULL), none, 0, sig,
					NULL))
			return false;
		--*due;
	}
	return true;
}

bool wf_in_pay(struct wf_in *in)
{
	if (!wf_in_is_open(in))
		return !in->credits_due && !in->area_credits_due;
	return raise_signals(in->ep, in->credit_sig, &in->credits_due) &&
	       raise_signals(in->ep, in->area_credit_sig,
			     &in->area_credits_due);
}

static bool consume(struct wf_in *in, const struct wf_leg *leg)
{
	in->record[leg->epoch & in->set->mask].over = true;
	wf_in_consumed(in, leg->epoch);
	return true;
}

static bool receive_line(struct wf_in *in, const struct wf_leg *leg)
{
	struct wf_line *line = &in->lines[leg->epoch & in->set->mask];

	if (!wf_line_ready(line, leg->seq))
		return false;
	if (wf_line_length(line) != leg->bytes)
		wf_in_differs(in, leg, wf_line_length(line));
	else if (leg->bytes == 8)
		memcpy(leg->data, line->data, 8);
	else if (leg->bytes)
		memcpy(leg->data, line->data, leg->bytes);
	return consume(in, leg);
}

struct wf_landing *wf_in_landed(const struct wf_in *in, uint64_t epoch)
{
	struct wf_landing *at = wf_landing_of(in->landing, epoch);
	unsigned i = (unsigned)(epoch & in->set->mask);

	for (; at; at = at->older)
		if (wf_signal_count(at->word[i], at->sig[i]) > at->used[i])
			return at;
	return NULL;
}

static bool receive_slot(struct wf_in *in, const struct wf_leg *leg)
{
	struct wf_landing *from = wf_in_landed(in, leg->epoch);
	unsigned i = (unsigned)(leg->epoch & in->set->mask);
	const char *slot;
	uint64_t bytes;

	if (!from)
		return false;
	from->used[i]++;
	slot = wf_segment_at(&in->peer->job->segment, from->offset);
	slot += i * (WF_HEAD_BYTES + from->capacity);
	memcpy(&bytes, slot, sizeof(bytes));
	if (bytes != leg->bytes)
		wf_in_differs(in, leg, bytes);
	else
		memcpy(leg->data, slot + WF_HEAD_BYTES, bytes);
	return consume(in, leg);
}

static void begin(struct wf_in *in, const struct wf_leg *leg)
{
	struct wf_record *r = &in->record[leg->epoch & in->set->mask];

	r->epoch = leg->epoch;
	r->bytes = leg->bytes;
	r->over = false;
	leg->move->phase = WF_PHASE_OPEN;
	if (leg->bytes == WF_REFUSED)
		wf_in_refuse(in, leg);
}

bool wf_in_advance(struct wf_in *in, const struct wf_leg *leg)
{
	struct wf_move *m = leg->move;

	if (m->phase == WF_PHASE_BEGIN)
		begin(in, leg);
	if (in->verdict || m->phase >= WF_PHASE_VERDICT) {
		bool over = false;

		if (wf_in_settles(in, leg, &over))
			return over && consume(in, leg);
	}
	if (in->arrived && wf_in_mail(in, leg, false))
		return consume(in, leg);
	if (leg->epoch < in->set->mail_end && !in->told)
		return false;
	if (leg->bytes <= in->set->line_max)
		return receive_line(in, leg);
	if (leg->bytes <= in->set->slot_max)
		return receive_slot(in, leg);
	return wf_in_large(in, leg) && consume(in, leg);
}
