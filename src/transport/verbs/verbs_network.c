/* SPDX-License-Identifier: BSD-3-Clause */
/* Networks, and how they serve the nodes of a job: see verbs_network.h. */
#include <stdio.h>
#include <string.h>
#include "transport/verbs/verbs_network.h"
#include "transport/verbs/verbs_wire.h"

bool wf_verbs_network_is(const struct wf_verbs_network *a,
			 const struct wf_verbs_network *b)
{
	return a->flags == b->flags && a->kind == b->kind &&
	       a->partition == b->partition &&
	       !memcmp(a->subnet, b->subnet, sizeof(a->subnet));
}

void wf_verbs_network_name(const struct wf_verbs_network *network, char *text,
			   size_t bytes)
{
	static const char *const kind[] = {
		"IPv4", "IPv6", "IPv6", "link-local IPv6"
	};
	const uint8_t *subnet = network->subnet;

	if (network->flags & WF_NETWORK_ETHERNET)
		snprintf(text, bytes, "RoCE %s of %s",
			 network->flags & WF_NETWORK_ROCE_V1 ? "v1" : "v2",
			 kind[network->kind % WF_GID_KINDS]);
	else
		snprintf(text, bytes, "%s, subnet %02x%02x:%02x%02x:%02x%02x:"
			 "%02x%02x, P_Key number 0x%04x",
			 network->flags & WF_NETWORK_OMNI_PATH ?
			 "Omni-Path" : "InfiniBand", subnet[0], subnet[1],
			 subnet[2], subnet[3], subnet[4], subnet[5],
			 subnet[6], subnet[7], (unsigned)network->partition);
}

static struct wf_verbs_network *find(struct wf_verbs_networks *list,
				     const struct wf_verbs_network *network)
{
	for (int i = 0; i < list->n; i++)
		if (wf_verbs_network_is(&list->at[i], network))
			return &list->at[i];
	return NULL;
}

void wf_verbs_networks_add(struct wf_verbs_networks *list,
			   const struct wf_verbs_network *network)
{
	struct wf_verbs_network *known = find(list, network);

	if (!known) {
		if (list->n < WF_VERBS_NETWORKS)
			list->at[list->n++] = *network;
		return;
	}
	if (known->limited != network->limited ? known->limited :
	    network->speed > known->speed)
		*known = *network;
}

void wf_verbs_tally_init(struct wf_verbs_tally *t,
			 const struct wf_verbs_network *network)
{
	*t = (struct wf_verbs_tally){ .network = *network };
	t->network.speed = UINT32_MAX;
}

void wf_verbs_tally(struct wf_verbs_tally *t,
		    const struct wf_verbs_networks *node)
{
	for (int i = 0; i < node->n; i++) {
		const struct wf_verbs_network *network = &node->at[i];

		if (!wf_verbs_network_is(&t->network, network))
			continue;
		if (network->limited)
			t->limited++;
		else
			t->full++;
		if (network->speed < t->network.speed)
			t->network.speed = network->speed;
		return;
	}
}

/* Of nodes that hear each other: limited members hear full ones only. */
static uint64_t pairs(const struct wf_verbs_tally *t)
{
	return t->full * (t->full ? t->full - 1 : 0) / 2 + t->full * t->limited;
}

/* The lowest number is that of the default partition. */
static int number_of(const struct wf_verbs_network *network)
{
	return network->partition == WF_VERBS_PARTITION ? 0 :
							  network->partition;
}

/* Less than 0: a comes first. */
static int compare(const struct wf_verbs_network *a,
		   const struct wf_verbs_network *b)
{
	int ethernet = (a->flags & WF_NETWORK_ETHERNET) -
		       (b->flags & WF_NETWORK_ETHERNET);
	int atomics = (b->flags & WF_NETWORK_ATOMICS) -
		      (a->flags & WF_NETWORK_ATOMICS);

	if (a->speed != b->speed)
		return a->speed > b->speed ? -1 : 1;
	if (ethernet || atomics)
		return ethernet ? ethernet : atomics;
	if (number_of(a) != number_of(b))
		return number_of(a) - number_of(b);
	if (a->flags != b->flags || a->kind != b->kind)
		return a->flags != b->flags ? a->flags - b->flags :
					      a->kind - b->kind;
	return memcmp(a->subnet, b->subnet, sizeof(a->subnet));
}

bool wf_verbs_serves_better(const struct wf_verbs_tally *a,
			    const struct wf_verbs_tally *b)
{
	uint64_t of_a = a->full + a->limited, of_b = b->full + b->limited;

	if (pairs(a) != pairs(b))
		return pairs(a) > pairs(b);
	if (of_a != of_b)
		return of_a > of_b;
	/* ranks of one node may need it, too */
	if (a->limited != b->limited)
		return a->limited < b->limited;
	return compare(&a->network, &b->network) < 0;
}
