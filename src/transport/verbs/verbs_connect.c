/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Endpoints: a queue pair each, joined to the peer's when its hello has come
 * (verbs_hello.c).  An endpoint is ready when the peer has said that it has
 * seen ours: then its queue pair receives.  One that was made because the peer
 * called is ready first.  What comes over the queue pair says that the peer is
 * ready, too.
 *
 * The endpoint to oneself is a queue pair joined to itself: one agent, the
 * adapter, does all atomics.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/log.h"
#include "base/text.h"
#include "boot/boot.h"
#include "transport/verbs/verbs.h"

static int refuse(const struct wf_verbs *dev, const struct wf_tp_peer *peer,
		  const char *why)
{
	wf_info(dev->env.log, "verbs: rank %d on host %s: %s", peer->rank,
		peer->blob->id.host, why);
	if (peer->refusal)
		wf_text_add(peer->refusal->why, sizeof(peer->refusal->why),
			    "%s", why);
	return WEFT_ERR_UNSUPPORTED;
}

void wf_verbs_fill_address(const struct wf_verbs *dev,
			   struct wf_verbs_address *a)
{
	bool plain = dev->dev.caps & WF_CAP_LINE_PLAIN;
	int reads = dev->port.device.max_qp_rd_atom;

	*a = (struct wf_verbs_address){
		.version = WF_VERBS_VERSION,
		.flags = (uint8_t)((plain ? WF_VERBS_LINES_PLAIN : 0) |
				   (dev->port.ethernet ? WF_VERBS_ETHERNET :
							 0) |
				   (dev->port.roce_v1 ? WF_VERBS_ROCE_V1 : 0) |
				   (wf_verbs_port_is_omni_path(&dev->port) ?
				    WF_VERBS_OMNI_PATH : 0) |
				   (wf_verbs_has_atomics(dev) ?
				    WF_VERBS_ATOMICS : 0)),
		.mtu = (uint8_t)dev->port.port.active_mtu,
		.reads = (uint8_t)(reads < 16 ? reads : 16),
		.qpn = dev->ud->qp_num,
		.lid = dev->port.port.lid,
		.pkey = dev->port.pkey,
		.gids = dev->port.gids
	};
}

/* Members of two partitions do not hear each other, nor do limited ones. */
static const char *no_partition(uint16_t own, uint16_t peer)
{
	if ((own ^ peer) & WF_VERBS_PARTITION)
		return "the RDMA devices are in different partitions: see "
		       "WEFT_IB_PKEY";
	if (!((own | peer) & WF_VERBS_FULL_MEMBER))
		return "both RDMA devices are limited members of their "
		       "partition, and these do not reach each other: make "
		       "them full members, or see WEFT_IB_PKEY";
	return NULL;
}

/* Ports on Ethernet reach each other by GIDs of one kind only. */
static const char *no_path(const struct wf_verbs_port *port,
			   const struct wf_verbs_address *a)
{
	struct wf_gid_pair by;

	if (port->ethernet != !!(a->flags & WF_VERBS_ETHERNET))
		return "one of the RDMA devices is on InfiniBand, the other "
		       "on Ethernet";
	if (wf_verbs_port_is_omni_path(port) !=
	    !!(a->flags & WF_VERBS_OMNI_PATH))
		return "one of the RDMA devices is on Omni-Path, the other is "
		       "not";
	if (port->roce_v1 != !!(a->flags & WF_VERBS_ROCE_V1))
		return "one of the RDMA devices is used by a GID of RoCE v1, "
		       "the other by v2: see WEFT_IB_GID_INDEX";
	if (port->ethernet && !wf_gid_choose(&port->gids, &a->gids, &by))
		return "the GIDs of the RDMA devices are not of one kind: "
		       "give both an IPv4 or an IPv6 address, or see "
		       "WEFT_IB_GID_INDEX";
	return no_partition(port->pkey, a->pkey);
}

static int read_address(const struct wf_verbs *dev,
			const struct wf_tp_peer *peer,
			struct wf_verbs_address *a)
{
	const struct wf_blob_addr *packed = wf_blob_find(peer->blob, "verbs");
	bool plain = dev->dev.caps & WF_CAP_LINE_PLAIN;
	const char *why;

	if (!packed || packed->n != sizeof(*a))
		return refuse(dev, peer, "it uses no RDMA device");
	memcpy(a, packed->bytes, sizeof(*a));
	if (a->version != WF_VERBS_VERSION)
		return refuse(dev, peer, "its address is of another version");
	why = no_path(&dev->port, a);
	if (why)
		return refuse(dev, peer, why);
	if (plain != !!(a->flags & WF_VERBS_LINES_PLAIN))
		return refuse(dev, peer, "its lines are encoded otherwise; "
			      "WEFT_IB_IN_ORDER must be alike");
	if (wf_verbs_has_atomics(dev) != !!(a->flags & WF_VERBS_ATOMICS))
		return refuse(dev, peer, "one of the RDMA devices has atomic "
			      "operations, the other has none");
	return WEFT_OK;
}

static void ep_init(struct wf_verbs *dev, struct wf_verbs_ep *ep,
		    const struct wf_tp_peer *peer)
{
	ep->ep.ops = wf_verbs_has_atomics(dev) ?
		&wf_verbs_ep_ops : &wf_verbs_ep_ops_without_atomics;
	ep->ep.dev = &dev->dev;
	ep->ep.rank = peer->rank;
	ep->ep.state = WF_EP_CONNECTING;
	ep->key = peer->blob->key;
	ep->tag = wf_verbs_tag(&ep->key);
	ep->serial = ++dev->serial;
	ep->depth = dev->depth;
	memcpy(ep->host, peer->blob->id.host, sizeof(ep->host));
	wf_map_init(&ep->blocks);
	wf_map_init(&ep->raised);
	wf_list_init(&ep->work);
	wf_list_init(&ep->calling);
	wf_list_init(&ep->receives);
}

static void forget(struct wf_verbs *dev, struct wf_verbs_ep *ep)
{
	wf_map_del(&dev->eps, (uint64_t)ep->ep.rank);
	wf_map_del(&dev->by_serial, ep->serial);
	/* One that was fenced may have left its number to another one. */
	if (wf_map_get(&dev->by_qpn, ep->qpn) == ep)
		wf_map_del(&dev->by_qpn, ep->qpn);
	wf_verbs_credit_ends(ep);
}

static int remember(struct wf_verbs *dev, struct wf_verbs_ep *ep)
{
	int status = wf_map_put(&dev->eps, (uint64_t)ep->ep.rank, ep);

	if (!status)
		status = wf_map_put(&dev->by_serial, ep->serial, ep);
	if (!status)
		status = wf_map_put(&dev->by_qpn, ep->qpn, ep);
	if (status)
		forget(dev, ep);
	else
		wf_verbs_credit_begins(ep);
	return status;
}

/* It does not connect any more: where it called is not of interest. */
void wf_verbs_decide(struct wf_verbs_ep *ep, enum wf_ep_state state)
{
	ep->ep.state = state;
	ep->ep.where = NULL;
	ep->life.since = 0;
}

/* The peer's queue pair receives. */
void wf_verbs_ready(struct wf_verbs_ep *ep)
{
	if (!ep->hello_seen)
		return;
	if (ep->ep.state == WF_EP_CONNECTING)
		wf_verbs_decide(ep, WF_EP_READY);
	if (ep->life.lost && !ep->life.met)
		wf_verbs_owes(wf_verbs_dev(ep->ep.dev), ep);
	ep->life.met = true;
}

void wf_verbs_make_hello(struct wf_verbs *dev, struct wf_verbs_ep *ep,
			 struct wf_verbs_hello *hello)
{
	const struct wf_blob_key *own = &dev->env.self->key;
	bool ready = ep->ep.state == WF_EP_READY && ep->life.met;
	bool refused = ep->ep.state == WF_EP_REFUSED || ep->ep.broken ||
		       !ep->qp;

	*hello = (struct wf_verbs_hello){
		.version = WF_VERBS_VERSION,
		.flags = (uint16_t)((ep->hello_seen ? WF_VERBS_SEEN : 0) |
				    (ready || refused ? WF_VERBS_DONE : 0) |
				    (refused ? WF_VERBS_REFUSED : 0) |
				    (ep->answers ? WF_VERBS_ANSWER : 0)),
		.from = (uint32_t)wf_boot_rank(dev->env.boot),
		.key = { ep->key.word[0], ep->key.word[1] },
		.own_key = { own->word[0], own->word[1] },
		.qpn = ep->qpn, .psn = ep->psn, .ece = ep->ece,
		.door = (uintptr_t)wf_segment_at(dev->env.segment, dev->door),
		.directory = (uintptr_t)wf_segment_at(
			dev->env.segment, dev->env.signals->directory),
		.credit = { ep->credit.own[0], ep->credit.own[1] },
		.life = ep->life.number, .received = ep->life.received
	};
	wf_verbs_fill_address(dev, &hello->address);
	/* The segment's beginning has had a key since the device is open. */
	(void)wf_verbs_key(&dev->dev.arena, 0, &hello->zero);
}

static int join_peer(struct wf_verbs *dev, struct wf_verbs_ep *ep,
		     const struct wf_verbs_hello *hello)
{
	int status = wf_verbs_qp_join(dev, ep, hello);

	if (status && ep->ep.state == WF_EP_CONNECTING)
		wf_verbs_lose(ep, ep->why);
	else if (status)
		wf_verbs_break(ep, ep->why);
	if (status)
		return ep->life.unfit ? WEFT_OK : status;
	ep->peer_qpn = hello->qpn;
	ep->zero = hello->zero;
	ep->door = hello->door;
	ep->directory = hello->directory;
	memcpy(ep->credit.peer, hello->credit, sizeof(hello->credit));
	ep->hello_seen = true;
	wf_verbs_settle(ep, hello->received);
	return WEFT_OK;
}

/* Who has closed after it was ready has said bye, unless the path is lost. */
static void turned_down(struct wf_verbs_ep *ep, bool closed)
{
	if (ep->ep.state == WF_EP_CONNECTING)
		wf_verbs_decide(ep, closed ? WF_EP_CLOSED : WF_EP_REFUSED);
	else if (!closed)
		wf_verbs_break(ep, "it has given its end up, and its own error "
			       "tells why");
	else if (ep->life.lost)
		wf_verbs_break(ep, "it has closed its end");
}

/* Into the life of this hello; false: it says nothing of this one. */
static bool follow(struct wf_verbs *dev, struct wf_verbs_ep *ep,
		   const struct wf_verbs_hello *hello)
{
	int32_t ahead = (int32_t)(hello->life - ep->life.number);

	if (!ep->qp || ep->ep.broken || ep->life.unfit ||
	    ep->ep.state > WF_EP_READY || ahead < 0)
		return false;
	if (ahead > 0)
		wf_verbs_renew(dev, ep, hello->life);
	else if (ep->life.lost && !ep->life.fresh)
		return false;
	return !ep->ep.broken;
}

/* Its port may have got another LID, or other GIDs. */
static void note_address(struct wf_verbs *dev, struct wf_verbs_ep *ep,
			 const struct wf_verbs_address *a)
{
	if (!memcmp(&ep->address, a, sizeof(*a)))
		return;
	ep->address = *a;
	wf_verbs_let_handle_go(dev, &ep->handle);
}

/* What the peer said.  Not OK: it could not be joined. */
int wf_verbs_meet(struct wf_verbs *dev, struct wf_verbs_ep *ep,
		  const struct wf_verbs_hello *hello)
{
	if (hello->flags & WF_VERBS_CLOSED || hello->flags & WF_VERBS_REFUSED) {
		turned_down(ep, hello->flags & WF_VERBS_CLOSED);
		return WEFT_OK;
	}
	ep->life.called = true;
	if (!follow(dev, ep, hello))
		return WEFT_OK;
	note_address(dev, ep, &hello->address);
	/* It has another queue pair, and knew of no life to begin with it. */
	if (ep->hello_seen && hello->qpn != ep->peer_qpn) {
		wf_verbs_renew(dev, ep, ep->life.number + 1);
	} else if (!ep->hello_seen) {
		int status = join_peer(dev, ep, hello);

		if (status)
			return status;
	}
	/* Who answers may be closing: it is ready first, and says bye. */
	if (hello->flags & WF_VERBS_SEEN &&
	    (hello->flags & WF_VERBS_DONE || !(hello->flags & WF_VERBS_ANSWER)))
		wf_verbs_ready(ep);
	return WEFT_OK;
}

int wf_verbs_meet_oneself(struct wf_verbs *dev, struct wf_verbs_ep *ep)
{
	struct wf_verbs_hello hello;

	wf_verbs_make_hello(dev, ep, &hello);
	hello.flags |= WF_VERBS_SEEN;
	/* Another queue pair would not be tried. */
	hello.ece = (struct wf_verbs_ece){ 0, 0 };
	return wf_verbs_meet(dev, ep, &hello);
}

static int join(struct wf_verbs *dev, struct wf_verbs_ep *ep)
{
	struct wf_verbs_hello *hello;
	int status;

	if (ep->ep.rank == wf_boot_rank(dev->env.boot))
		return wf_verbs_meet_oneself(dev, ep);
	status = wf_verbs_ep_handle(ep);
	if (status)
		return status;
	hello = wf_map_del(&dev->strangers, (uint64_t)ep->ep.rank);
	ep->answers = hello;
	if (hello)
		status = wf_verbs_meet(dev, ep, hello);
	free(hello);
	if (status)
		return status;
	ep->life.since = wf_verbs_time_of_calls(dev);
	wf_list_add_tail(&dev->calling, &ep->calling);
	wf_verbs_call(dev, ep);
	return WEFT_OK;
}

void wf_verbs_say_where(const struct wf_verbs *dev, struct wf_verbs_ep *ep)
{
	char where[WF_VERBS_WHY];

	wf_verbs_where(ep, where, sizeof(where));
	wf_debug(dev->env.log, "verbs: rank %d on host %s: connecting by %s, "
		 "%u bytes inline", ep->ep.rank, ep->host, where,
		 (unsigned)ep->inline_max);
	if (ep->ep.state != WF_EP_CONNECTING)
		return;
	memcpy(ep->why, where, sizeof(where));
	ep->ep.where = ep->why;
}

static void take_down(struct wf_verbs *dev, struct wf_verbs_ep *ep)
{
	wf_verbs_qp_destroy(ep);
	wf_verbs_let_handle_go(dev, &ep->handle);
	wf_verbs_forget_raised(ep);
	wf_list_del(&ep->work);
	wf_list_del(&ep->calling);
	if (ep->rq)
		wf_verbs_credit_fini(dev, &ep->credit);
	wf_verbs_rq_leave(ep);
	free(ep);
}

/* A receive queue, and signals that it has room for. */
static int prepare(struct wf_verbs *dev, struct wf_verbs_ep *ep)
{
	const char *what;
	char text[80];
	int status, error = wf_verbs_rq_join(dev, ep, &what);

	if (error) {
		snprintf(text, sizeof(text), "give any %s", what);
		return wf_verbs_failed(ep, text, error);
	}
	status = wf_verbs_credit_init(ep);
	if (status)
		wf_verbs_rq_leave(ep);
	return status;
}

static int make_qp(struct wf_verbs *dev, struct wf_verbs_ep *ep)
{
	int status = wf_verbs_qp_create(dev, ep);

	return status ? status : remember(dev, ep);
}

static int open_ep(struct wf_verbs *dev, const struct wf_tp_peer *peer,
		   const struct wf_verbs_address *address, struct wf_ep **ep_p)
{
	struct wf_verbs_ep *ep;
	int status;

	if (*dev->failed)
		return refuse(dev, peer, dev->failed);
	ep = calloc(1, wf_verbs_ep_bytes(dev->depth));
	if (!ep)
		return WEFT_ERR_NOMEM;
	ep_init(dev, ep, peer);
	ep->address = *address;
	status = prepare(dev, ep);
	if (!status)
		status = make_qp(dev, ep);
	if (!status) {
		status = join(dev, ep);
		if (status)
			forget(dev, ep);
	}
	if (status) {
		if (peer->refusal)
			wf_text_add(peer->refusal->why,
				    sizeof(peer->refusal->why), "%s", ep->why);
		take_down(dev, ep);
		return status;
	}
	wf_verbs_say_where(dev, ep);
	*ep_p = &ep->ep;
	return WEFT_OK;
}

static int connect_to_oneself(struct wf_verbs *dev,
			      const struct wf_tp_peer *peer,
			      struct wf_ep **ep_p)
{
	struct wf_verbs_address own;
	const char *why;

	wf_verbs_fill_address(dev, &own);
	why = no_partition(own.pkey, own.pkey);
	if (why)
		return refuse(dev, peer, why);
	return open_ep(dev, peer, &own, ep_p);
}

/* If it is not asked for again, the peer, which may call, is told. */
int wf_verbs_connect(struct wf_device *base, const struct wf_tp_peer *peer,
		     struct wf_ep **ep_p)
{
	struct wf_verbs *dev = wf_verbs_dev(base);
	struct wf_verbs_address address;
	int status;

	if (peer->rank == wf_boot_rank(dev->env.boot))
		return connect_to_oneself(dev, peer, ep_p);
	status = read_address(dev, peer, &address);
	if (status)
		return status;
	if (wf_verbs_is_refused(dev, (uint64_t)peer->rank))
		return refuse(dev, peer, "it refuses, and its own error tells "
			      "why");
	status = open_ep(dev, peer, &address, ep_p);
	if (!status || (status == WEFT_ERR_NOMEM && !peer->last))
		return status;
	wf_verbs_turn_down(dev, peer, &address);
	return status == WEFT_ERR_DEVICE ? WEFT_ERR_UNSUPPORTED : status;
}

void wf_verbs_disconnect(struct wf_ep *base)
{
	struct wf_verbs *dev = wf_verbs_dev(base->dev);

	if (base->state == WF_EP_CONNECTING)
		wf_verbs_part(dev, wf_verbs_ep(base), WF_VERBS_CLOSED);
	else if (base->lack)
		wf_verbs_part(dev, wf_verbs_ep(base), WF_VERBS_REFUSED);
	forget(dev, wf_verbs_ep(base));
	take_down(dev, wf_verbs_ep(base));
}

/* Without its queue pair nothing comes through any more. */
int wf_verbs_fence(struct wf_ep *base)
{
	struct wf_verbs_ep *ep = wf_verbs_ep(base);

	base->broken = true;
	ep->reported = true;
	ep->life.lost = false;
	wf_verbs_qp_destroy(ep);
	wf_verbs_recount(ep);
	wf_verbs_credit_ends(ep);
	return WEFT_OK;
}
