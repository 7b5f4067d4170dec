/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The networks that the ports of a node are in, and which of them suits a job.
 *
 * Of InfiniBand a network is a partition of a subnet.  Of RoCE it is the
 * version and the kind of an address: whether routers join subnets nobody can
 * tell.
 * Ports with and without atomic ops are in different ones, as one agent has to
 * do these for everybody.
 *
 * Nothing here knows of devices.
 */
#ifndef WEFT_TRANSPORT_VERBS_NETWORK_H
#define WEFT_TRANSPORT_VERBS_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	WF_VERBS_NETWORKS = 12,		/* of a port, and of a node */
	WF_VERBS_SUBNET_BYTES = 8	/* at the front of a GID */
};

enum wf_verbs_network_flag {
	WF_NETWORK_ETHERNET = 1u << 0,
	WF_NETWORK_ROCE_V1 = 1u << 1,	/* of RoCE: else version 2 */
	WF_NETWORK_ATOMICS = 1u << 2,
	WF_NETWORK_OMNI_PATH = 1u << 3	/* looks like InfiniBand, and is not */
};

/* Also its form in an offer, in the byte order of the job. */
struct wf_verbs_network {
	uint8_t subnet[WF_VERBS_SUBNET_BYTES];	/* RoCE: 0 */
	uint16_t partition;		/* its number */
	uint8_t flags;			/* enum wf_verbs_network_flag */
	uint8_t kind;			/* enum wf_gid_kind of RoCE */
	uint32_t speed;			/* Mb/s of the port */
	uint8_t limited;		/* member: it reaches full ones only */
	uint8_t unused[3];
};

struct wf_verbs_networks {
	struct wf_verbs_network at[WF_VERBS_NETWORKS];
	int n;
};

_Static_assert(sizeof(struct wf_verbs_network) == 20, "wire");

/* Speed and membership are not compared. */
bool wf_verbs_network_is(const struct wf_verbs_network *a,
			 const struct wf_verbs_network *b);

/* As people say it. */
void wf_verbs_network_name(const struct wf_verbs_network *network, char *text,
			   size_t bytes);

/*
 * Of two ports in one network the full member stays, of two such the faster
 * one.  What is too much is left out.
 */
void wf_verbs_networks_add(struct wf_verbs_networks *list,
			   const struct wf_verbs_network *network);

/* How a network serves the nodes of a job that have been asked. */
struct wf_verbs_tally {
	struct wf_verbs_network network;	/* at the slowest of them */
	uint64_t full, limited;		/* nodes that are such members */
};

/* Nobody has been asked yet. */
void wf_verbs_tally_init(struct wf_verbs_tally *t,
			 const struct wf_verbs_network *network);
void wf_verbs_tally(struct wf_verbs_tally *t,
		    const struct wf_verbs_networks *node);

/*
 * Is network a the better choice?  More pairs of nodes that hear each other
 * come first, then more nodes, fewer limited members, speed, InfiniBand, atomic
 * ops, the default partition and the lowest number: an order of all networks,
 * so that all nodes that have two choose the same one, as far as offers are
 * read.
 */
bool wf_verbs_serves_better(const struct wf_verbs_tally *a,
			    const struct wf_verbs_tally *b);

#endif
