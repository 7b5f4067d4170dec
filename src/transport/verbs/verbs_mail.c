/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mail: a SEND into the shared receive queue of the peer.
 *
 * Four credits and a reserved one bound what a peer may have there.  They come
 * back as signals, raised when a mail has been delivered: +1 for two mails, by
 * the other signal +1 for the reserved one.
 *
 * A mail reports its completion, so that nothing is posted to know that it has
 * arrived: the peer may destroy its queue pair as soon as it has seen the last.
 */
#include "base/log.h"
#include "transport/verbs/verbs_post.h"

static const uint64_t first_credits[2] = { WF_VERBS_CREDITS, 1 };
static const uint64_t mails_per_credit[2] = { 2, 1 };

static bool has_credit(const struct wf_verbs_ep *ep, int kind)
{
	uint64_t back = wf_signal_count(ep->word[kind], ep->own[kind]);

	return ep->sent[kind] < first_credits[kind] +
				back * mails_per_credit[kind];
}

/* Which credit it takes; -1: none is left. */
static int choose_credit(const struct wf_verbs_ep *ep,
			 const struct wf_mail *mail)
{
	if (has_credit(ep, 0))
		return 0;
	if ((mail->flags & WF_MAIL_RESERVED) && has_credit(ep, 1))
		return 1;
	return -1;
}

static int send(struct wf_verbs_ep *ep, const struct wf_verbs_letter *letter,
		const void *payload)
{
	struct wf_verbs_wr *entry = wf_verbs_stage(ep, IBV_WR_SEND,
						   WF_VERBS_DO_MAIL);
	char *to = entry ? wf_verbs_copied(ep, entry, sizeof(*letter) +
					   letter->mail.length) : NULL;

	if (!to) {
		wf_verbs_discard(ep);
		return WEFT_AGAIN;
	}
	memcpy(to, letter, sizeof(*letter));
	if (letter->mail.length)
		memcpy(to + sizeof(*letter), payload, letter->mail.length);
	entry->reports = true;
	return wf_verbs_do(ep);
}

int wf_verbs_mail(struct wf_ep *base, const struct wf_mail *mail,
		  const void *payload)
{
	struct wf_verbs_ep *ep = wf_verbs_ep(base);
	struct wf_verbs_letter letter = { .mail = *mail };
	int credit, status = wf_verbs_room(ep, 1);

	if (mail->length > WF_MAIL_PAYLOAD)
		return WEFT_ERR_RANGE;
	if (status)
		return status;
	credit = choose_credit(ep, mail);
	if (credit < 0)
		return WEFT_AGAIN;
	/* How the receiver knows which credit to give back. */
	letter.kind = (uint32_t)credit;
	letter.stamp = wf_verbs_dev(base->dev)->env.segment->blocks.generation;
	letter.number = ep->numbered;
	status = send(ep, &letter, payload);
	if (status)
		return status;
	wf_verbs_posted(ep);
	ep->sent[credit]++;
	return WEFT_OK;
}

static int give_back(struct wf_verbs_ep *ep, uint32_t sig)
{
	struct wf_verbs_wr *entry;
	int status = wf_verbs_room(ep, 2);

	if (!status)
		status = wf_verbs_find_signal(ep, sig);
	if (status)
		return status;
	entry = wf_verbs_stage(ep, IBV_WR_RDMA_WRITE, WF_VERBS_DO_CREDIT);
	if (!entry)
		return WEFT_ERR_NOMEM;
	entry->post = ep->ep.posted;
	entry->reports = false;
	wf_verbs_aim(entry, ep->zero.addr, ep->zero.key);
	return wf_verbs_raise(ep, entry, sig);
}

/* Pay the credits that are due; false: something is left. */
bool wf_verbs_pay(struct wf_verbs_ep *ep)
{
	for (int i = 0; i < 2; i++)
		while (ep->consumed[i] >= mails_per_credit[i]) {
			if (give_back(ep, ep->credit[i]))
				return ep->ep.broken;
			ep->consumed[i] -= (uint32_t)mails_per_credit[i];
		}
	return true;
}

void wf_verbs_letter_comes(struct wf_verbs *dev, struct wf_verbs_ep *ep,
			   const char *message, size_t n)
{
	const struct wf_tp_up *up = &dev->env.up;
	struct wf_verbs_letter letter;

	if (n < sizeof(letter)) {
		dev->dropped++;
		wf_warn(dev->env.log, "verbs: dropped a mail of rank %d that "
			"is shorter than its front", ep->ep.rank);
		return;
	}
	memcpy(&letter, message, sizeof(letter));
	if (letter.mail.length != n - sizeof(letter) ||
	    letter.kind > WF_VERBS_REPLAYED) {
		dev->dropped++;
		wf_warn(dev->env.log, "verbs: dropped a mail of rank %d whose "
			"length is not what it says", ep->ep.rank);
		return;
	}
	if (letter.kind > WF_VERBS_RESERVED_MAIL) {
		wf_verbs_hear(ep, &letter, message + sizeof(letter));
		return;
	}
	if (!wf_verbs_is_next(ep, letter.number))
		return;
	ep->stamp = letter.stamp;
	up->deliver(up->arg, &ep->ep, &letter.mail, message + sizeof(letter));
	ep->consumed[letter.kind]++;
	wf_verbs_owes(dev, ep);
}
