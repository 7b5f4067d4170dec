/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Progress: what arrived in the inbox goes up, completions become visible.
 *
 * It handles a random part of the inbox, in order, so that programs do not
 * come to rely on how much one call does; where a network gives the times, all
 * of it. Two calls without a wait in between
 * that find nothing count as a wait, so that loops of test move time; with a
 * network some more, because what the library looks at between two waits costs
 * nothing.
 */
#include "transport/sim/sim_down.h"
#include "transport/sim/sim_ops.h"
#include "transport/sim/sim_world.h"

enum {
	TRIES = 1,		/* without a wait that find nothing, */
	TRIES_NET = 16		/* with a network */
};

/* Something that it was to fetch was lost. */
static void report(struct sim_device *dev, struct sim_ep *ep)
{
	ep->suspected = true;
	dev->rank->in_upcall = true;
	dev->env.up.suspect(dev->env.up.arg, ep->ep.rank,
			    "an op that was under way is lost");
	dev->rank->in_upcall = false;
}

static int complete(struct sim_device *dev)
{
	struct wf_list *item;
	int n = 0;

	while ((item = wf_list_pop(&dev->dirty))) {
		struct sim_ep *ep = wf_container(item, struct sim_ep, dirty);

		ep->full = false;
		wf_sim_tell(ep);
		ep->ep.flushed = ep->remote < ep->want ? ep->remote : ep->want;
		if (ep->ep.broken && !ep->suspected)
			report(dev, ep);
		n++;
	}
	return n;
}

static void deliver(struct sim_device *dev, struct sim_op *op)
{
	uint64_t from = (uint64_t)op->link->from->rank;
	struct sim_ep *ep = wf_map_get(&dev->eps, from);

	if (ep) {
		dev->env.up.deliver(dev->env.up.arg, &ep->ep, &op->mail.mail,
				    op->mail.payload ? op->mail.payload : "");
		wf_sim_mail_consumed(ep, op);
	} else {
		wf_sim_break(op->link);
	}
	wf_sim_forget_mail(dev->rank->world, op);
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
		return;
	case SIM_CONTACT:
		if (op->link->cut)
			wf_sim_refuse(dev->rank->world, op->link);
		else
			wf_sim_contact(dev, op->link);
		break;
	case SIM_REFUSE:
		refused(dev, op);
		break;
	default:
		dev->env.up.told(dev->env.up.arg, op->amount, false);
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

static bool stops_early(struct wf_sim *world)
{
	return !world->options.net && wf_random_below(&world->random, 8) == 0;
}

int wf_sim_progress(struct wf_device *wdev)
{
	struct sim_device *dev = sim_device(wdev);
	struct wf_sim_rank *rank = dev->rank;
	int tries = rank->world->options.net ? TRIES_NET : TRIES;
	int n;

	if (rank->fruitless >= tries && !rank->inbox && !rank->held &&
	    wf_list_empty(&dev->dirty))
		wf_sim_poll(rank);
	n = complete(dev) + wf_sim_land_held(rank);
	rank->in_upcall = true;
	while (rank->inbox) {
		handle(dev, take(rank));
		n++;
		if (stops_early(rank->world))
			break;
	}
	rank->in_upcall = false;
	if (rank->inbox)
		rank->wanted = true;
	rank->fruitless = n ? 0 : rank->fruitless + 1;
	return n;
}
