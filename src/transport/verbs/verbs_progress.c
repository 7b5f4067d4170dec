/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Progress: what arrived, what is complete, hellos, then what is owed:
 * credits, answers, news of trouble.  An idle pass polls the queue of what
 * arrives, and the others, which are memory, too, if something is expected
 * there or now and then.  Events of the device need a system call and are asked
 * for more rarely.
 */
#include <errno.h>
#include <endian.h>
#include <stdio.h>
#include <string.h>
#include "base/log.h"
#include "transport/verbs/verbs.h"

enum {
	ENTRIES = 16,			/* polled at a time */
	ROUNDS = 4,			/* at most, so that nobody starves */
	RARELY = 16,			/* one pass of so many, unexpected */
	EVENT_PASSES = 1 << 16		/* in vain */
};

bool wf_verbs_is_next(struct wf_verbs_ep *ep, uint32_t number, uint32_t bits)
{
	bool is_new = wf_verbs_is_new(&ep->received, number, bits);

	if (!is_new)
		wf_info(wf_verbs_dev(ep->ep.dev)->env.log, "verbs: dropped a "
			"message of rank %d that the device delivered twice",
			ep->ep.rank);
	return is_new;
}

/* Without an endpoint nobody counts any more. */
static void raised(struct wf_verbs *dev, struct wf_verbs_ep *ep, uint32_t imm)
{
	if (!ep || wf_verbs_is_next(ep, imm >> WF_VERBS_NUMBER_SHIFT,
				    WF_VERBS_NUMBER))
		wf_signal_raise(dev->env.signals, wf_verbs_imm_signal(imm));
}

/* NULL: its queue pair is gone.  Whoever sends often is not looked for. */
struct wf_verbs_ep *wf_verbs_sender(struct wf_verbs *dev, uint32_t qpn)
{
	struct wf_verbs_ep *ep = dev->lately;

	/* Without its queue pair another one may have got the number. */
	if (!ep || ep->qpn != qpn || !ep->qp)
		dev->lately = ep = wf_map_get(&dev->by_qpn, qpn);
	return ep;
}

void wf_verbs_arrived(struct wf_verbs *dev, struct wf_verbs_ep *ep,
		      const struct ibv_wc *wc, const char *buffer)
{
	/* It was sent by who has seen our hello. */
	if (ep)
		wf_verbs_ready(ep);
	if (wc->opcode == IBV_WC_RECV_RDMA_WITH_IMM)
		raised(dev, ep, be32toh(wc->imm_data));
	else if (ep && ep->ep.state == WF_EP_READY && !ep->ep.broken)
		wf_verbs_letter_comes(dev, ep, buffer, wc->byte_len);
	else
		dev->dropped++;
}

static int complete(struct wf_verbs *dev, struct wf_verbs_cq *cq)
{
	struct ibv_wc wc[ENTRIES];
	int events = 0, n = ENTRIES;

	for (int round = 0; round < ROUNDS && n == ENTRIES; round++) {
		n = ibv_poll_cq(cq->cq, ENTRIES, wc);
		for (int i = 0; i < n; i++)
			wf_verbs_complete(dev, &wc[i]);
		events += n > 0 ? n : 0;
	}
	if (n < ENTRIES)
		wf_verbs_cq_is_empty(cq);
	return events;
}

int wf_verbs_complete_all(struct wf_verbs *dev)
{
	int events = 0;

	for (int i = 0; i < dev->scqs.n; i++)
		events += complete(dev, &dev->scqs.cq[i]);
	return events;
}

/* By a system call: after a failure, before a sleep, or where nothing comes. */
static void look_around(struct wf_verbs *dev, int events)
{
	if (dev->passes && dev->passes < EVENT_PASSES) {
		dev->passes = events ? 1 : dev->passes + 1;
		return;
	}
	wf_verbs_look_at_events(dev);
	dev->passes = 1;
}

/* True: nothing is owed any more. */
static bool pay(struct wf_verbs *dev, struct wf_verbs_ep *ep)
{
	const struct wf_tp_up *up = &dev->env.up;

	if (ep->life.unfit)
		wf_verbs_connect_another(dev, ep);
	if (ep->life.lost)
		wf_verbs_mend(dev, ep);
	if (ep->ep.broken && !ep->reported) {
		ep->reported = true;
		up->suspect(up->arg, ep->ep.rank, ep->why);
	}
	if (ep->answer_due)
		wf_verbs_call(dev, ep);
	if (ep->ep.broken || ep->ep.state != WF_EP_READY)
		return !ep->answer_due;
	return wf_verbs_reply(ep) && !ep->answer_due &&
	       !wf_verbs_mends_by_itself(ep) &&
	       (ep->life.lost || wf_verbs_pay(ep)) && !ep->ep.broken;
}

static void work(struct wf_verbs *dev)
{
	struct wf_list *at = dev->work.next;

	while (at != &dev->work) {
		struct wf_verbs_ep *ep = wf_container(at, struct wf_verbs_ep,
						      work);

		at = at->next;
		if (pay(dev, ep))
			wf_list_del(&ep->work);
	}
}

int wf_verbs_progress(struct wf_device *base)
{
	struct wf_verbs *dev = wf_verbs_dev(base);
	bool any = !dev->passes || dev->looks++ % RARELY == 0;
	bool owes = !wf_list_empty(&dev->work);
	int events = wf_verbs_receive(dev);

	/* One that owes may have a new queue pair, whose letters report. */
	if (any || owes || dev->reports)
		events += wf_verbs_complete_all(dev);
	if (any || !wf_list_empty(&dev->calling) ||
	    !wf_list_empty(&dev->refusals))
		events += wf_verbs_hellos(dev);
	if (!wf_list_empty(&dev->work))
		work(dev);
	look_around(dev, events);
	/* Peers may need what the segment has grown by: the door. */
	if (dev->tried != dev->env.segment->size) {
		dev->tried = dev->env.segment->size;
		wf_verbs_cover(dev);
	}
	return events;
}
