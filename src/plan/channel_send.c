/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sender's end of an edge, one epoch at a time: may it write, which class
 * is the message, the one put, and the source until it is reusable.
 */
#include "plan/channel.h"
#include "plan/inquiry.h"
#include "plan/set.h"

/*
 * The overwrite rule.  A reverse edge: that this epoch was admitted implies
 * that epoch - w is complete here, so something of it came from the receiver,
 * who had then completed epoch - 2w, the last user of the slot.
 */
static bool may_write(const struct wf_out *out, uint64_t epoch)
{
	const struct wf_set *set = out->set;
	uint64_t before = 2 * (uint64_t)set->window;

	if (out->has_reverse || epoch < before)
		return true;
	return out->credit &&
	       wf_signal_count(out->credit, out->credit_sig) *
	       (unsigned)set->window > epoch - before;
}

static void record_put(struct wf_out *out, const struct wf_leg *leg)
{
	out->record[leg->epoch & out->set->mask].put = true;
}

static bool send_line(struct wf_out *out, const struct wf_leg *leg)
{
	struct wf_rloc dst = out->lines;

	dst.addr += (leg->epoch & out->set->mask) * WF_LINE_BYTES;
	if (out->ep->ops->line(out->ep, dst, leg->data, (uint32_t)leg->bytes,
			       leg->seq))
		return false;
	record_put(out, leg);
	return true;
}

bool wf_out_post(struct wf_out *out, const struct wf_leg *leg,
		 struct wf_rloc dst, uint32_t sig, const uint64_t *head)
{
	struct wf_ep *ep = out->ep;

	if (ep->ops->put_signal(ep, wf_loc_any(leg->data), dst, leg->bytes,
				sig, head))
		return false;
	record_put(out, leg);
	leg->move->post = ep->posted;
	leg->move->phase = WF_PHASE_POSTED;
	if (wf_ep_done(ep, ep->posted))
		return true;
	ep->ops->flush(ep, WF_FLUSH_LOCAL);
	return false;
}

/*
 * Once an epoch exceeds the capacity that is known here, it and all later slot
 * epochs of the edge wait for the growth mail.
 */
static bool waits_for_growth(struct wf_out *out, const struct wf_landing *to,
			     const struct wf_leg *leg)
{
	if (leg->bytes > to->capacity) {
		if (leg->epoch < out->short_since)
			out->short_since = leg->epoch;
		return true;
	}
	return leg->epoch > out->short_since && to->first <= out->short_since &&
	       out->landing->first < out->short_since;
}

static bool send_slot(struct wf_out *out, const struct wf_leg *leg)
{
	struct wf_landing *to = wf_landing_of(out->landing, leg->epoch);
	unsigned at = (unsigned)(leg->epoch & out->set->mask);
	struct wf_rloc dst;

	if (waits_for_growth(out, to, leg))
		return false;
	if (leg->epoch >= out->short_since)
		out->short_since = UINT64_MAX;
	dst = to->base;
	dst.addr += at * (WF_HEAD_BYTES + to->capacity);
	out->record[at].landing = to->first;
	return wf_out_post(out, leg, dst, to->sig[at], &leg->bytes);
}

/* From here on the record of epoch - 2w is not asked for any more. */
static void begin(struct wf_out *out, const struct wf_leg *leg)
{
	struct wf_record *r = &out->record[leg->epoch & out->set->mask];

	r->epoch = leg->epoch;
	r->bytes = leg->bytes;
	r->put = false;
	r->over = false;
	leg->move->phase = WF_PHASE_OPEN;
}

bool wf_out_advance(struct wf_out *out, const struct wf_leg *leg)
{
	struct wf_move *m = leg->move;

	if (m->phase == WF_PHASE_POSTED)
		return wf_ep_done(out->ep, m->post);
	if (m->phase == WF_PHASE_BEGIN) {
		if (!may_write(out, leg->epoch))
			return false;
		begin(out, leg);
	}
	if (m->phase == WF_PHASE_OPEN && wf_out_settles(out, leg))
		return true;
	if (leg->epoch < out->set->mail_end)
		return wf_out_mail(out, leg);
	if (!wf_out_is_open(out))
		return false;
	if (leg->bytes <= out->set->line_max)
		return send_line(out, leg);
	if (leg->bytes <= out->set->slot_max)
		return send_slot(out, leg);
	return wf_out_large(out, leg);
}
