/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ops and flights cost in virtual time.
 *
 * Without a network flights take random times and ops none. With one a rank
 * has a clock of its own, how far its CPU is, which runs ahead of the world's
 * while it posts and looks; the world's catches up while it waits, and before
 * it posts where a NIC could be needed by somebody else meanwhile: messages
 * come to it in the order of their times.
 */
#include "transport/sim/sim_cost.h"

#include "transport/sim/sim_down.h"

enum {
	FS_PER_PS = 1000
};

uint64_t wf_sim_ps(uint64_t ns)
{
	return ns > UINT64_MAX / WF_PS_PER_NS ? UINT64_MAX : ns * WF_PS_PER_NS;
}

uint64_t wf_sim_below(struct wf_sim *world, uint64_t ns)
{
	return WF_PS_PER_NS * wf_random_below(&world->random, ns);
}

int wf_sim_node(const struct wf_sim_rank *rank)
{
	int per_node = rank->world->options.ranks_per_node;

	return per_node ? rank->rank / per_node : 0;
}

void wf_sim_route(struct sim_link *link)
{
	const struct wf_sim_options *o = &link->from->world->options;
	int from = wf_sim_node(link->from), to = wf_sim_node(link->to);

	link->weak = wf_sim_is_weak(link);
	if (!o->net)
		return;
	link->switches = wf_sim_switches(o->shape, from, to);
	if (from != to)
		link->net = o->net;
	else
		link->net = o->node_net ? o->node_net : wf_sim_net_find("shm");
}

uint64_t wf_sim_clock(const struct wf_sim_rank *rank)
{
	return wf_sim_later(rank->world->now, rank->clock);
}

bool wf_sim_is_ahead(const struct sim_link *link)
{
	const struct wf_sim_rank *rank = link->from;
	const struct wf_sim *world = rank->world;

	if (!link->net || wf_sim_node(rank) == wf_sim_node(link->to))
		return false;
	/* A node of its own: no more than what answers there may wait for. */
	if (world->options.ranks_per_node == 1)
		return rank->clock > world->now + link->net->flight_ps;
	return rank->clock > world->now;
}

static void spend(struct wf_sim_rank *rank, uint64_t ps)
{
	if (rank->world->options.net)
		rank->clock = wf_sim_clock(rank) + ps * rank->slowness;
}

static void work(struct wf_sim_rank *rank, const char *what, uint64_t ps)
{
	wf_sim_see_busy(rank, what, ps);
	spend(rank, ps);
}

/* How long the sender has to do with a post. */
static uint64_t post_cost(struct wf_sim_rank *rank,
			  const struct wf_sim_net *net)
{
	if (rank->posting)
		return net->post_ps;
	rank->posting = true;
	return net->first_ps;
}

/* Ranks share the NIC of their node, but each copies inside it by itself. */
static uint64_t *nic(struct wf_sim_rank *rank, const struct sim_link *link)
{
	struct wf_sim *world = rank->world;

	if (wf_sim_node(link->from) == wf_sim_node(link->to))
		return &rank->copies_until;
	return &world->ranks[wf_sim_node(rank) * world->options.ranks_per_node]
			.nic_until;
}

/* A message of a link, from one end of it, that its NIC knows of at a time. */
static uint64_t send(struct wf_sim_rank *rank, const struct sim_link *link,
		     uint64_t time, uint64_t bytes)
{
	uint64_t *until = nic(rank, link);
	uint64_t leaves = wf_sim_later(time, *until);

	*until = leaves + wf_sim_net_busy(link->net, bytes);
	return leaves + wf_sim_net_flight(link->net, link->switches, bytes);
}

static uint64_t lateness(struct wf_sim *world)
{
	const struct wf_sim_options *o = &world->options;

	if (!wf_sim_chance(world, o->slow_one_in))
		return 0;
	return wf_sim_below(world, 8 * o->max_delay_ns + 1);
}

static uint64_t random_flight(struct wf_sim *world)
{
	const struct wf_sim_options *o = &world->options;
	uint64_t spread = o->max_delay_ns - o->min_delay_ns;

	return world->now + wf_sim_ps(o->min_delay_ns) +
	       wf_sim_below(world, spread + 1);
}

uint64_t wf_sim_flight(struct sim_link *link, uint64_t bytes)
{
	struct wf_sim_rank *rank = link->from;
	uint64_t start = wf_sim_clock(rank), lands;

	if (link->net) {
		spend(rank, post_cost(rank, link->net));
		lands = send(rank, link, rank->clock, bytes);
	} else {
		lands = random_flight(rank->world);
	}
	return wf_sim_delayed(link, start, lands + lateness(rank->world));
}

uint64_t wf_sim_answer(struct sim_link *link, uint64_t bytes)
{
	struct wf_sim *world = link->to->world;
	uint64_t lands;

	if (!link->net)
		lands = random_flight(world);
	else if (bytes)
		lands = send(link->to, link, world->now, bytes);
	else
		lands = world->now +
			wf_sim_net_flight(link->net, link->switches, 0);
	return wf_sim_delayed(link, world->now, lands + lateness(world));
}

uint64_t wf_sim_free_at(struct wf_sim_rank *rank)
{
	const struct wf_sim_options *o = &rank->world->options;

	if (o->net)
		return wf_sim_clock(rank);
	return rank->world->now + rank->slowness *
	       (wf_sim_ps(o->poll_ns) + wf_sim_below(rank->world, o->poll_ns));
}

uint64_t wf_sim_vain_poll(const struct wf_sim_rank *rank)
{
	const struct wf_sim_net *net = rank->world->options.net;

	return net && !rank->to_look ? net->poll_ps * rank->slowness : 0;
}

void wf_sim_arrived(const struct sim_link *link)
{
	if (link->net)
		link->to->to_look += link->net->poll_ps;
}

void wf_sim_looks(struct wf_sim_rank *rank)
{
	rank->posting = false;
	work(rank, "look", rank->to_look);
	rank->to_look = 0;
}

void wf_sim_copied(void *arg, uint64_t bytes)
{
	struct wf_sim_rank *rank = arg;
	const struct wf_sim_net *net = rank->world->options.net;

	if (net)
		work(rank, "copy", bytes * net->copy_fs / FS_PER_PS);
}

void wf_sim_reduced(void *arg, uint64_t bytes)
{
	struct wf_sim_rank *rank = arg;
	const struct wf_sim_net *net = rank->world->options.net;

	if (net)
		work(rank, "reduce", bytes * net->reduce_fs / FS_PER_PS);
}
