/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Endpoints: connecting, parting, fencing.
 *
 * A connect sends one contact flight. An endpoint is ready when the contact of
 * the other side has been seen by progress, so the two ends become ready at
 * different times, and mails, which follow the contact, always find one.
 */
#include <stdio.h>

#include "transport/sim/sim_cost.h"
#include "transport/sim/sim_down.h"
#include "transport/sim/sim_ops.h"
#include "transport/sim/sim_world.h"

static uint64_t pair(const struct wf_sim_rank *from,
		     const struct wf_sim_rank *to)
{
	return (uint64_t)from->rank << 32 | (uint64_t)to->rank;
}

static struct sim_link *link_make(struct sim_ep *ep, struct wf_sim_rank *from,
				  struct wf_sim_rank *to)
{
	struct wf_sim *world = from->world;
	struct sim_link *link = wf_pool_get(&world->link_pool);

	if (!link)
		return NULL;
	link->from = from;
	link->to = to;
	link->ep = ep;
	wf_sim_route(link);
	if (wf_map_put(&world->links, pair(from, to), link)) {
		wf_pool_put(&world->link_pool, link);
		return NULL;
	}
	return link;
}

static void cut(struct wf_sim_rank *from, struct wf_sim_rank *to)
{
	struct sim_link *link = wf_map_get(&from->world->links,
					   pair(from, to));

	if (link)
		link->cut = true;
}

void wf_sim_cut_mails(struct wf_sim *world, int from, int to)
{
	struct sim_link *link = wf_map_get(&world->links,
					   pair(&world->ranks[from],
						&world->ranks[to]));

	if (link)
		link->mails_cut = true;
}

static int send_contact(struct wf_sim *world, struct sim_link *link)
{
	struct sim_op *op = wf_sim_op(world, link);

	if (!op)
		return WEFT_ERR_NOMEM;
	link->last_mail = wf_sim_flight(link, 0) + WF_PS_PER_NS *
			  wf_random_below(&world->extra,
					  world->options.contact_ns + 1);
	wf_sim_schedule(world, (struct sim_event){
		.time = link->last_mail, .kind = SIM_CONTACT,
		.rank = (uint32_t)link->to->rank, .op = op });
	return WEFT_OK;
}

static void ep_init(struct sim_ep *ep, struct wf_device *dev, int rank)
{
	ep->ep.ops = &wf_sim_ep_ops;
	ep->ep.dev = dev;
	ep->ep.rank = rank;
	ep->ep.state = WF_EP_CONNECTING;
	ep->credits = SIM_CREDITS;
	ep->reserved = SIM_RESERVED;
	wf_list_init(&ep->dirty);
}

static int introduce(struct sim_device *dev, struct sim_ep *ep,
		     struct wf_sim_rank *to)
{
	struct wf_sim_rank *self = dev->rank;

	ep->link = link_make(ep, self, to);
	if (!ep->link)
		return WEFT_ERR_NOMEM;
	if (to == self || wf_map_get(&dev->contacted, (uint64_t)to->rank))
		ep->ep.state = WF_EP_READY;
	if (to == self)
		return WEFT_OK;
	return send_contact(self->world, ep->link);
}

static bool is_reached(const struct wf_sim_rank *self,
		       const struct wf_tp_peer *peer)
{
	const struct wf_sim_options *o = &self->world->options;

	if (!o->nodes_apart || !o->ranks_per_node ||
	    self->rank / o->ranks_per_node == peer->rank / o->ranks_per_node)
		return true;
	if (peer->refusal)
		snprintf(peer->refusal->why, sizeof(peer->refusal->why),
			 "it is on another simulated node");
	return false;
}

int wf_sim_connect(struct wf_device *wdev, const struct wf_tp_peer *peer,
		   struct wf_ep **ep_p)
{
	struct sim_device *dev = sim_device(wdev);
	struct wf_sim_rank *self = dev->rank;
	struct wf_sim *world = self->world;
	struct sim_ep *ep;
	int status;

	wf_sim_step(self);
	if (peer->rank < 0 || peer->rank >= world->options.ranks)
		return WEFT_ERR_ARG;
	if (!is_reached(self, peer))
		return WEFT_ERR_UNSUPPORTED;
	ep = wf_pool_get(&world->ep_pool);
	if (!ep)
		return WEFT_ERR_NOMEM;
	ep_init(ep, wdev, peer->rank);
	status = wf_map_put(&dev->eps, (uint64_t)peer->rank, ep);
	if (status)
		goto put_ep;
	status = introduce(dev, ep, &world->ranks[peer->rank]);
	if (status)
		goto del_ep;
	*ep_p = &ep->ep;
	return WEFT_OK;

del_ep:
	wf_map_del(&dev->eps, (uint64_t)peer->rank);
put_ep:
	wf_pool_put(&world->ep_pool, ep);
	return status;
}

void wf_sim_contact(struct sim_device *dev, struct sim_link *link)
{
	struct sim_ep *ep = wf_map_get(&dev->eps, (uint64_t)link->from->rank);

	if (wf_map_put(&dev->contacted, (uint64_t)link->from->rank, link))
		dev->rank->world->no_memory = true;
	if (!ep)
		dev->env.up.contact(dev->env.up.arg, link->from->rank);
	else if (ep->ep.state == WF_EP_CONNECTING)
		ep->ep.state = WF_EP_READY;
}

void wf_sim_refuse(struct wf_sim *world, struct sim_link *link)
{
	struct sim_op *op = wf_sim_op(world, link);

	if (!op)
		return;
	wf_sim_schedule(world, (struct sim_event){
		.time = wf_sim_answer(link, 0), .kind = SIM_REFUSE,
		.rank = (uint32_t)link->from->rank, .op = op });
}

/* Is there anybody whom posts under way could still reach? */
static bool present(const struct wf_sim_rank *rank)
{
	return rank->state != SIM_DEAD && !rank->closed;
}

void wf_sim_disconnect(struct wf_ep *wep)
{
	struct sim_ep *ep = sim_ep(wep);
	struct sim_link *link = ep->link;
	struct wf_sim_rank *self = link->from;
	struct sim_device *dev = self->dev;

	if (ep->remote < wep->posted && present(link->to) && !link->cut &&
	    !wep->broken)
		wf_sim_violate(self->world, "rank %d disconnects from rank %d "
			       "with %llu posts under way", self->rank,
			       wep->rank, (unsigned long long)
			       (wep->posted - ep->remote));
	if (wep->broken)
		wf_sim_break_back(link);
	link->ep = NULL;
	link->cut = true;
	cut(link->to, self);
	wf_list_del(&ep->dirty);
	wf_map_del(&dev->eps, (uint64_t)wep->rank);
	wf_map_del(&dev->contacted, (uint64_t)wep->rank);
	wf_pool_put(&self->world->ep_pool, ep);
}

/* Asked some times, so that what is in flight may land meanwhile. */
int wf_sim_fence(struct wf_ep *wep)
{
	struct sim_ep *ep = sim_ep(wep);
	struct wf_sim_rank *self = ep->link->from;
	struct wf_sim *world = self->world;

	if (world->options.no_fence)
		return WEFT_ERR_UNSUPPORTED;
	if (ep->link->to == self)
		return WEFT_OK;
	if ((present(ep->link->to) && !wep->broken) ||
	    wf_random_below(&world->random, 2)) {
		self->retries = true;
		return WEFT_INPROGRESS;
	}
	cut(ep->link->to, self);
	return WEFT_OK;
}
