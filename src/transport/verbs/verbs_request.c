/* SPDX-License-Identifier: BSD-3-Clause */
/* Work requests that go again, or not at all: see verbs_post.h. */
#include "transport/verbs/verbs_post.h"

void wf_verbs_clear(struct wf_verbs_ep *ep, struct wf_verbs_wr *entry)
{
	if (entry->slot)
		wf_verbs_give_slot(ep, entry->slot);
	if (entry->lent == WF_VERBS_LENT_MR)
		ibv_dereg_mr(entry->mr);
	else if (entry->lent == WF_VERBS_LENT_BOUNCE)
		wf_verbs_bounce_give(ep, entry->bounce);
	entry->slot = NULL;
	entry->lent = WF_VERBS_LENT_NOTHING;
}

void wf_verbs_discard(struct wf_verbs_ep *ep)
{
	while (ep->staged)
		wf_verbs_undo(ep, wf_verbs_at(ep, ep->head + --ep->staged));
}

/* It reports, whether it did so before or not. */
bool wf_verbs_do_again(struct wf_verbs_ep *ep, uint32_t at)
{
	struct wf_verbs_wr *entry = wf_verbs_at(ep, at);
	struct wf_verbs_form form;
	struct ibv_send_wr *bad;

	wf_verbs_dev(ep->ep.dev)->reports += !entry->reports;
	entry->reports = true;
	wf_verbs_fill(ep, at, &form);
	return !ibv_post_send(ep->qp, &form.wr, &bad);
}

static void fill_all(struct wf_verbs_ep *ep, struct wf_verbs_form *form)
{
	uint32_t silent = ep->silent;

	for (uint32_t i = 0; i < ep->staged; i++) {
		struct wf_verbs_wr *entry = wf_verbs_at(ep, ep->head + i);

		silent = wf_verbs_silent(ep, entry, silent);
		wf_verbs_fill(ep, ep->head + i, &form[i]);
		if (i)
			form[i - 1].wr.next = &form[i].wr;
	}
}

/*
 * Which one failed the device may not say, as Soft-RoCE does: then the path is
 * lost, since what is written again is the same.
 */
int wf_verbs_refused(struct wf_verbs_ep *ep, int error, bool said)
{
	wf_verbs_discard(ep);
	if (error != ENOMEM || !said)
		wf_verbs_lose(ep, strerror(error));
	return WEFT_AGAIN;
}

int wf_verbs_do(struct wf_verbs_ep *ep)
{
	struct wf_verbs_form form[WF_VERBS_CHAIN];
	struct ibv_send_wr *bad = NULL;
	uint32_t taken = ep->staged;
	bool said = true;
	int error;

	fill_all(ep, form);
	error = ibv_post_send(ep->qp, &form[0].wr, &bad);
	if (error) {
		said = taken == 1 || bad;
		for (taken = 0; bad && bad != &form[taken].wr; taken++)
			;
	}
	while (taken--)
		wf_verbs_enter(ep);
	return error ? wf_verbs_refused(ep, error, said) : WEFT_OK;
}
