/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The paths to a peer: to each of its addresses by that of this host which the
 * kernel would take, or one of the same subnet.  Both ends put them into the
 * same order (base/address.h), and so meet on one connection where they can.
 * Where they do not each end sends by its own.
 *
 * One after the other is tried until the first hello is under way.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "base/address.h"
#include "base/config.h"
#include "base/interface.h"
#include "base/log.h"
#include "transport/ofi/ofi.h"

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

static void get_peer(const struct wf_ofi *dev, const struct wf_ofi_ep *ep,
		     int i, struct sockaddr_storage *to)
{
	wf_ofi_address_get(&ep->address, dev->info->addr_format, i, to);
}

/* From none of the own ones: the first will do, if nothing else is left. */
static void find_source(struct wf_address_path *path,
			const struct sockaddr *to,
			const struct sockaddr *const own[], int n)
{
	int source;

	path->reach = (uint8_t)wf_interface_reach(to, own, n, &source);
	if (source < 0)
		path->reach = WF_REACH_NONE;
	else
		path->own = (uint8_t)source;
}

static void set_path(struct wf_ofi_ep *ep, int i,
		     const struct wf_address_path *path)
{
	ep->path[i] = (struct wf_ofi_path){
		.source = path->own, .to = path->other, .addr = FI_ADDR_NOTAVAIL
	};
}

/* Of one address to one there is nothing to choose, whatever they are. */
void wf_ofi_find_paths(const struct wf_ofi *dev, const struct wf_tp_peer *peer,
		       struct wf_ofi_ep *ep)
{
	bool one = dev->nsources == 1 && ep->address.names == 1;
	const struct sockaddr *own[WF_OFI_NAMES], *other[WF_OFI_NAMES] = { 0 };
	struct sockaddr_storage to[WF_OFI_NAMES];
	struct wf_address_path path[WF_OFI_NAMES];
	int n = 0;

	for (int i = 0; i < dev->nsources; i++)
		own[i] = dev->source[i].info->src_addr;
	for (uint8_t i = 0; i < ep->address.names; i++) {
		get_peer(dev, ep, i, &to[i]);
		other[i] = (const struct sockaddr *)&to[i];
		if (leads_here(dev, peer, &to[i]))
			continue;
		path[n] = (struct wf_address_path){ .other = i };
		if (!one)
			find_source(&path[n], other[i], own, dev->nsources);
		n++;
	}
	wf_address_sort(path, n, own, other);
	for (int i = 0; i < n; i++)
		set_path(ep, i, &path[i]);
	ep->npaths = n;
}

static int take(struct wf_ofi *dev, struct wf_ofi_ep *ep)
{
	struct wf_ofi_path *path = &ep->path[ep->at];
	struct wf_ofi_source *source = &dev->source[path->source];
	int status = wf_ofi_open_source(dev, source);
	struct sockaddr_storage to;

	if (status)
		return status;
	get_peer(dev, ep, path->to, &to);
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

static bool try_first(struct wf_ofi *dev, struct wf_ofi_ep *ep, int i,
		      struct wf_ofi_tx *tx)
{
	const struct wf_ofi_path *path = &ep->path[i];
	struct fid_ep *via = dev->source[path->source].ep;

	if (path->addr == FI_ADDR_NOTAVAIL || (i != ep->at && !path->answers) ||
	    fi_send(via, tx->bounce, tx->bytes, NULL, path->addr, &tx->context))
		return false;
	ep->at = i;
	ep->via = via;
	ep->addr = path->addr;
	return true;
}

bool wf_ofi_send_first(struct wf_ofi *dev, struct wf_ofi_ep *ep,
		       struct wf_ofi_tx *tx)
{
	int first = ep->at;

	for (int i = 0; i < ep->npaths; i++)
		if (try_first(dev, ep, (first + i) % ep->npaths, tx))
			return true;
	return false;
}

static bool has_others(const struct wf_ofi_ep *ep)
{
	return ep->npaths > 1 && !ep->hello_sent &&
	       ep->ep.state == WF_EP_CONNECTING;
}

/*
 * What cannot be taken now has its next turn in the next round.  At last it is
 * the one in use, of which there is all.  True: a round is over.
 */
static bool take_next(struct wf_ofi *dev, struct wf_ofi_ep *ep)
{
	bool round = false;

	ep->silent_since = 0;
	do {
		ep->at = (ep->at + 1) % ep->npaths;
		round |= !ep->at;
	} while (take(dev, ep));
	return round;
}

int wf_ofi_path_failed(struct wf_ofi *dev, struct wf_ofi_ep *ep, int error)
{
	if (!has_others(ep))
		return error;
	wf_info(dev->env.log, "ofi: rank %d on host %s at %s: %s", ep->ep.rank,
		ep->host, ep->where, strerror(error));
	ep->refuses |= error == ECONNREFUSED;
	ep->path[ep->at].answers = false;
	if (!take_next(dev, ep) || !ep->refuses)
		return 0;
	ep->refuses = false;
	return ECONNREFUSED;
}

void wf_ofi_path_answers(struct wf_ofi_ep *ep, uint64_t now)
{
	ep->path[ep->at].answers = true;
	if (!ep->silent_since)
		ep->silent_since = now;
}

/* It is busy, or a stranger, and has its part of the time. */
void wf_ofi_path_waits(struct wf_ofi *dev, struct wf_ofi_ep *ep, uint64_t now)
{
	uint64_t most = dev->env.config->host_timeout_ns / (2 * WF_OFI_NAMES);

	if (!has_others(ep) || !ep->silent_since ||
	    now - ep->silent_since < most)
		return;
	wf_info(dev->env.log, "ofi: rank %d on host %s at %s: accepted, and "
		"silent for %llu ms", ep->ep.rank, ep->host, ep->where,
		(unsigned long long)(most / 1000000));
	(void)take_next(dev, ep);
}
