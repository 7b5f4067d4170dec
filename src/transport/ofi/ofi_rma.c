/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the data path posts: lines, puts, signals, gets, flushes.
 *
 * Small ones are injected or bounced, so that their source is free at return;
 * what has a completion holds a transmit slot until it comes.  `done` is the
 * number before the first post that still holds a source.
 *
 * Visible at the peer: an ordered provider delivers what was posted before in
 * order, so one empty write, completed by its delivery, answers for all; with
 * others each post, mails too, is completed by its delivery.
 */
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <string.h>
#include "base/assert.h"
#include "transport/line.h"
#include "transport/ofi/ofi.h"

/* A remote write: up to two pieces of local memory, perhaps a signal. */
struct write {
	struct iovec piece[2];
	size_t pieces, bytes;
	struct wf_rloc dst;
	bool signal;
	uint32_t data;
};

struct wf_ofi_tx *wf_ofi_take(struct wf_ofi_ep *ep, enum wf_ofi_what what)
{
	struct wf_ofi *dev = wf_ofi_dev(ep->ep.dev);
	struct wf_list *link;
	struct wf_ofi_tx *tx;

	if (ep->nunder_way >= WF_OFI_EP_TX)
		return NULL;
	link = wf_list_pop(&dev->free);
	if (!link)
		return NULL;
	tx = wf_container(link, struct wf_ofi_tx, link);
	tx->ep = ep;
	tx->what = what;
	tx->bytes = 0;
	tx->holds = false;
	return tx;
}

void wf_ofi_give(struct wf_ofi *dev, struct wf_ofi_tx *tx)
{
	wf_list_del(&tx->link);
	/* The next to be used is the one whose memory is warm. */
	wf_list_add_head(&dev->free, &tx->link);
}

/* Does the room above count it? */
static bool is_post(const struct wf_ofi_tx *tx)
{
	return tx->what != WF_OFI_DO_FLUSH && tx->what != WF_OFI_DO_HELLO &&
	       tx->what != WF_OFI_DO_CREDIT && tx->what != WF_OFI_DO_ANSWER;
}

/* The counters follow from what is still under way. */
void wf_ofi_recount(struct wf_ofi_ep *ep)
{
	const struct wf_ofi *dev = wf_ofi_dev(ep->ep.dev);
	uint64_t done = wf_ofi_first_asked(ep, ep->ep.posted + 1) - 1;
	uint64_t seen = done;

	if (ep->nholding || (ep->nunder_way && !dev->ordered))
		for (struct wf_list *at = ep->under_way.prev;
		     at != &ep->under_way; at = at->prev) {
			struct wf_ofi_tx *tx = wf_container(at,
							    struct wf_ofi_tx,
							    link);

			if (!is_post(tx))
				continue;
			if (tx->post <= seen)
				seen = tx->post - 1;
			if (tx->holds && tx->post <= done)
				done = tx->post - 1;
		}
	if (dev->ordered && !ep->error)
		seen = ep->flush_acked < done ? ep->flush_acked : done;
	ep->ep.done = done;
	if (seen > ep->ep.flushed)
		ep->ep.flushed = seen;
}

/* What the room above does not count. */
void wf_ofi_sent(struct wf_ofi_ep *ep, struct wf_ofi_tx *tx)
{
	tx->post = ep->ep.posted;
	ep->nunder_way++;
	wf_list_add_tail(&ep->under_way, &tx->link);
}

/* It is with the provider: from now on it counts. */
void wf_ofi_posted(struct wf_ofi_ep *ep, struct wf_ofi_tx *tx, bool holds)
{
	ep->ep.posted++;
	if (tx) {
		tx->post = ep->ep.posted;
		tx->holds = holds;
		ep->nholding += holds;
		ep->nunder_way++;
		wf_list_add_tail(&ep->under_way, &tx->link);
	}
	if (!ep->nholding)
		ep->ep.done = ep->ep.posted;
	if (wf_list_empty(&ep->unguarded))
		wf_ofi_guard_start(ep);
}

void wf_ofi_completed(struct wf_ofi *dev, struct wf_ofi_tx *tx)
{
	struct wf_ofi_ep *ep = tx->ep;

	wf_ofi_give(dev, tx);
	if (!ep)
		return;
	ep->nunder_way--;
	ep->nholding -= tx->holds;
	if (tx->what == WF_OFI_DO_FLUSH && tx->post > ep->flush_acked)
		ep->flush_acked = tx->post;
	wf_ofi_recount(ep);
}

/*
 * What was posted may be lost, so nothing may follow it: ops say AGAIN.  The
 * peer has closed, is dead, or is out of reach, and the detector says which;
 * an error here would come before its word.  Sources are free as their
 * completions come.
 */
void wf_ofi_break(struct wf_ofi_ep *ep, int error)
{
	if (ep->error)
		return;
	ep->error = error;
	ep->ep.broken = true;
	ep->flush_acked = UINT64_MAX;
	wf_ofi_forget_asked(ep);
	wf_ofi_owes(wf_ofi_dev(ep->ep.dev), ep);
	wf_ofi_recount(ep);
}

int wf_ofi_status(struct wf_ofi_ep *ep, ssize_t result)
{
	struct wf_ofi *dev = wf_ofi_dev(ep->ep.dev);

	if (result == 0) {
		wf_ofi_knock_rest(ep);
		return WEFT_OK;
	}
	if (result != -FI_EAGAIN)
		wf_ofi_break(ep, (int)-result);
	else if (wf_ofi_can_knock(dev))
		wf_ofi_knock_start(dev, ep);
	return WEFT_AGAIN;
}

static int inject(struct wf_ofi_ep *ep, const struct write *w)
{
	const void *from = w->piece[0].iov_base;
	ssize_t result;

	if (w->signal)
		result = fi_inject_writedata(ep->via, from, w->bytes, w->data,
					     ep->addr, w->dst.addr,
					     w->dst.key);
	else
		result = fi_inject_write(ep->via, from, w->bytes, ep->addr,
					 w->dst.addr, w->dst.key);
	return wf_ofi_status(ep, result);
}

static int post(struct wf_ofi_ep *ep, const struct write *w,
		struct wf_ofi_tx *tx, uint64_t flags)
{
	struct wf_ofi *dev = wf_ofi_dev(ep->ep.dev);
	struct fi_rma_iov to = { w->dst.addr, w->bytes, w->dst.key };
	struct iovec byte = { tx->bounce, 1 };
	struct fi_msg_rma msg = {
		.msg_iov = w->piece, .iov_count = w->pieces,
		.addr = ep->addr, .rma_iov = &to, .rma_iov_count = 1,
		.context = &tx->context, .data = w->data
	};

	tx->bytes = w->bytes;
	/* ofi_rxm over verbs (1.17) dies of an empty one: it has a byte. */
	if (!w->bytes) {
		tx->bounce[0] = 0;
		msg.msg_iov = &byte;
		msg.iov_count = 1;
		to = (struct fi_rma_iov){ ep->nowhere.addr, 1,
					  ep->nowhere.key };
	}
	flags |= FI_COMPLETION;
	if (w->signal)
		flags |= FI_REMOTE_CQ_DATA;
	if (!dev->ordered)
		flags |= FI_DELIVERY_COMPLETE;
	return wf_ofi_status(ep, fi_writemsg(ep->via, &msg, flags));
}

static int admit(const struct wf_ofi_ep *ep, uint64_t key)
{
	WF_ASSERT(ep->ep.state == WF_EP_READY);
	if (!wf_ofi_is_key(wf_ofi_dev(ep->ep.dev), key))
		return WEFT_ERR_RANGE;
	return ep->error ? WEFT_AGAIN : WEFT_OK;
}

/* Bytes that the caller may change at return: injected, else bounced. */
static int write_copied(struct wf_ofi_ep *ep, struct write *w,
			enum wf_ofi_what what)
{
	struct wf_ofi *dev = wf_ofi_dev(ep->ep.dev);
	struct wf_ofi_tx *tx;
	int status;

	if (dev->inject && w->bytes <= dev->inject) {
		status = inject(ep, w);
		if (!status)
			wf_ofi_posted(ep, NULL, false);
		return status;
	}
	tx = wf_ofi_take(ep, what);
	if (!tx)
		return WEFT_AGAIN;
	if (w->bytes)
		memcpy(tx->bounce, w->piece[0].iov_base, w->bytes);
	w->piece[0].iov_base = tx->bounce;
	status = post(ep, w, tx, 0);
	if (status)
		wf_ofi_give(dev, tx);
	else
		wf_ofi_posted(ep, tx, false);
	return status;
}

static int ofi_lines(struct wf_ep *base, struct wf_rloc dst,
		     const struct wf_piece *piece, uint32_t n, uint32_t seq)
{
	struct wf_ofi_ep *ep = wf_ofi_ep(base);
	bool ll = !(base->dev->caps & WF_CAP_LINE_PLAIN);
	_Alignas(8) char bytes[2 * WF_LINE_BYTES];
	struct write w = { .pieces = 1, .dst = dst };
	struct wf_image image;
	int status = admit(ep, dst.key);

	if (status)
		return status;
	if (!wf_pieces_fit(piece, n, base->dev->line_data, dst.addr))
		return WEFT_ERR_RANGE;
	image = wf_image_of(dst.addr, ll, piece, n);
	wf_image_pack(&image, bytes, piece, n, seq);
	w.bytes = image.bytes;
	w.piece[0] = (struct iovec){ bytes, w.bytes };
	w.dst.addr += image.at;
	return write_copied(ep, &w, WF_OFI_DO_LINE);
}

/* A large source stays the caller's until done. */
static int write_held(struct wf_ofi_ep *ep, struct write *w,
		      const uint64_t *head)
{
	struct wf_ofi *dev = wf_ofi_dev(ep->ep.dev);
	struct wf_ofi_tx *tx = wf_ofi_take(ep, WF_OFI_DO_PUT);
	int status;

	if (!tx)
		return WEFT_AGAIN;
	if (head) {
		memset(tx->bounce, 0, WF_HEAD_BYTES);
		memcpy(tx->bounce, head, sizeof(*head));
		w->piece[1] = w->piece[0];
		w->piece[0] = (struct iovec){ tx->bounce, WF_HEAD_BYTES };
		w->pieces = 2;
		w->bytes += WF_HEAD_BYTES;
	}
	status = post(ep, w, tx, 0);
	if (status)
		wf_ofi_give(dev, tx);
	else
		wf_ofi_posted(ep, tx, true);
	return status;
}

/* Into one piece of memory, short enough for a slot of ours. */
static int write_small(struct wf_ofi_ep *ep, struct write *w,
		       const uint64_t *head)
{
	char image[WF_OFI_BOUNCE];
	size_t n = w->bytes;

	if (!head)
		return write_copied(ep, w, WF_OFI_DO_PUT);
	memcpy(image, head, sizeof(*head));
	w->bytes = sizeof(*head);
	if (n) {
		memset(image + sizeof(*head), 0,
		       WF_HEAD_BYTES - sizeof(*head));
		memcpy(image + WF_HEAD_BYTES, w->piece[0].iov_base, n);
		w->bytes = WF_HEAD_BYTES + n;
	}
	w->piece[0] = (struct iovec){ image, w->bytes };
	return write_copied(ep, w, WF_OFI_DO_PUT);
}

static int write_any(struct wf_ofi_ep *ep, struct write *w,
		     const uint64_t *head)
{
	int status = admit(ep, w->dst.key);

	if (status)
		return status;
	if (w->bytes + WF_HEAD_BYTES <= WF_OFI_BOUNCE)
		return write_small(ep, w, head);
	return write_held(ep, w, head);
}

static int ofi_put(struct wf_ep *base, struct wf_loc src, struct wf_rloc dst,
		   size_t n)
{
	struct wf_ofi_ep *ep = wf_ofi_ep(base);
	struct write w = {
		.piece = { { n ? wf_loc_address(src) : NULL, n } },
		.pieces = 1, .bytes = n, .dst = n ? dst : ep->nowhere
	};

	return write_any(ep, &w, NULL);
}

static int ofi_put_signal(struct wf_ep *base, struct wf_loc src,
			  struct wf_rloc dst, size_t n, uint32_t sig,
			  const uint64_t *head)
{
	struct wf_ofi_ep *ep = wf_ofi_ep(base);
	struct write w = {
		.piece = { { n ? wf_loc_address(src) : NULL, n } },
		.pieces = 1, .bytes = n, .dst = n || head ? dst : ep->nowhere,
		.signal = true, .data = sig
	};

	return write_any(ep, &w, head);
}

static int read_into(struct wf_ofi_ep *ep, struct wf_ofi_tx *tx, void *to,
		     struct wf_rloc src)
{
	struct iovec here = { to, tx->bytes };
	struct fi_rma_iov there = { src.addr, tx->bytes, src.key };
	const struct fi_msg_rma msg = {
		.msg_iov = &here, .iov_count = 1, .addr = ep->addr,
		.rma_iov = &there, .rma_iov_count = 1,
		.context = &tx->context
	};

	return wf_ofi_status(ep, fi_readmsg(ep->via, &msg, FI_COMPLETION));
}

static int ofi_get(struct wf_ep *base, struct wf_loc dst, struct wf_rloc src,
		   size_t n)
{
	struct wf_ofi_ep *ep = wf_ofi_ep(base);
	struct wf_ofi_tx *tx;
	int status = admit(ep, src.key);

	if (status)
		return status;
	tx = wf_ofi_take(ep, WF_OFI_DO_GET);
	if (!tx)
		return WEFT_AGAIN;
	/* An empty one has a byte, like an empty write. */
	tx->bytes = n ? n : 1;
	if (n)
		status = read_into(ep, tx, wf_loc_address(dst), src);
	else
		status = read_into(ep, tx, tx->bounce, ep->nowhere);
	if (status)
		wf_ofi_give(wf_ofi_dev(base->dev), tx);
	else
		wf_ofi_posted(ep, tx, true);
	return status;
}

/* An empty write of our own, which the room above does not count. */
static int post_empty(struct wf_ofi_ep *ep, enum wf_ofi_what what,
		      const struct write *w, uint64_t flags)
{
	struct wf_ofi_tx *tx = wf_ofi_take(ep, what);
	int status;

	if (!tx)
		return WEFT_AGAIN;
	status = post(ep, w, tx, flags);
	if (status) {
		wf_ofi_give(wf_ofi_dev(ep->ep.dev), tx);
		return status;
	}
	wf_ofi_sent(ep, tx);
	return WEFT_OK;
}

int wf_ofi_credit(struct wf_ofi_ep *ep, uint32_t sig)
{
	struct write w = { .dst = ep->nowhere, .signal = true, .data = sig };

	return post_empty(ep, WF_OFI_DO_CREDIT, &w, 0);
}

/* It answers for the posts before it. */
int wf_ofi_flush(struct wf_ofi_ep *ep)
{
	struct write w = { .dst = ep->nowhere };
	int status;

	if (ep->error || ep->flush_sent >= ep->flush_want)
		return WEFT_OK;
	status = post_empty(ep, WF_OFI_DO_FLUSH, &w, FI_DELIVERY_COMPLETE);
	if (!status)
		ep->flush_sent = ep->ep.posted;
	return status;
}

/* Sources become free by the completions that each post has. */
static int ofi_flush(struct wf_ep *base, enum wf_flush what)
{
	struct wf_ofi_ep *ep = wf_ofi_ep(base);
	struct wf_ofi *dev = wf_ofi_dev(base->dev);

	if (what == WF_FLUSH_LOCAL || !dev->ordered)
		return WEFT_OK;
	ep->flush_want = base->posted;
	/* What does not go now is owed: nobody needs to call again. */
	if (wf_ofi_flush(ep))
		wf_ofi_owes(dev, ep);
	return WEFT_OK;
}

const struct wf_ep_ops wf_ofi_ep_ops = {
	wf_ofi_mail,
	ofi_lines,
	ofi_put,
	ofi_put_signal,
	ofi_get,
	wf_ofi_fetch_add,
	wf_ofi_cas,
	ofi_flush
};
