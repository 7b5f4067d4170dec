/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The GIDs of a port, and by which of them two ports reach each other.  Both
 * ends choose alike, each from the lists of both: a queue pair takes packets
 * only from the GID that it was connected to.
 *
 * Of RoCE, IPv4 comes before global, unique local and link-local IPv6, and
 * within a kind those that have the longest beginning in common: a GID has no
 * netmask, but neighbours in a subnet differ behind it.
 *
 * Nothing here knows of devices.
 */
#ifndef WEFT_TRANSPORT_VERBS_GID_H
#define WEFT_TRANSPORT_VERBS_GID_H

#include <stdbool.h>
#include <stdint.h>

enum {
	WF_VERBS_GIDS = 3,		/* of a port, that peers are told */
	WF_VERBS_GID_BYTES = 16
};

/* Less is better. */
enum wf_gid_kind {
	WF_GID_IPV4,
	WF_GID_GLOBAL,
	WF_GID_UNIQUE_LOCAL,
	WF_GID_LINK_LOCAL,
	WF_GID_KINDS
};

/* On the wire, in addresses. */
struct wf_verbs_gids {
	uint8_t gid[WF_VERBS_GIDS][WF_VERBS_GID_BYTES];
	uint8_t n;
};

/* Indices into the lists of the one who asks, and of the peer. */
struct wf_gid_pair {
	int own, peer;
};

enum wf_gid_kind wf_gid_kind(const uint8_t *gid);

/*
 * False, and the first ones: none of one end reaches any of the other.  Global
 * and unique local IPv6 may, all others reach their own kind.
 */
bool wf_gid_choose(const struct wf_verbs_gids *own,
		   const struct wf_verbs_gids *peer,
		   struct wf_gid_pair *pair_p);

#endif
