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

/* Buffers into the shared receive queue; an errno, and how many it took. */
int wf_verbs_post_mails(struct wf_verbs *dev, char *const *buffer, int n,
			int *taken_p)
{
	struct ibv_recv_wr wr[ENTRIES], *bad = wr;
	struct ibv_sge sge[ENTRIES];
	int error;

	for (int i = 0; i < n; i++) {
		sge[i] = (struct ibv_sge){ (uintptr_t)buffer[i], WF_VERBS_SLOT,
					   dev->buffer_mr->lkey };
		wr[i] = (struct ibv_recv_wr){
			.wr_id = (uintptr_t)buffer[i], .sg_list = &sge[i],
			.num_sge = 1, .next = i + 1 < n ? &wr[i + 1] : NULL
		};
	}
	error = ibv_post_srq_recv(dev->srq, wr, &bad);
	*taken_p = error ? (int)(bad - wr) : n;
	return error;
}

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
static struct wf_verbs_ep *sender(struct wf_verbs *dev, uint32_t qpn)
{
	struct wf_verbs_ep *ep = dev->lately;

	/* Without its queue pair another one may have got the number. */
	if (!ep || ep->qpn != qpn || !ep->qp)
		dev->lately = ep = wf_map_get(&dev->by_qpn, qpn);
	return ep;
}

static void arrived(struct wf_verbs *dev, const struct ibv_wc *wc)
{
	struct wf_verbs_ep *ep = sender(dev, wc->qp_num);

	if (wc->status)
		return;
	/* It was sent by who has seen our hello. */
	if (ep)
		wf_verbs_ready(ep);
	if (wc->opcode == IBV_WC_RECV_RDMA_WITH_IMM)
		raised(dev, ep, be32toh(wc->imm_data));
	else if (ep && ep->ep.state == WF_EP_READY && !ep->ep.broken)
		wf_verbs_letter_comes(dev, ep, (char *)(uintptr_t)wc->wr_id,
				      wc->byte_len);
	else
		dev->dropped++;
}

/*
 * It has room: they were taken out of it.  What it does not take now is posted
 * with the next ones; peers may send to it, so it is not done without.
 */
static void post_spent(struct wf_verbs *dev)
{
	int taken;
	int error = wf_verbs_post_mails(dev, dev->spent, dev->nspent, &taken);
	char why[WF_VERBS_WHY];

	dev->nspent -= taken;
	memmove(dev->spent, dev->spent + taken,
		(size_t)dev->nspent * sizeof(*dev->spent));
	if (dev->nspent < WF_VERBS_MOST_SPENT)
		return;
	snprintf(why, sizeof(why), "device %s takes no receive buffers: %s",
		 ibv_get_device_name(dev->port.context->device),
		 strerror(error));
	if (!*dev->failed)
		wf_error(dev->env.log, "verbs: %s", why);
	dev->nspent = 0;
	wf_verbs_break_all(dev, why);
}

int wf_verbs_receive(struct wf_verbs *dev)
{
	struct ibv_wc wc[ENTRIES];
	int events = 0, n = ENTRIES;

	for (int round = 0; round < ROUNDS && n == ENTRIES; round++) {
		n = ibv_poll_cq(dev->rcq, ENTRIES, wc);
		if (n <= 0)
			break;
		for (int i = 0; i < n; i++) {
			arrived(dev, &wc[i]);
			dev->spent[dev->nspent++] =
				(char *)(uintptr_t)wc[i].wr_id;
			if (dev->nspent >= WF_VERBS_SPENT)
				post_spent(dev);
		}
		events += n;
	}
	return events;
}

static int complete(struct wf_verbs *dev, struct ibv_cq *cq)
{
	struct ibv_wc wc[ENTRIES];
	int events = 0, n = ENTRIES;

	for (int round = 0; round < ROUNDS && n == ENTRIES; round++) {
		n = ibv_poll_cq(cq, ENTRIES, wc);
		for (int i = 0; i < n; i++)
			wf_verbs_complete(dev, &wc[i]);
		events += n > 0 ? n : 0;
	}
	return events;
}

int wf_verbs_complete_all(struct wf_verbs *dev)
{
	int events = 0;

	for (int i = 0; i < dev->nscqs; i++)
		events += complete(dev, dev->scq[i].cq);
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
