/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Progress: what arrived in the inbox goes up, completions become visible.
 *
 * It handles a random part of the inbox, in order, so that programs do not
 * come to rely on how much one call does. Two calls without a wait in between
 * that find nothing count as a wait, so that loops of test move time.
 */
#include "transport/sim/sim_ops.h"
#include "transport/sim/sim_world.h"

static int complete(struct sim_device *dev)
{
	struct wf_list *item;
	int n = 0;

	while ((item = wf_list_pop(&dev->dirty))) {
		struct sim_ep *ep = wf_container(item, struct sim_ep, dirty);

		ep->full = false;
		ep->ep.done = ep->local;
		ep->ep.flushed = ep->remote < ep->want ? ep->remote : ep->want;
		n++;
	}
	return n;
}

static void deliver(struct sim_device *dev, struct sim_op *op)
{
	struct wf_sim *world = dev->rank->world;
	uint64_t from = (uint64_t)op->link->from->rank;
	struct sim_ep *ep = wf_map_get(&dev->eps, from);

	if (ep) {
		dev->env.up.deliver(dev->env.up.arg, &ep->ep, &op->mail.mail,
				    op->mail.payload ? op->mail.payload : "");
		wf_sim_mail_consumed(ep, op);
	}
	wf_pool_put(&world->payload_pool, op->mail.payload);
}

static void refused(struct sim_device *dev, const struct sim_op *op)
{
	struct sim_ep *ep = op->link->ep;

	(void)dev;
	if (ep && ep->ep.state == WF_EP_CONNECTING)
		ep->ep.state = WF_EP_CLOSED;
}

static void handle(struct sim_device *dev, struct sim_op *op)
{
	switch (op->kind) {
	case SIM_MAIL:
		deliver(dev, op);
		break;
	case SIM_CONTACT:
		if (!op->link->cut)
			wf_sim_contact(dev, op->link);
		break;
	case SIM_REFUSE:
		refused(dev, op);
		break;
	default:
		dev->env.up.told(dev->env.up.arg, op->amount);
		break;
	}
	wf_pool_put(&dev->rank->world->op_pool, op);
}

static struct sim_op *take(struct wf_sim_rank *rank)
{
	struct sim_op *op = rank->inbox;

	rank->inbox = op->next;
	if (!rank->inbox)
		rank->inbox_end = &rank->inbox;
	return op;
}

int wf_sim_progress(struct wf_device *wdev)
{
	struct sim_device *dev = sim_device(wdev);
	struct wf_sim_rank *rank = dev->rank;
	int n;

	if (rank->fruitless && !rank->inbox && !rank->held &&
	    wf_list_empty(&dev->dirty))
		wf_sim_idle(rank, 0);
	n = complete(dev) + wf_sim_land_held(rank);
	rank->in_upcall = true;
	while (rank->inbox) {
		handle(dev, take(rank));
		n++;
		if (wf_random_below(&rank->world->random, 8) == 0)
			break;
	}
	rank->in_upcall = false;
	if (rank->inbox)
		rank->wanted = true;
	rank->fruitless = n == 0;
	return n;
}
