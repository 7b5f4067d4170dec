/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the receiver's end of an edge gives back: credits where no reverse edge
 * does, raised in epoch order; and which landing an epoch has arrived in.
 */
#include "plan/channel.h"
#include "plan/set.h"

void wf_in_give_back(struct wf_in *in, uint64_t epoch)
{
	unsigned window = (unsigned)in->set->window;

	/*
	 * In epoch order: one that came early does not count yet.  One so far
	 * ahead never will: an epoch before it ended without being consumed.
	 */
	if (epoch - in->consumed >= 32)
		return;
	in->early |= 1u << (epoch - in->consumed);
	while (in->early & 1) {
		in->early >>= 1;
		if (++in->consumed % window == 0)
			in->credits_due++;
	}
	if (in->credits_due && !wf_in_pay(in))
		wf_set_owes(in->set);
}

static int raise_signals(struct wf_ep *ep, uint32_t sig, uint32_t *due)
{
	struct wf_rloc none = { 0, 0 };
	int status = WEFT_OK;

	while (*due && !status) {
		status = ep->ops->put_signal(ep, wf_loc_any(NULL), none, 0,
					     sig, NULL);
		*due -= !status;
	}
	return status;
}

/* Neither end has told the other where its lines or credits go. */
static bool is_unused(const struct wf_in *in)
{
	return !in->told && !in->heard && in->consumed <= in->count->mail_end;
}

bool wf_in_owes(const struct wf_in *in)
{
	return (in->credits_due || in->area_credits_due) && !is_unused(in);
}

bool wf_in_pay(struct wf_in *in)
{
	int status;

	if (in->failed)
		return true;
	if (!wf_in_is_open(in))
		return !wf_in_owes(in);
	status = raise_signals(in->ep, in->credit_sig, &in->credits_due);
	if (!status)
		status = raise_signals(in->ep, in->area_credit_sig,
				       &in->area_credits_due);
	if (status < 0) {
		in->failed = status;
		wf_set_fails(in->set);
	}
	return status <= 0;
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
