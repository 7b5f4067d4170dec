/* SPDX-License-Identifier: BSD-3-Clause */
/* Networks, and how they serve the nodes of a job: see verbs_network.h. */
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
	known->limited = known->limited && network->limited;
	if (network->speed > known->speed)
		known->speed = network->speed;
}

void wf_verbs_tally(struct wf_verbs_tally *t,
		    const struct wf_verbs_networks *node)
{
	for (int i = 0; i < node->n; i++) {
		const struct wf_verbs_network *network = &node->at[i];

		if (!wf_verbs_network_is(&t->network, network))
			continue;
		t->nodes++;
		t->network.limited |= network->limited;
		if (network->speed < t->network.speed)
			t->network.speed = network->speed;
		return;
	}
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

	if (a->limited != b->limited)
		return a->limited - b->limited;
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
	if (a->nodes != b->nodes)
		return a->nodes > b->nodes;
	return compare(&a->network, &b->network) < 0;
}
