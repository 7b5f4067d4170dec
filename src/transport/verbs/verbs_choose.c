/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which port, of those that can be used.
 *
 * In a job on several nodes first of all the network that most of them have, as
 * far as they have been asked.  Of what is in it, or of all, full members of
 * their partition come first, then the fastest ports, of equally fast ones
 * InfiniBand, then what has atomic ops, then the first one that there is: all
 * hosts of a kind choose alike, and nobody mixes networks.
 * Of those that surely reach all that this one does (wf_verbs_are_joined()) a
 * process takes the nearest, and the ranks of a node take turns with those that
 * are equally near.
 */
#include <string.h>
#include "base/log.h"
#include "boot/boot.h"
#include "boot/offer.h"
#include "transport/backends.h"
#include "transport/verbs/verbs.h"
#include "transport/verbs/verbs_class.h"
#include "transport/verbs/verbs_search.h"

enum {
	ASKED = 4096			/* ranks, mostly one of each node */
};

/* ---- which network ---- */

static void read_part(const struct wf_offer *offer,
		      struct wf_verbs_networks *node)
{
	size_t bytes = 0;
	const void *part = wf_offer_find(offer, wf_verbs_tp.name, &bytes);

	node->n = (int)(bytes / sizeof(node->at[0]));
	if (!part)
		node->n = 0;
	if (node->n > WF_VERBS_NETWORKS)
		node->n = WF_VERBS_NETWORKS;
	if (node->n)
		memcpy(node->at, part, (size_t)node->n * sizeof(node->at[0]));
}

/* The nodes that were asked; 0: an offer could not be read. */
static int ask_nodes(struct wf_boot *boot, struct wf_verbs_tally *tally, int n)
{
	int most = wf_boot_node_count(boot), rank = 0, nodes = 0;

	/* 2 stands also for a number that the launcher does not tell */
	if (most == 2)
		most = ASKED;
	for (int asked = 0; rank < wf_boot_size(boot) && asked < ASKED &&
	     nodes < most; asked++) {
		struct wf_verbs_networks node;
		struct wf_offer offer;
		bool first;

		if (wf_offer_read(boot, &rank, &offer, &first))
			return 0;
		if (!first)
			continue;
		nodes++;
		read_part(&offer, &node);
		for (int i = 0; i < n; i++)
			wf_verbs_tally(&tally[i], &node);
	}
	return nodes;
}

static bool are_alike(const struct wf_verbs_networks *a,
		      const struct wf_verbs_networks *b)
{
	for (int i = 0; i < a->n; i++)
		if (a->n != b->n ||
		    !wf_verbs_network_is(&a->at[i], &b->at[i]))
			return false;
	return true;
}

/* Does a network that is chosen say which port, or partition, is used? */
static bool matters(const struct wf_verbs_search *s)
{
	for (int i = 0; i < s->n; i++) {
		const struct wf_verbs_candidate *c = &s->list[i];

		if (!are_alike(&c->networks, &s->list[0].networks) ||
		    (!c->port.ethernet && c->networks.n > 1))
			return true;
	}
	return false;
}

static void tell(const struct wf_verbs_search *s,
		 const struct wf_verbs_tally *best, int nodes)
{
	const struct wf_verbs_network *network = &best->network;
	char name[80];

	if (!s->log)
		return;
	wf_verbs_network_name(network, name, sizeof(name));
	if (nodes)
		wf_info(s->log, "verbs: the job uses %s, which %llu of %d "
			"nodes have", name,
			(unsigned long long)(best->full + best->limited),
			nodes);
	else
		wf_info(s->log, "verbs: this node chooses alone, as the "
			"networks of others are not known (%s)",
			wf_boot_why(s->env->boot));
}

/* The network for this job; false: each node chooses for itself. */
static bool agree(const struct wf_verbs_search *s,
		  struct wf_verbs_tally *best_p)
{
	struct wf_verbs_tally tally[WF_VERBS_NETWORKS];
	struct wf_verbs_networks own;
	int nodes;

	if (wf_boot_node_count(s->env->boot) < 2 || !matters(s))
		return false;
	wf_verbs_search_networks(s, &own);
	for (int i = 0; i < own.n; i++)
		wf_verbs_tally_init(&tally[i], &own.at[i]);
	nodes = ask_nodes(s->env->boot, tally, own.n);
	*best_p = tally[0];
	for (int i = 1; i < own.n; i++)
		if (wf_verbs_serves_better(&tally[i], best_p))
			*best_p = tally[i];
	tell(s, best_p, nodes);
	return nodes > 0;
}

static bool is_in(const struct wf_verbs_candidate *c,
		  const struct wf_verbs_network *network)
{
	for (int i = 0; i < c->networks.n; i++)
		if (wf_verbs_network_is(&c->networks.at[i], network))
			return true;
	return false;
}

/* What is in it uses the partition. */
static void keep_network(struct wf_verbs_search *s,
			 const struct wf_verbs_network *network)
{
	for (int i = 0; i < s->n; i++) {
		struct wf_verbs_candidate *c = &s->list[i];

		c->elsewhere = !is_in(c, network);
		if (!c->elsewhere)
			wf_verbs_take_partition(&c->port, network->partition);
	}
}

/* ---- which of them ---- */

/* Limited members of a partition hear full ones only. */
static bool is_full(const struct wf_verbs_port *p)
{
	return p->pkey & WF_VERBS_FULL_MEMBER;
}

/* Why a comes behind b, whatever process asks; NULL: it does not. */
static const char *behind(const struct wf_verbs_port *a,
			  const struct wf_verbs_port *b)
{
	double speed = wf_verbs_speed(a), other = wf_verbs_speed(b);

	if (is_full(a) != is_full(b))
		return is_full(a) ? NULL :
		       "another one is a full member of its partition";
	if (speed != other)
		return speed < other ? "another one is faster" : NULL;
	if (a->ethernet != b->ethernet)
		return a->ethernet ? "another one is as fast, and InfiniBand" :
				     NULL;
	if (wf_verbs_port_is_omni_path(a) != wf_verbs_port_is_omni_path(b))
		return wf_verbs_port_is_omni_path(a) ?
			"another one is as fast, and InfiniBand" : NULL;
	return !wf_verbs_port_has_atomics(a) && wf_verbs_port_has_atomics(b) ?
		"another one is as fast, and has atomic operations" : NULL;
}

static const char *apart(const struct wf_verbs_candidate *c,
			 const struct wf_verbs_port *best)
{
	if (c->elsewhere)
		return "this job uses another network";
	return &c->port == best || wf_verbs_are_joined(&c->port, best) ? NULL :
		"it may not reach those of other hosts that the first one does";
}

/* The first of the best ones, and why others are not as good. */
static void rank_all(struct wf_verbs_search *s)
{
	const struct wf_verbs_port *best = NULL;

	for (int i = 0; i < s->n; i++)
		if (!s->list[i].elsewhere &&
		    (!best || behind(best, &s->list[i].port)))
			best = &s->list[i].port;
	for (int i = 0; i < s->n; i++) {
		struct wf_verbs_candidate *c = &s->list[i];

		c->why = behind(&c->port, best);
		if (!c->why)
			c->why = apart(c, best);
	}
}

static int count(const struct wf_verbs_search *s)
{
	int n = 0;

	for (int i = 0; i < s->n; i++)
		n += !s->list[i].why;
	return n;
}

/* Of those that are left only the nearest. */
static void keep_nearest(struct wf_verbs_search *s)
{
	enum wf_verbs_distance nearest = WF_VERBS_FAR;

	for (int i = 0; i < s->n; i++)
		if (!s->list[i].why && s->list[i].distance < nearest)
			nearest = s->list[i].distance;
	for (int i = 0; i < s->n; i++) {
		struct wf_verbs_candidate *c = &s->list[i];

		if (!c->why && c->distance > nearest)
			c->why = "another one is nearer to the CPUs of this "
				 "process";
	}
}

/*
 * Which of n ports, where there are so many groups of n.  All turns come,
 * whether the ranks of a group are neighbours in number or each group has every
 * so many: steps of that size come back to the same turn after the least common
 * multiple of both.
 */
static int turn_of(int rank, int n, int groups)
{
	int multiple = n;

	if (groups == 1)
		return rank % n;
	while (multiple % groups)
		multiple += n;
	return (rank + rank / multiple) % n;
}

static struct wf_verbs_candidate *take_turn(struct wf_verbs_search *s, int turn)
{
	struct wf_verbs_candidate *mine = NULL;

	for (int i = 0; i < s->n; i++) {
		struct wf_verbs_candidate *c = &s->list[i];

		if (c->why)
			continue;
		if (turn-- == 0)
			mine = c;
		else
			c->why = "it is for other ranks of the node";
	}
	return mine;
}

static void show(const struct wf_log *log, const struct wf_verbs_port *p)
{
	char gid[64];

	wf_verbs_gid_name(p->gids.gid[0], gid, sizeof(gid));
	wf_info(log, "verbs: device %s port %d: used, %s, GID %d %s%s, LID %u, "
		"MTU %u, P_Key 0x%04x, traffic class %u",
		ibv_get_device_name(p->context->device), p->number,
		p->ethernet ? "RoCE" :
		wf_verbs_port_is_omni_path(p) ? "Omni-Path" : "InfiniBand",
		p->gid_index[0], gid,
		p->gids.n > 1 ? " or one that suits the peer" : "",
		(unsigned)p->port.lid, 128u << p->port.active_mtu,
		(unsigned)p->pkey, (unsigned)p->traffic_class);
}

static void reject_others(struct wf_verbs_search *s)
{
	for (int i = 0; i < s->n; i++) {
		const struct wf_verbs_port *p = &s->list[i].port;

		if (s->list[i].why)
			wf_verbs_reject(s, ibv_get_device_name(
						p->context->device),
					p->number, s->list[i].why);
	}
}

void wf_verbs_choose(struct wf_verbs_search *s, struct wf_verbs_port *port_p)
{
	int rank = wf_boot_node_rank(s->env->boot), joined, near;
	struct wf_verbs_tally best;

	if (agree(s, &best))
		keep_network(s, &best.network);
	rank_all(s);
	joined = count(s);
	keep_nearest(s);
	near = count(s);
	*port_p = take_turn(s, turn_of(rank, near, joined / near))->port;
	reject_others(s);
	port_p->traffic_class = wf_verbs_class(s->env->config,
					       port_p->context->device,
					       port_p->number,
					       port_p->ethernet &&
					       !port_p->roce_v1);
	if (s->log)
		show(s->log, port_p);
}
