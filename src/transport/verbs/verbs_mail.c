/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mail: a SEND into a receive buffer of the peer, where credits say that there
 * is room for it (verbs_credit.h).
 *
 * A mail reports its completion, so that nothing is posted to know that it has
 * arrived: the peer may destroy its queue pair as soon as it has seen the last.
 */
#include "base/log.h"
#include "transport/verbs/verbs_post.h"

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

/* Its kind says which credit it takes. */
static int post(struct wf_verbs_ep *ep, struct wf_verbs_letter *letter,
		const void *payload)
{
	const struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);
	int status;

	letter->stamp = dev->env.segment->blocks.generation;
	letter->number = ep->numbered;
	wf_verbs_credit_say(ep, letter);
	status = send(ep, letter, payload);
	if (status)
		return status;
	wf_verbs_posted(ep);
	wf_verbs_credit_said(ep, letter);
	return WEFT_OK;
}

int wf_verbs_mail(struct wf_ep *base, const struct wf_mail *mail,
		  const void *payload)
{
	struct wf_verbs_ep *ep = wf_verbs_ep(base);
	struct wf_verbs_letter letter = { .mail = *mail };
	/* Mails alone do not fill the ring: the reserved one has room. */
	uint32_t places = mail->flags & WF_MAIL_RESERVED ? 1 : 2;
	int credit, status = wf_verbs_room(ep, places);

	if (mail->length > WF_MAIL_PAYLOAD)
		return WEFT_ERR_RANGE;
	if (status)
		return status;
	credit = wf_verbs_choose_credit(ep, mail);
	if (credit < 0)
		return WEFT_AGAIN;
	letter.kind = credit ? WF_VERBS_RESERVED_MAIL : WF_VERBS_MAIL;
	return post(ep, &letter, payload);
}

int wf_verbs_mail_credit(struct wf_verbs_ep *ep)
{
	struct wf_verbs_letter letter = { .kind = WF_VERBS_CREDIT_MAIL };
	int status = wf_verbs_room(ep, 2);

	if (status)
		return status;
	if (wf_verbs_choose_credit(ep, &letter.mail) < 0)
		return WEFT_AGAIN;
	return post(ep, &letter, NULL);
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
	if (letter.kind > WF_VERBS_CREDIT_MAIL) {
		wf_verbs_hear(ep, &letter, message + sizeof(letter));
		return;
	}
	if (!wf_verbs_is_next(ep, letter.number, UINT32_MAX))
		return;
	ep->stamp = letter.stamp;
	if (letter.kind != WF_VERBS_CREDIT_MAIL)
		up->deliver(up->arg, &ep->ep, &letter.mail,
			    message + sizeof(letter));
	wf_verbs_credit_comes(ep, &letter);
}
