/* SPDX-License-Identifier: BSD-3-Clause */
/* A port of a device: can it be used, by what, and how fast is it? */
#ifndef WEFT_TRANSPORT_VERBS_PORT_H
#define WEFT_TRANSPORT_VERBS_PORT_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>
#include "transport/verbs/verbs_gid.h"
#include "transport/verbs/verbs_network.h"
#include "transport/verbs/verbs_receive.h"

struct wf_log;
struct wf_tp_env;

struct wf_verbs_port {
	struct ibv_context *context;
	struct ibv_device_attr device;
	struct ibv_port_attr port;
	struct wf_verbs_gids gids;	/* the best ones first */
	struct wf_verbs_gids tried;	/* before, and used */
	uint8_t gid_index[WF_VERBS_GIDS];
	uint8_t number, traffic_class;
	uint16_t pkey, pkey_index;	/* of the partition */
	bool ethernet, roce_v1;		/* no GID is of version 2 */
};

/*
 * Of one whose context, device attributes and number are there: the rest; the
 * partition, if there is one already, stays, and GIDs that were tried are not
 * tried again.  The reason against it, or NULL.
 * log NULL: its GIDs are not shown.
 */
const char *wf_verbs_judge_port(const struct wf_tp_env *env,
				const struct wf_log *log,
				struct wf_verbs_port *p);

static inline bool wf_verbs_port_has_atomics(const struct wf_verbs_port *p)
{
	return p->device.atomic_cap != IBV_ATOMIC_NONE;
}

static inline bool wf_verbs_port_shares(const struct wf_verbs_port *p)
{
	return p->device.max_srq >= 1 &&
	       p->device.max_srq_wr >= WF_VERBS_RQ_LEAST;
}

/* Those that it is in, by the partitions that this user wants. */
void wf_verbs_port_networks(const struct wf_tp_env *env,
			    const struct wf_verbs_port *p,
			    struct wf_verbs_networks *list);

/* Of this number, of which it is a member. */
void wf_verbs_take_partition(struct wf_verbs_port *p, uint16_t number);

/* The driver hfi1 emulates work requests there. */
static inline bool wf_verbs_port_is_omni_path(const struct wf_verbs_port *p)
{
	return p->device.vendor_id == 0x1175 &&
	       (p->device.vendor_part_id == 0x24f0 ||
		p->device.vendor_part_id == 0x24f1);
}

/* Gb/s, about. */
double wf_verbs_speed(const struct wf_verbs_port *p);

/* Do packets of one surely find the other, on one host or on two? */
bool wf_verbs_are_joined(const struct wf_verbs_port *a,
			 const struct wf_verbs_port *b);

/*
 * The index of GID number i of the port now.  That of an address which goes
 * and comes back, as with a link or a lease, changes.  While it is not there at
 * all, the place where it was: its path fails, and is made anew.
 */
uint8_t wf_verbs_gid_index(struct wf_verbs_port *p, int i);

#endif
