/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mail: a ring per sender in the receiver's segment, so that a rank killed in
 * the middle of a mail blocks nobody.  Its units are the credits; those of one
 * mail are for mails with WF_MAIL_RESERVED.  Draining frees them whatever
 * becomes of the mail: credits never wait for anything above.
 */
#include "transport/shm/shm.h"

#include <string.h>
#include "base/assert.h"

/*
 * A mail is written in small pieces just before it is copied. A core hands a
 * store on to a load that lies within it; any other load waits until all stores
 * before it have left, those into the ring among them (27 ns for each of a
 * burst of mails). So the front of a mail is copied in pieces as small, by
 * stores that a compiler does not make one of.
 */
enum {
	FRESH = 32			/* bytes of a payload, at most */
};

static void copy_head(char *to, const struct wf_mail *mail)
{
	struct wf_mail *head = (void *)to;

	__atomic_store_n(&head->kind, mail->kind, __ATOMIC_RELAXED);
	__atomic_store_n(&head->flags, mail->flags, __ATOMIC_RELAXED);
	__atomic_store_n(&head->length, mail->length, __ATOMIC_RELAXED);
	__atomic_store_n(&head->word, mail->word, __ATOMIC_RELAXED);
	__atomic_store_n(&head->context, mail->context, __ATOMIC_RELAXED);
}

static void copy_payload(char *to, const char *from, size_t n)
{
	size_t i = 0;

	for (; i < FRESH && i + sizeof(uint32_t) <= n; i += sizeof(uint32_t)) {
		uint32_t piece;

		memcpy(&piece, from + i, sizeof(piece));
		__atomic_store_n((uint32_t *)(void *)(to + i), piece,
				 __ATOMIC_RELAXED);
	}
	if (i < n)
		memcpy(to + i, from + i, n - i);
}

int wf_shm_mail(struct wf_ep *base, const struct wf_mail *mail,
		const void *payload)
{
	struct wf_ring *out = &wf_shm_ep(base)->out;
	bool reserved = mail->flags & WF_MAIL_RESERVED;
	char *to;

	WF_ASSERT(base->state == WF_EP_READY);
	if (mail->length > (reserved ? WF_MAIL_PAYLOAD : WF_MAIL_LONGEST))
		return WEFT_ERR_RANGE;
	to = wf_ring_reserve(out, (uint32_t)sizeof(*mail) + mail->length,
			     reserved ? 0 : wf_ring_units(WF_MAIL_MAX));
	if (!to)
		return WEFT_AGAIN;
	copy_head(to, mail);
	copy_payload(to + sizeof(*mail), payload, mail->length);
	wf_ring_commit(out);
	wf_shm_wake(wf_shm_ep(base));
	return wf_shm_posted(base);
}

/* The last one read is given back late: a sender finds room without it. */
_Static_assert(WF_SHM_UNITS * WF_RING_UNIT >=
	       3 * (WF_MAIL_LONGEST + 2 * WF_RING_UNIT), "units of a ring");

/*
 * At most one ring full, so that a busy sender keeps nobody out.  The header
 * is copied before it is believed: the ring is the sender's memory, too.
 */
int wf_shm_mail_drain(struct wf_shm *dev, struct wf_shm_ep *ep)
{
	const struct wf_tp_up *up = &dev->env.up;
	struct wf_mail mail;
	const char *from;
	int n = 0;

	while (n < WF_SHM_UNITS && (from = wf_ring_peek(&ep->in))) {
		memcpy(&mail, from, sizeof(mail));
		if (mail.length <= WF_MAIL_LONGEST)
			up->deliver(up->arg, &ep->ep, &mail,
				    from + sizeof(mail));
		else
			up->suspect(up->arg, ep->ep.rank,
				    "a mail is longer than mails are");
		wf_ring_release(&ep->in);
		n++;
	}
	if (n) {
		/* It may wait for the room; and get an answer. */
		wf_shm_wake(ep);
		wf_ring_expect(&ep->out);
	} else {
		wf_ring_settle(&ep->in);
	}
	return n;
}
