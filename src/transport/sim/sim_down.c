/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A link between two nodes that is down, or a connection that one end gives up.
 *
 * An adapter tries again what is not acknowledged: what was under way when the
 * link went down, or was posted since, leaves once more when it is up. After
 * too many tries it gives the connection up: what was posted becomes done and
 * is lost, and the endpoint is broken (transport/objects.h). Each end finds out
 * by something that it has posted, or when the other end has gone: then nobody
 * answers any more whether the connection is alive.
 */
#include "transport/sim/sim_down.h"

#include "transport/sim/sim_cost.h"
#include "transport/sim/sim_world.h"

bool wf_sim_is_weak(const struct sim_link *link)
{
	const int *node = link->from->world->options.down.node;
	int from = wf_sim_node(link->from), to = wf_sim_node(link->to);

	return from != to && ((from == node[0] && to == node[1]) ||
			      (from == node[1] && to == node[0]));
}

uint64_t wf_sim_delayed(const struct sim_link *link, uint64_t start,
			uint64_t lands)
{
	const struct wf_sim_down *down = &link->from->world->options.down;
	uint64_t until = wf_sim_ps(down->until_ns);

	if (!link->weak || until == UINT64_MAX || start >= until ||
	    lands < wf_sim_ps(down->from_ns))
		return lands;
	return until + (lands - start);
}

bool wf_sim_is_severed(const struct sim_link *link)
{
	const struct wf_sim *world = link->from->world;
	const struct wf_sim_down *down = &world->options.down;

	return link->weak && down->until_ns == UINT64_MAX &&
	       world->now >= wf_sim_ps(down->from_ns);
}

/* The endpoint of the other end; NULL: it has none. */
static struct sim_ep *opposite(const struct sim_link *link)
{
	const struct sim_device *dev = link->to->dev;

	return dev ? wf_map_get(&dev->eps, (uint64_t)link->from->rank) : NULL;
}

static void break_ep(struct sim_ep *ep)
{
	struct wf_sim_rank *rank;

	if (!ep || ep->ep.broken || ep->link->from->state == SIM_DEAD)
		return;
	rank = ep->link->from;
	ep->ep.broken = true;
	if (wf_list_empty(&ep->dirty))
		wf_list_add_tail(&rank->dev->dirty, &ep->dirty);
	wf_sim_wake(rank);
}

void wf_sim_break(struct sim_link *link)
{
	break_ep(link->ep);
}

void wf_sim_break_back(struct sim_link *link)
{
	break_ep(opposite(link));
}

void wf_sim_break_both(struct sim_link *link)
{
	wf_sim_break(link);
	wf_sim_break_back(link);
}

bool wf_sim_break_off(struct wf_sim_rank *rank, int to)
{
	struct sim_ep *ep = wf_map_get(&rank->dev->eps, (uint64_t)to);
	struct sim_ep *back = ep ? opposite(ep->link) : NULL;

	if (!rank->world->options.breaks_unheard)
		break_ep(back);
	return back || !rank->world->ranks[to].dev;
}
