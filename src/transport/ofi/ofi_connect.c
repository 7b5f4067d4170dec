/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * First contact.  Each side sends a hello with what the other needs: a remote
 * operand for writes of no bytes, and the signals of its credits.  An endpoint
 * is ready when both hellos have passed; mails follow them in order.
 *
 * Sending is left to progress: libfabric says AGAIN until it has a connection
 * of its own, and a contact may be answered from an upcall.
 */
#include <rdma/fi_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <weft/status.h>
#include "base/log.h"
#include "base/text.h"
#include "boot/boot.h"
#include "transport/ofi/ofi_choose.h"

static int refuse(const struct wf_ofi *dev, const struct wf_tp_peer *peer,
		  const char *why)
{
	wf_info(dev->env.log, "ofi: rank %d on host %s: %s", peer->rank,
		peer->blob->id.host, why);
	if (peer->refusal)
		wf_text_add(peer->refusal->why, sizeof(peer->refusal->why),
			    "%s", why);
	return WEFT_ERR_UNSUPPORTED;
}

/* Both ends have the same provider, and use it alike. */
static int compare(const struct wf_ofi *dev, const struct wf_tp_peer *peer,
		   const struct wf_ofi_address *a)
{
	unsigned differ = a->flags ^ wf_ofi_address_flags(dev);
	char own[WF_OFI_PROVIDER], why[WF_OFI_WHY];

	wf_ofi_provider_name(dev->info, own);
	if (strcmp(own, a->provider)) {
		snprintf(why, sizeof(why), "it has chosen the provider %s, we "
			 "%s: set WEFT_OFI_PROVIDER to one that both have",
			 a->provider, own);
		return refuse(dev, peer, why);
	}
	if (differ & WF_OFI_LAYERED) {
		snprintf(why, sizeof(why), "its %s is %s ofi_rxm, and ours is "
			 "not: both hosts need libfabric before 1.18, or both "
			 "a later one", own,
			 a->flags & WF_OFI_LAYERED ? "below" : "without");
		return refuse(dev, peer, why);
	}
	if (!wf_ofi_address_fits(a, dev->info->addr_format))
		return refuse(dev, peer, "its addresses are of another family "
			      "than ours, of IPv4 and IPv6: choose interfaces "
			      "that have both by WEFT_OFI_INTERFACE");
	if (differ & WF_OFI_LINES_PLAIN)
		return refuse(dev, peer, "its lines are encoded otherwise");
	return WEFT_OK;
}

static int read_address(const struct wf_ofi *dev,
			const struct wf_tp_peer *peer,
			struct wf_ofi_address *a)
{
	const struct wf_blob_addr *packed = wf_blob_find(peer->blob, "ofi");

	if (!packed || packed->n != sizeof(*a))
		return refuse(dev, peer, "it has not opened libfabric");
	memcpy(a, packed->bytes, sizeof(*a));
	a->provider[sizeof(a->provider) - 1] = 0;
	if (a->version != WF_OFI_VERSION || !a->names ||
	    a->names > WF_OFI_NAMES || a->names * a->bytes > WF_OFI_NAME)
		return refuse(dev, peer, "its address is of another version");
	return compare(dev, peer, a);
}

static int find_paths(struct wf_ofi *dev, struct wf_ofi_ep *ep,
		      const struct wf_tp_peer *peer)
{
	struct sockaddr_storage to;
	char at[80], why[WF_OFI_WHY];

	wf_ofi_find_paths(dev, peer, ep);
	if (ep->npaths)
		return WEFT_OK;
	wf_ofi_address_get(&ep->address, dev->info->addr_format, 0, &to);
	wf_ofi_name(dev->info->addr_format, &to, at, sizeof(at));
	snprintf(why, sizeof(why), "%s is an address of both hosts: choose "
		 "other interfaces by WEFT_OFI_INTERFACE", at);
	return refuse(dev, peer, why);
}

static void ep_init(struct wf_ofi *dev, struct wf_ofi_ep *ep,
		    const struct wf_tp_peer *peer)
{
	ep->ep.ops = &wf_ofi_ep_ops;
	ep->ep.dev = &dev->dev;
	ep->ep.rank = peer->rank;
	ep->ep.state = WF_EP_CONNECTING;
	ep->key = peer->blob->key;
	ep->knock_fd = -1;
	memcpy(ep->host, peer->blob->id.host, sizeof(ep->host));
	wf_list_init(&ep->under_way);
	wf_list_init(&ep->work);
	wf_list_init(&ep->unguarded);
	wf_list_init(&ep->doubtful);
}

static int take_signals(struct wf_ofi *dev, struct wf_ofi_ep *ep)
{
	int status = wf_signal_alloc(dev->env.signals, 0, &ep->own[0]);

	if (status)
		return status;
	status = wf_signal_alloc(dev->env.signals, 0, &ep->own[1]);
	if (status) {
		wf_signal_free(dev->env.signals, ep->own[0]);
		return status;
	}
	for (int i = 0; i < 2; i++)
		ep->word[i] = wf_signal_word(dev->env.signals, ep->own[i]);
	return WEFT_OK;
}

static void give_signals(struct wf_ofi *dev, struct wf_ofi_ep *ep)
{
	for (int i = 0; i < 2; i++)
		wf_signal_free(dev->env.signals, ep->own[i]);
}

static void take_hello(struct wf_ofi_ep *ep, const struct wf_ofi_hello *hello)
{
	ep->nowhere = hello->nowhere;
	ep->credit[0] = hello->credit[0];
	ep->credit[1] = hello->credit[1];
	ep->hello_seen = true;
}

static void look_ready(struct wf_ofi_ep *ep)
{
	if (ep->ep.state != WF_EP_CONNECTING || !ep->hello_sent ||
	    !ep->hello_seen)
		return;
	ep->ep.state = WF_EP_READY;
	wf_ofi_knock_stop(ep);
}

/* No path can be taken; the status of the last one. */
static int path_lacks(const struct wf_ofi *dev, const struct wf_tp_peer *peer,
		      int status)
{
	if (status == WEFT_ERR_UNSUPPORTED)
		return refuse(dev, peer, "libfabric does not take its address");
	if (status == WEFT_ERR_NOMEM && peer->refusal)
		wf_text_add(peer->refusal->why, sizeof(peer->refusal->why),
			    "%s", dev->lack);
	return status;
}

static int insert(struct wf_ofi *dev, struct wf_ofi_ep *ep,
		  const struct wf_tp_peer *peer)
{
	struct wf_ofi_hello *hello;
	int status = wf_map_put(&dev->eps, (uint64_t)peer->rank, ep);

	if (status)
		return status;
	status = wf_ofi_take_path(dev, ep);
	if (status) {
		wf_map_del(&dev->eps, (uint64_t)peer->rank);
		return path_lacks(dev, peer, status);
	}
	hello = wf_map_del(&dev->strangers, (uint64_t)peer->rank);
	if (hello)
		take_hello(ep, hello);
	free(hello);
	return WEFT_OK;
}

int wf_ofi_connect(struct wf_device *base, const struct wf_tp_peer *peer,
		   struct wf_ep **ep_p)
{
	struct wf_ofi *dev = wf_ofi_dev(base);
	struct wf_ofi_address address;
	struct wf_ofi_ep *ep;
	int status;

	if (peer->rank == wf_boot_rank(dev->env.boot))
		return wf_ofi_self_connect(dev, ep_p);
	status = read_address(dev, peer, &address);
	if (status)
		return status;
	ep = calloc(1, sizeof(*ep));
	if (!ep)
		return WEFT_ERR_NOMEM;
	ep_init(dev, ep, peer);
	ep->address = address;
	status = find_paths(dev, ep, peer);
	if (!status)
		status = take_signals(dev, ep);
	if (status)
		goto free_ep;
	status = insert(dev, ep, peer);
	if (status)
		goto give_signals;
	wf_ofi_knock_start(dev, ep);
	wf_ofi_owes(dev, ep);
	*ep_p = &ep->ep;
	return WEFT_OK;

give_signals:
	give_signals(dev, ep);
free_ep:
	free(ep);
	return status;
}

int wf_ofi_send_hello(struct wf_ofi *dev, struct wf_ofi_ep *ep)
{
	struct wf_ofi_hello hello = {
		.front = { .version = WF_OFI_VERSION, .kind = WF_OFI_HELLO,
			   .from = (uint32_t)wf_boot_rank(dev->env.boot),
			   .key = { ep->key.word[0], ep->key.word[1] } },
		.credit = { ep->own[0], ep->own[1] }
	};
	struct wf_ofi_tx *tx = wf_ofi_take(ep, WF_OFI_DO_HELLO);

	if (!tx)
		return 0;
	/* The segment's beginning has had a key since the device is open. */
	if (wf_ofi_key(&dev->dev.arena, dev->nowhere, &hello.nowhere)) {
		wf_ofi_give(dev, tx);
		return 0;
	}
	memcpy(tx->bounce, &hello, sizeof(hello));
	tx->bytes = sizeof(hello);
	/* Any other error than AGAIN is tried again, too: nobody is lost. */
	if (!wf_ofi_send_first(dev, ep, tx)) {
		wf_ofi_give(dev, tx);
		return 0;
	}
	ep->nunder_way++;
	wf_list_add_tail(&ep->under_way, &tx->link);
	ep->hello_sent = true;
	look_ready(ep);
	return 1;
}

void wf_ofi_hello_comes(struct wf_ofi *dev, const struct wf_ofi_hello *hello)
{
	const struct wf_tp_up *up = &dev->env.up;
	uint32_t from = hello->front.from;
	struct wf_ofi_ep *ep = wf_map_get(&dev->eps, from);
	struct wf_ofi_hello *kept;

	if (ep) {
		if (!ep->hello_seen)
			take_hello(ep, hello);
		look_ready(ep);
		return;
	}
	if (from >= (uint32_t)wf_boot_size(dev->env.boot) ||
	    from == (uint32_t)wf_boot_rank(dev->env.boot) ||
	    wf_map_get(&dev->strangers, from)) {
		dev->dropped++;
		return;
	}
	kept = malloc(sizeof(*kept));
	if (!kept || wf_map_put(&dev->strangers, from, kept)) {
		wf_error(dev->env.log, "ofi: no memory for the contact of rank "
			 "%u", (unsigned)from);
		free(kept);
		return;
	}
	*kept = *hello;
	up->contact(up->arg, (int)from);
}

void wf_ofi_disconnect(struct wf_ep *base)
{
	struct wf_ofi_ep *ep = wf_ofi_ep(base);
	struct wf_ofi *dev = wf_ofi_dev(base->dev);
	struct wf_list *at;

	if (base->rank == wf_boot_rank(dev->env.boot)) {
		wf_ofi_self_disconnect(dev);
		return;
	}
	wf_ofi_knock_stop(ep);
	/* Slots come back with their completions, if any come. */
	while ((at = wf_list_pop(&ep->under_way)))
		wf_container(at, struct wf_ofi_tx, link)->ep = NULL;
	wf_list_del(&ep->work);
	wf_list_del(&ep->unguarded);
	dev->given -= ep->given;
	wf_map_del(&dev->eps, (uint64_t)base->rank);
	wf_ofi_forget_paths(dev, ep);
	give_signals(dev, ep);
	free(ep);
}
