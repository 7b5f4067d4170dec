/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The paths to a peer: to each of its addresses by that of this host which the
 * kernel would take.  Both ends put them into the same order: subnets of this
 * host first, then routes, then the order in which both have listed them; and
 * so meet on one connection where they can.  Where they do not each end sends
 * by its own.
 *
 * One after the other is tried until the first hello is under way.
 */
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include "base/interface.h"
#include "base/log.h"
#include "transport/ofi/ofi.h"

enum {
	SUM = 2 * WF_OFI_NAMES		/* more than places of both in lists */
};

/* What another node has, too, is no address. */
static bool leads_here(const struct wf_ofi *dev, const struct wf_tp_peer *peer,
		       const struct sockaddr_storage *to)
{
	uint32_t format = dev->info->addr_format;

	if ((format != FI_SOCKADDR_IN && format != FI_SOCKADDR_IN6) ||
	    wf_identity_same_network(&dev->env.self->id, &peer->blob->id))
		return false;
	return wf_ofi_is_loopback(format, to) ||
	       wf_interface_has((const struct sockaddr *)to);
}

static uint32_t number_of(const void *address)
{
	return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr);
}

/* Which of the own addresses it is; -1: none. */
static int find_source(const struct wf_ofi *dev,
		       const struct sockaddr_storage *from)
{
	for (int i = 0; i < dev->nsources; i++)
		if (number_of(dev->source[i].info->src_addr) ==
		    number_of(from))
			return i;
	return -1;
}

/* Less is better, alike at both ends; the source goes into the path. */
static uint64_t weigh(const struct wf_ofi *dev, struct wf_ofi_path *path,
		      const struct sockaddr_storage *to)
{
	struct sockaddr_storage from;
	enum wf_reach reach = wf_interface_reach((const void *)to, &from);
	int source = find_source(dev, &from);
	uint32_t own, other = number_of(to);

	if (source < 0) {
		source = 0;
		reach = WF_REACH_NONE;
	}
	path->source = (uint8_t)source;
	own = number_of(dev->source[source].info->src_addr);
	return ((uint64_t)reach * SUM + path->source + path->to) << 32 |
	       (own < other ? own : other);
}

static void insert(struct wf_ofi_ep *ep, uint64_t weight[WF_OFI_NAMES],
		   struct wf_ofi_path path, uint64_t w)
{
	int at = ep->npaths++;

	for (; at && weight[at - 1] > w; at--) {
		weight[at] = weight[at - 1];
		ep->path[at] = ep->path[at - 1];
	}
	weight[at] = w;
	ep->path[at] = path;
}

/* Of one address to one there is nothing to choose, whatever they are. */
void wf_ofi_find_paths(const struct wf_ofi *dev, const struct wf_tp_peer *peer,
		       struct wf_ofi_ep *ep)
{
	bool one = dev->nsources == 1 && ep->address.names == 1;
	uint64_t weight[WF_OFI_NAMES];

	ep->npaths = 0;
	for (uint8_t i = 0; i < ep->address.names; i++) {
		struct wf_ofi_path path = { 0, i, FI_ADDR_NOTAVAIL };
		struct sockaddr_storage to;
		uint64_t w = 0;

		wf_ofi_address_get(&ep->address, dev->info->addr_format, i,
				   &to);
		if (leads_here(dev, peer, &to))
			continue;
		if (!one)
			w = weigh(dev, &path, &to);
		insert(ep, weight, path, w);
	}
}

static int take(struct wf_ofi *dev, struct wf_ofi_ep *ep)
{
	struct wf_ofi_path *path = &ep->path[ep->at];
	struct wf_ofi_source *source = &dev->source[path->source];
	int status = wf_ofi_open_source(dev, source);
	struct sockaddr_storage to;

	if (status)
		return status;
	wf_ofi_address_get(&ep->address, dev->info->addr_format, path->to,
			   &to);
	if (path->addr == FI_ADDR_NOTAVAIL &&
	    fi_av_insert(dev->av, &to, 1, &path->addr, 0, NULL) != 1) {
		path->addr = FI_ADDR_NOTAVAIL;
		return WEFT_ERR_UNSUPPORTED;
	}
	ep->via = source->ep;
	ep->addr = path->addr;
	wf_ofi_name(dev->info->addr_format, &to, ep->where, sizeof(ep->where));
	ep->ep.where = ep->where;
	wf_debug(dev->env.log, "ofi: rank %d on host %s: connecting to %s by "
		 "provider %s", ep->ep.rank, ep->host, ep->where,
		 ep->address.provider);
	return WEFT_OK;
}

int wf_ofi_take_path(struct wf_ofi *dev, struct wf_ofi_ep *ep)
{
	int status = take(dev, ep);

	while (status && ep->at + 1 < ep->npaths) {
		ep->at++;
		status = take(dev, ep);
	}
	return status;
}

void wf_ofi_forget_paths(struct wf_ofi *dev, struct wf_ofi_ep *ep)
{
	for (int i = 0; i < ep->npaths; i++)
		if (ep->path[i].addr != FI_ADDR_NOTAVAIL)
			fi_av_remove(dev->av, &ep->path[i].addr, 1, 0);
}

int wf_ofi_path_failed(struct wf_ofi *dev, struct wf_ofi_ep *ep, int error)
{
	bool round = false;

	if (ep->npaths == 1 || ep->hello_sent ||
	    ep->ep.state != WF_EP_CONNECTING)
		return error;
	wf_info(dev->env.log, "ofi: rank %d on host %s at %s: %s", ep->ep.rank,
		ep->host, ep->where, strerror(error));
	ep->refuses |= error == ECONNREFUSED;
	/*
	 * What cannot be taken now has its next turn in the next round.  At
	 * last it is the one in use, of which there is all.
	 */
	do {
		ep->at = (ep->at + 1) % ep->npaths;
		round |= !ep->at;
	} while (take(dev, ep));
	if (!round || !ep->refuses)
		return 0;
	ep->refuses = false;
	return ECONNREFUSED;
}
