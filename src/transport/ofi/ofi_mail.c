/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mail: a message with a front that shows the key of the addressee, into the
 * multi-receive buffers there.
 *
 * Four credits and a reserved one bound what a peer may have in those buffers.
 * They come back as signals, raised when a mail has been delivered: +1 for two
 * mails, by the other signal +1 for the reserved one.  A peer that sends many
 * is given more, as else it waits for a round trip after every four.
 */
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <string.h>
#include "base/assert.h"
#include "base/log.h"
#include "boot/boot.h"
#include "transport/ofi/ofi.h"

static const uint64_t first_credits[2] = { WF_OFI_CREDITS, 1 };
static const uint64_t mails_per_credit[2] = { 2, 1 };

static bool has_credit(const struct wf_ofi_ep *ep, int kind)
{
	uint64_t back = wf_signal_count(ep->word[kind], ep->own[kind]);

	return ep->sent[kind] < first_credits[kind] +
				back * mails_per_credit[kind];
}

/* Which credit it takes; -1: none is left. */
static int choose_credit(const struct wf_ofi_ep *ep,
			 const struct wf_mail *mail)
{
	if (has_credit(ep, 0))
		return 0;
	if ((mail->flags & WF_MAIL_RESERVED) && has_credit(ep, 1))
		return 1;
	return -1;
}

/* Where no flush behind it answers for it, its own completion does. */
static ssize_t post(struct wf_ofi_ep *ep, struct wf_ofi_tx *tx)
{
	const struct wf_ofi *dev = wf_ofi_dev(ep->ep.dev);
	struct iovec iov = { tx->bounce, tx->bytes };
	struct fi_msg msg = {
		.msg_iov = &iov, .iov_count = 1, .addr = ep->addr,
		.context = &tx->context
	};

	return fi_sendmsg(ep->via, &msg, FI_COMPLETION |
			  (dev->ordered ? 0 : FI_DELIVERY_COMPLETE));
}

/* It is with the provider.  What the room above counts is a post. */
static void count(struct wf_ofi_ep *ep, enum wf_ofi_what what,
		  struct wf_ofi_tx *tx)
{
	if (what != WF_OFI_DO_ANSWER)
		wf_ofi_posted(ep, tx, false);
	else if (tx)
		wf_ofi_sent(ep, tx);
}

int wf_ofi_send(struct wf_ofi_ep *ep, enum wf_ofi_what what,
		const void *message, size_t n)
{
	struct wf_ofi *dev = wf_ofi_dev(ep->ep.dev);
	struct wf_ofi_tx *tx;
	int status;

	if (dev->inject && n <= dev->inject) {
		status = wf_ofi_status(ep, fi_inject(ep->via, message, n,
						     ep->addr));
		if (!status)
			count(ep, what, NULL);
		return status;
	}
	tx = wf_ofi_take(ep, what);
	if (!tx)
		return WEFT_AGAIN;
	memcpy(tx->bounce, message, n);
	tx->bytes = n;
	status = wf_ofi_status(ep, post(ep, tx));
	if (status)
		wf_ofi_give(dev, tx);
	else
		count(ep, what, tx);
	return status;
}

int wf_ofi_mail(struct wf_ep *base, const struct wf_mail *mail,
		const void *payload)
{
	struct wf_ofi_ep *ep = wf_ofi_ep(base);
	const struct wf_ofi *dev = wf_ofi_dev(base->dev);
	char message[sizeof(struct wf_ofi_letter) + WF_MAIL_PAYLOAD];
	struct wf_ofi_letter letter = {
		.front = { .version = WF_OFI_VERSION, .kind = WF_OFI_MAIL,
			   .from = (uint32_t)wf_boot_rank(dev->env.boot),
			   .key = { ep->key.word[0], ep->key.word[1] } },
		.mail = *mail
	};
	int credit, status;

	WF_ASSERT(base->state == WF_EP_READY);
	if (mail->length > WF_MAIL_PAYLOAD)
		return WEFT_ERR_RANGE;
	if (ep->error)
		return WEFT_AGAIN;
	credit = choose_credit(ep, mail);
	if (credit < 0)
		return WEFT_AGAIN;
	/* How the receiver knows which credit to give back. */
	letter.front.credit = (uint8_t)credit;
	memcpy(message, &letter, sizeof(letter));
	if (mail->length)
		memcpy(message + sizeof(letter), payload, mail->length);
	status = wf_ofi_send(ep, WF_OFI_DO_MAIL, message,
			     sizeof(letter) + mail->length);
	if (!status)
		ep->sent[credit]++;
	return status;
}

/* Pay the credits that are due; false: something is left. */
bool wf_ofi_pay(struct wf_ofi_ep *ep)
{
	for (int i = 0; i < 2; i++)
		while (ep->consumed[i] >= mails_per_credit[i]) {
			if (wf_ofi_credit(ep, ep->credit[i]))
				return ep->error;
			ep->consumed[i] -= (uint32_t)mails_per_credit[i];
		}
	return true;
}

void wf_ofi_drop(struct wf_ofi *dev, const char *why)
{
	dev->dropped++;
	wf_debug(dev->env.log, "ofi: dropped a message: %s", why);
}

/* With each of its mails one more, until it has its share. */
static void give_more(struct wf_ofi *dev, struct wf_ofi_ep *ep)
{
	if (ep->given == WF_OFI_EP_GIVEN || dev->given == WF_OFI_GIVEN)
		return;
	ep->given++;
	dev->given++;
	ep->consumed[0]++;
}

static void letter_comes(struct wf_ofi *dev, const char *message, size_t n)
{
	const struct wf_tp_up *up = &dev->env.up;
	struct wf_ofi_letter letter;
	struct wf_ofi_ep *ep;

	if (n < sizeof(letter)) {
		wf_ofi_drop(dev, "shorter than the head of a mail");
		return;
	}
	memcpy(&letter, message, sizeof(letter));
	ep = wf_map_get(&dev->eps, letter.front.from);
	if (!ep || ep->ep.state != WF_EP_READY || letter.front.credit > 1) {
		wf_ofi_drop(dev, "a mail of a rank that is not connected");
		return;
	}
	if (letter.mail.length != n - sizeof(letter))
		wf_ofi_drop(dev, "the length of a mail is not what it says");
	else
		up->deliver(up->arg, &ep->ep, &letter.mail,
			    message + sizeof(letter));
	ep->consumed[letter.front.credit]++;
	give_more(dev, ep);
	wf_ofi_owes(dev, ep);
}

void wf_ofi_receive(struct wf_ofi *dev, const void *message, size_t n)
{
	const struct wf_blob_key *key = &dev->env.self->key;
	struct wf_ofi_front front;
	struct wf_ofi_hello hello;
	struct wf_ofi_ask ask;
	struct wf_ofi_answer answer;

	if (n < sizeof(front)) {
		wf_ofi_drop(dev, "shorter than its front");
		return;
	}
	memcpy(&front, message, sizeof(front));
	if (front.version != WF_OFI_VERSION || front.key[0] != key->word[0] ||
	    front.key[1] != key->word[1]) {
		wf_ofi_drop(dev, "it does not show our key");
	} else if (front.kind == WF_OFI_MAIL) {
		letter_comes(dev, message, n);
	} else if (front.kind == WF_OFI_HELLO && n == sizeof(hello)) {
		memcpy(&hello, message, sizeof(hello));
		wf_ofi_hello_comes(dev, &hello);
	} else if (front.kind == WF_OFI_ASK && n == sizeof(ask)) {
		memcpy(&ask, message, sizeof(ask));
		wf_ofi_ask_comes(dev, &ask);
	} else if (front.kind == WF_OFI_ANSWER && n == sizeof(answer)) {
		memcpy(&answer, message, sizeof(answer));
		wf_ofi_answer_comes(dev, &answer);
	} else {
		wf_ofi_drop(dev, "of an unknown kind");
	}
}
