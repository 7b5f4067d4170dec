/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Progress: completions of what we posted, mails and signals that arrived,
 * then what is owed: hellos, credits, news of trouble.  An idle pass is one
 * fi_cq_read(), which makes system calls with providers on sockets.
 */
#include <rdma/fi_errno.h>
#include <stdio.h>
#include "base/clock.h"
#include "base/log.h"
#include "transport/ofi/ofi.h"

enum {
	ENTRIES = 16,			/* read at a time */
	ROUNDS = 4,			/* at most, so that nobody starves */
	QUIET_MS = 50			/* nothing came: nothing will */
};

int wf_ofi_post_rx(struct wf_ofi_rx *rx)
{
	struct iovec iov = { rx->buffer, WF_OFI_RX_BYTES };
	struct fi_msg msg = {
		.msg_iov = &iov, .iov_count = 1, .addr = FI_ADDR_UNSPEC,
		.context = &rx->context
	};

	return (int)fi_recvmsg(rx->ep, &msg, FI_MULTI_RECV);
}

/* Also to be tried again: what lacks memory, or room in a queue, may get it. */
static void repost(struct wf_ofi *dev, struct wf_ofi_rx *rx)
{
	int result = wf_ofi_post_rx(rx);

	if (result && result != -FI_EAGAIN && !rx->idle)
		wf_warn(dev->env.log, "ofi: a receive buffer is not taken, and "
			"offered again: %s", dev->lib.strerror(-result));
	dev->nidle += !!result - rx->idle;
	rx->idle = result;
}

static void repost_idle(struct wf_ofi *dev)
{
	for (int i = 0; i < dev->nsources * WF_OFI_RX; i++) {
		struct wf_ofi_rx *rx = &dev->source[i / WF_OFI_RX]
						.rx[i % WF_OFI_RX];

		if (rx->idle)
			repost(dev, rx);
	}
}

static void handle(struct wf_ofi *dev, const struct fi_cq_data_entry *e)
{
	struct wf_ofi_context *context = e->op_context;

	if (e->flags & FI_REMOTE_CQ_DATA) {
		wf_signal_raise(dev->env.signals, (uint32_t)e->data);
		return;
	}
	if (!context->is_rx) {
		wf_ofi_completed(dev, (struct wf_ofi_tx *)context);
		return;
	}
	/* A buffer that is used up may come back without a message. */
	if (e->flags & FI_RECV && e->len)
		wf_ofi_receive(dev, e->buf, e->len);
	if (e->flags & FI_MULTI_RECV)
		repost(dev, (struct wf_ofi_rx *)context);
}

/* The peer's side is gone: the ordinary end of a connection. */
static bool is_parting(int error)
{
	return error == FI_ECONNRESET || error == FI_ENOTCONN ||
	       error == FI_ECONNABORTED || error == FI_ECONNREFUSED ||
	       error == FI_ESHUTDOWN || error == FI_ECANCELED ||
	       error == FI_EIO || error == EPIPE;
}

static void handle_error(struct wf_ofi *dev)
{
	struct fi_cq_err_entry error = { .err_data_size = 0 };
	struct wf_ofi_context *context;
	struct wf_ofi_tx *tx = NULL;
	char text[WF_OFI_WHY];

	if (fi_cq_readerr(dev->cq, &error, 0) != 1)
		return;
	context = error.op_context;
	if (context && !context->is_rx)
		tx = (struct wf_ofi_tx *)context;
	wf_ofi_tell(dev, tx, &error, text);
	if (is_parting(error.err))
		wf_debug(dev->env.log, "ofi: %s", text);
	else
		wf_warn(dev->env.log, "ofi: %s", text);
	if (!context)
		return;
	if (!tx) {
		/* ofi_rxm gives it up also for a message that is too long. */
		if (error.err != FI_ECANCELED)
			repost(dev, (struct wf_ofi_rx *)context);
		return;
	}
	if (tx->ep)
		wf_ofi_break(tx->ep, error.err);
	wf_ofi_completed(dev, tx);
}

static int drain(struct wf_ofi *dev)
{
	struct fi_cq_data_entry entry[ENTRIES];
	int events = 0;

	for (int round = 0; round < ROUNDS; round++) {
		ssize_t n = fi_cq_read(dev->cq, entry, ENTRIES);

		if (n == -FI_EAVAIL) {
			handle_error(dev);
			events++;
			continue;
		}
		if (n <= 0)
			break;
		for (ssize_t i = 0; i < n; i++)
			handle(dev, &entry[i]);
		events += (int)n;
		if (n < ENTRIES)
			break;
	}
	return events;
}

/*
 * Before it is closed: ofi_rxm over verbs (1.17 to 2.4) dies of a message that
 * it finds in the queue of a connection that it has closed.  The last ones to
 * come are credits, which nobody awaits.
 */
void wf_ofi_empty(struct wf_ofi *dev)
{
	uint64_t start = wf_clock_ns(), now = start, last = start;
	struct fi_cq_data_entry entry;
	struct fi_cq_err_entry error = { .err_data_size = 0 };

	while (now - last < QUIET_MS * WF_NS_PER_MS &&
	       now - start < WF_NS_PER_S) {
		ssize_t n = fi_cq_read(dev->cq, &entry, 1);

		if (n == -FI_EAVAIL)
			fi_cq_readerr(dev->cq, &error, 0);
		now = wf_clock_ns();
		if (n != -FI_EAGAIN)
			last = now;
	}
}

static void report(struct wf_ofi *dev, struct wf_ofi_ep *ep)
{
	const struct wf_tp_up *up = &dev->env.up;
	char text[WF_OFI_WHY];

	snprintf(text, sizeof(text), "the connection to it by provider %s is "
		 "broken: %s", dev->info->fabric_attr->prov_name,
		 dev->lib.strerror(ep->error));
	ep->reported = true;
	up->suspect(up->arg, ep->ep.rank, text);
}

/* True: nothing is owed any more. */
static bool pay(struct wf_ofi *dev, struct wf_ofi_ep *ep, int *events)
{
	if (ep->error) {
		if (!ep->reported)
			report(dev, ep);
		return true;
	}
	if (ep->ep.state == WF_EP_CLOSED)
		return true;
	if (!ep->hello_sent) {
		*events += wf_ofi_send_hello(dev, ep);
		return ep->hello_sent;
	}
	return wf_ofi_answer(ep) && wf_ofi_pay(ep) && !wf_ofi_flush(ep) &&
	       !ep->error;
}

static void paid(struct wf_ofi_ep *ep)
{
	wf_list_del(&ep->work);
	wf_ofi_knock_rest(ep);
}

static int work(struct wf_ofi *dev)
{
	struct wf_list *at = dev->work.next;
	int events = 0;

	while (at != &dev->work) {
		struct wf_ofi_ep *ep = wf_container(at, struct wf_ofi_ep, work);

		at = at->next;
		if (pay(dev, ep, &events))
			paid(ep);
		else
			wf_ofi_knock_start(dev, ep);
	}
	return events;
}

int wf_ofi_progress(struct wf_device *base)
{
	struct wf_ofi *dev = wf_ofi_dev(base);
	int events = drain(dev);

	if (dev->nidle)
		repost_idle(dev);
	if (dev->self)
		events += wf_ofi_self_progress(dev);
	if (!wf_list_empty(&dev->work))
		events += work(dev);
	if (!wf_list_empty(&dev->unguarded))
		wf_ofi_guards(dev);
	if (!wf_list_empty(&dev->doubtful))
		events += wf_ofi_knock(dev);
	if (dev->nheld)
		wf_ofi_look_at_sources(dev);
	return events;
}
