/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals that the ends of an edge have: see channel_signals.h. */
#include "plan/channel_signals.h"
#include "plan/channel.h"

int wf_peer_take_signal(struct wf_peer *peer, uint32_t *sig_p,
			const _Atomic uint64_t **word_p)
{
	struct wf_signals *signals = &peer->job->signals;
	int status = peer->ep ?
		wf_signal_alloc(signals, peer->ep->room, sig_p) :
		wf_signal_alloc_many(signals, sig_p);

	if (!status)
		*word_p = wf_signal_word(signals, *sig_p);
	return status;
}

int wf_out_take_credits(struct wf_out *out)
{
	int status = WEFT_OK;

	if (!out->credit)
		status = wf_peer_take_signal(out->peer, &out->credit_sig,
					     &out->credit);
	if (!status && !out->area_credit)
		status = wf_peer_take_signal(out->peer, &out->area_credit_sig,
					     &out->area_credit);
	return status;
}

void wf_out_free_credits(struct wf_out *out)
{
	struct wf_signals *signals = &out->peer->job->signals;

	if (out->credit)
		wf_signal_free(signals, out->credit_sig);
	if (out->area_credit)
		wf_signal_free(signals, out->area_credit_sig);
	out->credit = out->area_credit = NULL;
}

int wf_out_renew_credits(struct wf_out *out)
{
	struct wf_signals *signals = &out->peer->job->signals;
	uint32_t sig = out->credit_sig, area_sig = out->area_credit_sig;
	const _Atomic uint64_t *word = out->credit;
	const _Atomic uint64_t *area_word = out->area_credit;

	if (!out->peer->ep)
		wf_peer_connect(out->peer);
	if (!word || !area_word)
		return wf_out_take_credits(out);
	if (!out->peer->ep || !out->peer->ep->room ||
	    wf_signal_index(sig) < WF_SIGNAL_STORED)
		return WEFT_OK;
	out->credit = out->area_credit = NULL;
	if (!wf_out_take_credits(out)) {
		wf_signal_free(signals, sig);
		wf_signal_free(signals, area_sig);
		return WEFT_OK;
	}
	wf_out_free_credits(out);
	out->credit_sig = sig;
	out->area_credit_sig = area_sig;
	out->credit = word;
	out->area_credit = area_word;
	return WEFT_OK;
}
