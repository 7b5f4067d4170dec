/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mail: a ring per sender in the receiver's segment, so that a rank killed in
 * the middle of a mail blocks nobody.  Its lines are the credits; those of one
 * mail are for mails with WF_MAIL_RESERVED.  Draining frees them whatever
 * becomes of the mail: credits never wait for anything above.
 */
#include "transport/shm/shm.h"

#include <string.h>
#include "base/assert.h"

int wf_shm_mail(struct wf_ep *base, const struct wf_mail *mail,
		const void *payload)
{
	struct wf_ring *out = &wf_shm_ep(base)->out;
	bool reserved = mail->flags & WF_MAIL_RESERVED;
	char *to;

	WF_ASSERT(base->state == WF_EP_READY);
	if (mail->length > WF_MAIL_PAYLOAD)
		return WEFT_ERR_RANGE;
	to = wf_ring_reserve(out, (uint32_t)sizeof(*mail) + mail->length,
			     reserved ? 0 : wf_ring_lines(WF_MAIL_MAX));
	if (!to)
		return WEFT_AGAIN;
	memcpy(to, mail, sizeof(*mail));
	if (mail->length)
		memcpy(to + sizeof(*mail), payload, mail->length);
	wf_ring_commit(out);
	wf_shm_wake(wf_shm_ep(base));
	return wf_shm_posted(base);
}

/*
 * At most one ring full, so that a busy sender keeps nobody out.  The header
 * is copied before it is believed: the ring is the sender's memory, too.
 */
int wf_shm_mail_drain(struct wf_shm *dev, struct wf_shm_in *in)
{
	const struct wf_tp_up *up = &dev->env.up;
	struct wf_shm_ep *ep = in->ep;
	struct wf_mail mail;
	const char *from;
	int n = 0;

	while (n < WF_SHM_LINES && (from = wf_ring_peek(&in->ring))) {
		memcpy(&mail, from, sizeof(mail));
		if (mail.length <= WF_MAIL_PAYLOAD)
			up->deliver(up->arg, &ep->ep, &mail,
				    from + sizeof(mail));
		else
			up->suspect(up->arg, ep->ep.rank,
				    "a mail is longer than mails are");
		wf_ring_release(&in->ring);
		n++;
	}
	/* It may wait for the room. */
	if (n)
		wf_shm_wake(ep);
	return n;
}
