/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Address handles, by which hellos are sent.  To make one, the kernel may ask
 * the peer's host for its address, and let us wait; so an endpoint keeps its
 * own.  Where the adapter has too few for all ranks of this node, each is held
 * for one hello.  One is destroyed when what was sent by it has left.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/config.h"
#include "base/log.h"
#include "base/text.h"
#include "boot/boot.h"
#include "transport/verbs/verbs.h"

enum {
	SUBNET_PREFIX = 8		/* bytes of a GID of InfiniBand */
};

/* Each rank of this node may call each rank. */
bool wf_verbs_has_few_handles(const struct wf_verbs *dev)
{
	const struct wf_boot *boot = dev->env.boot;
	uint64_t most = (uint64_t)wf_boot_node_size(boot) *
			(uint64_t)wf_boot_size(boot);

	return dev->port.device.max_ah > 0 &&
	       (uint64_t)dev->port.device.max_ah < most;
}

void wf_verbs_path(struct wf_verbs *dev,
		   const struct wf_verbs_address *a, struct ibv_ah_attr *attr)
{
	const struct wf_config *config = dev->env.config;
	struct wf_verbs_port *port = &dev->port;
	struct wf_gid_pair by;
	const uint8_t *own, *peer;

	(void)wf_gid_choose(&port->gids, &a->gids, &by);
	own = port->gids.gid[by.own];
	peer = a->gids.gid[by.peer];
	*attr = (struct ibv_ah_attr){
		.dlid = a->lid, .sl = (uint8_t)config->ib_sl,
		.port_num = port->number
	};
	memcpy(attr->grh.dgid.raw, peer, WF_VERBS_GID_BYTES);
	attr->grh.hop_limit = 64;
	attr->grh.traffic_class = port->traffic_class;
	/* A LID is enough within a subnet, unless the port says otherwise. */
	attr->is_global = port->ethernet || memcmp(own, peer, SUBNET_PREFIX) ||
			  port->port.flags & IBV_QPF_GRH_REQUIRED;
	if (attr->is_global)
		attr->grh.sgid_index = wf_verbs_gid_index(port, by.own);
}

static void destroy(struct wf_verbs_handle *h)
{
	wf_list_del(&h->leaving);
	ibv_destroy_ah(h->ah);
	free(h);
}

static bool has_left(const struct wf_verbs *dev,
		     const struct wf_verbs_handle *h)
{
	return (int32_t)(dev->ud_done - h->sent) >= 0;
}

void wf_verbs_let_handle_go(struct wf_verbs *dev, struct wf_verbs_handle **h_p)
{
	struct wf_verbs_handle *h = *h_p;

	*h_p = NULL;
	if (!h)
		return;
	if (has_left(dev, h))
		destroy(h);
	else
		wf_list_add_tail(&dev->leaving, &h->leaving);
}

/*
 * There are fewer than it seemed: those that nobody needs now go.  False: there
 * are none.
 */
static bool save_handles(struct wf_verbs *dev)
{
	bool any = wf_verbs_let_refusals_go(dev);
	size_t cursor = 0;
	void *at;

	while (wf_map_next(&dev->eps, &cursor, NULL, &at)) {
		struct wf_verbs_ep *ep = at;

		any |= ep->handle != NULL;
		wf_verbs_let_handle_go(dev, &ep->handle);
	}
	if (any && !dev->few_handles)
		wf_info(dev->env.log, "verbs: device %s has few address "
			"handles: each is made for one hello from now on",
			ibv_get_device_name(dev->port.context->device));
	dev->few_handles |= any;
	return any;
}

/* Not that a host does not answer.  EINVAL: by its source, Soft-RoCE. */
bool wf_verbs_is_lack(int error)
{
	return error == ENOMEM || error == ENOSPC || error == EINVAL;
}

static struct ibv_ah *make_ah(struct wf_verbs *dev,
			      const struct wf_verbs_address *a)
{
	struct ibv_ah_attr attr;
	struct ibv_ah *ah;

	wf_verbs_path(dev, a, &attr);
	ah = ibv_create_ah(dev->pd, &attr);
	if (!ah && wf_verbs_is_lack(errno)) {
		int error = errno;

		if (save_handles(dev))
			return ibv_create_ah(dev->pd, &attr);
		errno = error;
	}
	return ah;
}

struct wf_verbs_handle *wf_verbs_make_handle(struct wf_verbs *dev,
					     const struct wf_verbs_address *a)
{
	struct wf_verbs_handle *h = malloc(sizeof(*h));

	if (!h)
		return NULL;
	h->ah = make_ah(dev, a);
	if (!h->ah) {
		int error = errno;

		free(h);
		errno = error;
		return NULL;
	}
	wf_list_init(&h->leaving);
	h->sent = dev->ud_done;
	return h;
}

/*
 * Towards its peer.  On Ethernet the peer's host is asked for its address: if
 * it does not answer now, it may later, as there may be handles.
 */
int wf_verbs_ep_handle(struct wf_verbs_ep *ep)
{
	struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);
	int error, most = dev->port.device.max_ah;

	ep->handle = wf_verbs_make_handle(dev, &ep->address);
	if (ep->handle)
		return WEFT_OK;
	error = errno;
	snprintf(ep->why, sizeof(ep->why), "device %s makes no address handle: "
		 "%s", ibv_get_device_name(dev->port.context->device),
		 strerror(error));
	if (wf_verbs_is_lack(error) && most > 0 && most < INT_MAX)
		wf_text_add(ep->why, sizeof(ep->why), "; all processes of this "
			    "host may have %d of them", most);
	return wf_verbs_is_lack(error) || error == EAGAIN ||
	       error == ETIMEDOUT ? WEFT_ERR_NOMEM : WEFT_ERR_UNSUPPORTED;
}

void wf_verbs_destroy_handles(struct wf_verbs *dev, bool all)
{
	while (!wf_list_empty(&dev->leaving)) {
		struct wf_verbs_handle *h = wf_container(dev->leaving.next,
			struct wf_verbs_handle, leaving);

		if (!all && !has_left(dev, h))
			return;
		destroy(h);
	}
}
