/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The endpoint to oneself: stores, and a ring of mails that progress delivers.
 * Ready at once, and nothing of it goes through libfabric.
 */
#include <stdlib.h>
#include <string.h>
#include "boot/boot.h"
#include "transport/line.h"
#include "transport/ofi/ofi.h"
#include "transport/word.h"

enum {
	MAILS = 8			/* the last one is reserved */
};

struct wf_ofi_self {
	struct wf_ep ep;
	unsigned head, tail;		/* mails ever sent, delivered */
	struct {
		struct wf_mail mail;
		char payload[WF_MAIL_PAYLOAD];
	} ring[MAILS];
};

static struct wf_ofi_self *self_of(struct wf_ep *ep)
{
	return (struct wf_ofi_self *)ep;
}

/* All but a mail's delivery is over when its op returns. */
static int posted(struct wf_ep *ep)
{
	ep->posted++;
	ep->done = ep->posted;
	ep->flushed = ep->posted;
	return WEFT_OK;
}

static int self_mail(struct wf_ep *ep, const struct wf_mail *mail,
		     const void *payload)
{
	struct wf_ofi_self *self = self_of(ep);
	unsigned room = MAILS - (self->head - self->tail);

	if (mail->length > WF_MAIL_PAYLOAD)
		return WEFT_ERR_RANGE;
	if (room < (mail->flags & WF_MAIL_RESERVED ? 1u : 2u))
		return WEFT_AGAIN;
	self->ring[self->head % MAILS].mail = *mail;
	if (mail->length)
		memcpy(self->ring[self->head % MAILS].payload, payload,
		       mail->length);
	self->head++;
	return posted(ep);
}

static int self_lines(struct wf_ep *ep, struct wf_rloc dst,
		      const struct wf_piece *piece, uint32_t n, uint32_t seq)
{
	struct wf_ofi *dev = wf_ofi_dev(ep->dev);
	struct wf_line *line = wf_ofi_own(dev, dst, n * sizeof(*line));
	bool ll = !(ep->dev->caps & WF_CAP_LINE_PLAIN);

	if (!line ||
	    !wf_pieces_fit(piece, n, ep->dev->line_data, dst.addr))
		return WEFT_ERR_RANGE;
	for (uint32_t i = 0; i < n; i++)
		wf_line_pack(&line[i], ll, &piece[i], seq);
	return posted(ep);
}

static int self_put(struct wf_ep *ep, struct wf_loc src, struct wf_rloc dst,
		    size_t n)
{
	void *to = wf_ofi_own(wf_ofi_dev(ep->dev), dst, n);

	if (n && !to)
		return WEFT_ERR_RANGE;
	if (n)
		memcpy(to, wf_loc_address(src), n);
	return posted(ep);
}

static int self_put_signal(struct wf_ep *ep, struct wf_loc src,
			   struct wf_rloc dst, size_t n, uint32_t sig,
			   const uint64_t *head)
{
	struct wf_ofi *dev = wf_ofi_dev(ep->dev);
	size_t front = head ? WF_HEAD_BYTES : 0;
	char *to = NULL;

	if (n + front) {
		to = wf_ofi_own(dev, dst, n + front);
		if (!to)
			return WEFT_ERR_RANGE;
	}
	if (head)
		memcpy(to, head, sizeof(*head));
	if (n)
		memcpy(to + front, wf_loc_address(src), n);
	wf_signal_raise(dev->env.signals, sig);
	return posted(ep);
}

static int self_get(struct wf_ep *ep, struct wf_loc dst, struct wf_rloc src,
		    size_t n)
{
	const void *from = wf_ofi_own(wf_ofi_dev(ep->dev), src, n);

	if (n && !from)
		return WEFT_ERR_RANGE;
	if (n)
		memcpy(wf_loc_address(dst), from, n);
	return posted(ep);
}

static int change_word(struct wf_ep *ep, struct wf_rloc dst,
		       const struct wf_word_op *op, uint64_t *old)
{
	void *word = wf_ofi_own(wf_ofi_dev(ep->dev), dst, WF_WORD_BYTES);

	if (!word || dst.addr % WF_WORD_BYTES)
		return WEFT_ERR_RANGE;
	*old = wf_word_do(word, op);
	return posted(ep);
}

static int self_fetch_add(struct wf_ep *ep, struct wf_rloc dst, uint64_t add,
			  uint64_t *old)
{
	const struct wf_word_op op = { .operand = add };

	return change_word(ep, dst, &op, old);
}

static int self_cas(struct wf_ep *ep, struct wf_rloc dst, uint64_t expected,
		    uint64_t desired, uint64_t *old)
{
	const struct wf_word_op op = { .operand = desired,
				       .expected = expected, .is_cas = true };

	return change_word(ep, dst, &op, old);
}

static int self_flush(struct wf_ep *ep, enum wf_flush what)
{
	(void)ep;
	(void)what;
	return WEFT_OK;
}

static const struct wf_ep_ops self_ops = {
	self_mail,
	self_lines,
	self_put,
	self_put_signal,
	self_get,
	self_fetch_add,
	self_cas,
	self_flush
};

int wf_ofi_self_connect(struct wf_ofi *dev, struct wf_ep **ep_p)
{
	struct wf_ofi_self *self = calloc(1, sizeof(*self));

	if (!self)
		return WEFT_ERR_NOMEM;
	self->ep.ops = &self_ops;
	self->ep.dev = &dev->dev;
	self->ep.rank = wf_boot_rank(dev->env.boot);
	self->ep.state = WF_EP_READY;
	dev->self = self;
	*ep_p = &self->ep;
	return WEFT_OK;
}

void wf_ofi_self_disconnect(struct wf_ofi *dev)
{
	free(dev->self);
	dev->self = NULL;
}

/* At most one ring full: what is sent meanwhile comes with the next pass. */
int wf_ofi_self_progress(struct wf_ofi *dev)
{
	const struct wf_tp_up *up = &dev->env.up;
	struct wf_ofi_self *self = dev->self;
	unsigned until = self->head;
	int events = 0;

	for (; self->tail != until; events++) {
		up->deliver(up->arg, &self->ep,
			    &self->ring[self->tail % MAILS].mail,
			    self->ring[self->tail % MAILS].payload);
		self->tail++;
	}
	return events;
}
