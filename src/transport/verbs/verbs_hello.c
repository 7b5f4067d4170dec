/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * First contact by datagrams.  Each side calls the other with a hello, again
 * and again with growing pauses, until it has an answer: a hello that says that
 * its own was seen.  Every hello is answered but one that needs no answer, so
 * a lost one costs a pause.  What does not show our key is dropped.
 *
 * Who closes answers the calls of strangers that are still unanswered, and who
 * cannot connect says so: verbs_refuse.c.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "base/config.h"
#include "base/log.h"
#include "base/random.h"
#include "boot/boot.h"
#include "transport/verbs/verbs.h"

enum {
	FIRST_PAUSE_MS = 4,
	LONGEST_PAUSE_MS = 250,
	REVIVAL_MS = 50,		/* from one revival to the next */
	CLOSING_MS = 2,			/* hellos on their way may take */
	PARTING_MS = 100,		/* our last answers may take */
	POLLED = 8,			/* completions at a time */
	TRY_PAUSE = 4			/* times as long as a call took */
};

static char *receive_buffer(const struct wf_verbs *dev, uint64_t i)
{
	return dev->datagrams + i * WF_VERBS_UD_BYTES;
}

static int post_receive(struct wf_verbs *dev, uint64_t i)
{
	struct ibv_sge sge = { (uintptr_t)receive_buffer(dev, i),
			       WF_VERBS_UD_BYTES, dev->buffer_mr->lkey };
	struct ibv_recv_wr wr = { .wr_id = i, .sg_list = &sge, .num_sge = 1 };
	struct ibv_recv_wr *bad;

	return ibv_post_recv(dev->ud, &wr, &bad);
}

/* It has been reset, or is new; what it still has to receive into, it keeps. */
static int make_ready(struct wf_verbs *dev)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT, .port_num = dev->port.number,
		.pkey_index = dev->port.pkey_index, .qkey = WF_VERBS_QKEY
	};
	int error = ibv_modify_qp(dev->ud, &attr, IBV_QP_STATE | IBV_QP_PORT |
				  IBV_QP_PKEY_INDEX | IBV_QP_QKEY);

	for (uint64_t i = 0; !error && i < dev->ud_room; i++)
		error = post_receive(dev, i);
	if (error == ENOMEM && dev->ud_failed)
		error = 0;
	attr.qp_state = IBV_QPS_RTR;
	if (!error)
		error = ibv_modify_qp(dev->ud, &attr, IBV_QP_STATE);
	attr.qp_state = IBV_QPS_RTS;
	attr.sq_psn = 0;
	if (!error)
		error = ibv_modify_qp(dev->ud, &attr, IBV_QP_STATE |
				      IBV_QP_SQ_PSN);
	return error;
}

/* A power of two: sends are counted on and on. */
static uint32_t room_of(const struct wf_verbs *dev)
{
	uint32_t room = WF_VERBS_UD;

	while (room > (uint32_t)dev->port.device.max_qp_wr ||
	       2 * room > (uint32_t)dev->port.device.max_cqe)
		room /= 2;
	return room;
}

/* Zero or an errno. */
int wf_verbs_ud_open(struct wf_verbs *dev)
{
	const uint32_t room = room_of(dev);
	struct ibv_qp_init_attr attr = {
		.qp_type = IBV_QPT_UD,
		.cap = { .max_send_wr = room, .max_recv_wr = room,
			 .max_send_sge = 1, .max_recv_sge = 1 }
	};

	dev->ud_room = room;
	dev->ucq = ibv_create_cq(dev->port.context, 2 * (int)room, NULL,
				 dev->channel, dev->vector);
	if (!dev->ucq)
		return errno;
	attr.send_cq = dev->ucq;
	attr.recv_cq = dev->ucq;
	dev->ud = ibv_create_qp(dev->pd, &attr);
	return dev->ud ? make_ready(dev) : errno;
}

static bool has_room(const struct wf_verbs *dev)
{
	return dev->ud_sent - dev->ud_done < dev->ud_room;
}

/* False: the queue is full, and it is as if the hello was lost. */
bool wf_verbs_send_hello(struct wf_verbs *dev, struct wf_verbs_handle *by,
			 const struct wf_verbs_hello *hello)
{
	uint64_t i = WF_VERBS_UD + dev->ud_sent % dev->ud_room;
	char *buffer = receive_buffer(dev, i);
	struct ibv_sge sge = { (uintptr_t)buffer, sizeof(*hello),
			       dev->buffer_mr->lkey };
	struct ibv_send_wr *bad, wr = {
		.wr_id = i, .sg_list = &sge, .num_sge = 1,
		.opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED
	};

	if (!has_room(dev))
		return false;
	memcpy(buffer, hello, sizeof(*hello));
	wr.wr.ud.ah = by->ah;
	wr.wr.ud.remote_qpn = hello->address.qpn;
	wr.wr.ud.remote_qkey = WF_VERBS_QKEY;
	/* The address in it is ours. */
	wf_verbs_fill_address(dev, &((struct wf_verbs_hello *)buffer)->address);
	if (ibv_post_send(dev->ud, &wr, &bad))
		return false;
	by->sent = ++dev->ud_sent;
	return true;
}

/* Without a handle it is as if the hello was lost, too. */
void wf_verbs_call(struct wf_verbs *dev, struct wf_verbs_ep *ep)
{
	struct wf_verbs_hello hello;

	wf_verbs_make_hello(dev, ep, &hello);
	hello.address = ep->address;
	if (!ep->handle)
		ep->handle = wf_verbs_make_handle(dev, &ep->address);
	if (!ep->handle || wf_verbs_send_hello(dev, ep->handle, &hello))
		ep->answer_due = false;
	if (dev->few_handles)
		wf_verbs_let_handle_go(dev, &ep->handle);
}

/* At once, since this process may not come back for long. */
void wf_verbs_turn_down(struct wf_verbs *dev, const struct wf_tp_peer *peer,
			const struct wf_verbs_address *address)
{
	uint64_t rank = (uint64_t)peer->rank;

	free(wf_map_del(&dev->strangers, rank));
	wf_verbs_refuse(dev, rank, peer->blob->key.word, address,
			WF_VERBS_REFUSED);
	wf_verbs_say_refusals(dev);
}

/* Of a rank without an endpoint; the first one only. */
static void stranger_comes(struct wf_verbs *dev,
			   const struct wf_verbs_hello *hello)
{
	const struct wf_tp_up *up = &dev->env.up;
	struct wf_verbs_hello *kept;

	if (hello->from >= (uint32_t)wf_boot_size(dev->env.boot) ||
	    wf_map_get(&dev->strangers, hello->from))
		return;
	kept = malloc(sizeof(*kept));
	if (!kept || wf_map_put(&dev->strangers, hello->from, kept)) {
		/* It calls again. */
		free(kept);
		return;
	}
	*kept = *hello;
	up->contact(up->arg, (int)hello->from);
}

/* Who calls has no endpoint here. */
static void stranger_calls(struct wf_verbs *dev,
			   const struct wf_verbs_hello *hello)
{
	/* It has lost the path to one that has parted from it. */
	if (hello->life)
		wf_verbs_refuse(dev, hello->from, hello->own_key,
				&hello->address, WF_VERBS_CLOSED);
	else if (wf_verbs_is_refused(dev, hello->from))
		wf_verbs_refuse(dev, hello->from, hello->own_key,
				&hello->address, WF_VERBS_REFUSED);
	else
		stranger_comes(dev, hello);
}

static void hello_comes(struct wf_verbs *dev, const char *message, size_t n)
{
	const struct wf_blob_key *key = &dev->env.self->key;
	struct wf_verbs_hello hello;
	struct wf_verbs_ep *ep;

	if (n != sizeof(hello))
		return;
	memcpy(&hello, message, sizeof(hello));
	if (hello.version != WF_VERBS_VERSION ||
	    hello.key[0] != key->word[0] || hello.key[1] != key->word[1]) {
		dev->dropped++;
		wf_debug(dev->env.log, "verbs: dropped a hello that does not "
			 "show our key");
		return;
	}
	ep = wf_map_get(&dev->eps, hello.from);
	if (ep) {
		/* Whom it does not join is told with the endpoint's end. */
		(void)wf_verbs_meet(dev, ep, &hello);
		/* A later life of one that is fenced here is refused. */
		if (!(hello.flags & WF_VERBS_DONE) && (ep->qp || hello.life)) {
			ep->answer_due = true;
			wf_verbs_owes(dev, ep);
		}
	} else if (hello.flags & WF_VERBS_REFUSED) {
		wf_verbs_is_turned_down(dev, hello.from);
	} else if (!(hello.flags & WF_VERBS_CLOSED)) {
		stranger_calls(dev, &hello);
	}
}

/* closed: nothing is heard any more.  A hello: 1. */
static int take(struct wf_verbs *dev, const struct ibv_wc *wc, bool closed)
{
	bool hears = !closed && !wc->status && wc->byte_len >= WF_VERBS_GRH;

	dev->ud_failed |= wc->status != IBV_WC_SUCCESS;
	if (wc->wr_id >= WF_VERBS_UD) {
		dev->ud_done += dev->ud_done != dev->ud_sent;
		return 0;
	}
	if (hears)
		hello_comes(dev, receive_buffer(dev, wc->wr_id) + WF_VERBS_GRH,
			    wc->byte_len - WF_VERBS_GRH);
	if (!dev->ud_failed)
		post_receive(dev, wc->wr_id);
	return hears;
}

/* All that had come before it was called, which may be more later. */
static int drain(struct wf_verbs *dev, bool closed)
{
	struct ibv_wc wc[POLLED];
	int events = 0, n = POLLED;

	for (uint32_t seen = 0; n == POLLED && seen < 2 * dev->ud_room;
	     seen += POLLED) {
		n = ibv_poll_cq(dev->ucq, POLLED, wc);
		for (int i = 0; i < n; i++)
			events += take(dev, &wc[i], closed);
	}
	return events;
}

/*
 * Where a link is down some devices fail what is sent, and then take nothing
 * more.  All that it had to receive into has come back by then, as a rule.
 */
static void revive(struct wf_verbs *dev)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RESET };
	uint64_t now = wf_clock_ns();

	if (now < dev->ud_revived + REVIVAL_MS * WF_NS_PER_MS)
		return;
	dev->ud_revived = now;
	if (ibv_modify_qp(dev->ud, &attr, IBV_QP_STATE))
		return;
	/* Some devices keep its completions, which would count for others. */
	drain(dev, true);
	dev->ud_done = dev->ud_sent;
	dev->ud_failed = make_ready(dev);
}

/*
 * While somebody is called, of the time between two passes so much counts as a
 * hello may wait, twice: who computes longer has not read what has come.
 */
uint64_t wf_verbs_time_of_calls(struct wf_verbs *dev)
{
	const uint64_t most = UINT64_C(2) * LONGEST_PAUSE_MS * WF_NS_PER_MS;
	uint64_t now = wf_clock_ns(), since = now - dev->called_at;

	dev->called_at = now;
	dev->called_ns += wf_list_empty(&dev->calling) || since < most ?
			  since : most;
	return dev->called_ns;
}

/*
 * Whoever has called is there, and may compute.  All that has come was read
 * before this is asked.
 */
static bool is_unanswered(const struct wf_verbs_ep *ep, uint64_t now)
{
	const struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);
	uint64_t limit = dev->env.config->ib_contact_ns;

	return ep->ep.state == WF_EP_CONNECTING && !ep->hello_seen && limit &&
	       now - ep->life.since >= limit;
}

static void give_up(struct wf_verbs *dev, struct wf_verbs_ep *ep)
{
	uint64_t limit = dev->env.config->ib_contact_ns;
	char where[WF_VERBS_WHY / 2], why[WF_VERBS_WHY];

	wf_verbs_where(ep, where, sizeof(where));
	snprintf(why, sizeof(why), "no answer for %llu ms "
		 "(WEFT_IB_CONTACT) by %s: %s, and has that rank called weft?",
		 (unsigned long long)(limit / WF_NS_PER_MS), where,
		 dev->port.ethernet ?
		 "may the hosts reach each other by UDP port 4791" :
		 "are both ports in one subnet and partition (WEFT_IB_PKEY)");
	wf_verbs_break(ep, why);
}

/* Nobody answers behind a fence; who has ended answers no first call. */
static bool is_calling(const struct wf_verbs_ep *ep)
{
	if (ep->ep.broken)
		return false;
	return ep->life.lost ||
	       (ep->ep.state == WF_EP_CONNECTING && !ep->ep.gone);
}

/*
 * It doubles, up to a limit, and is off by half of it, either way: of many that
 * have called at once few find room, and the others would come back together
 * each time.
 */
uint64_t wf_verbs_pause(struct wf_random *random, uint64_t *pause)
{
	const uint64_t most = LONGEST_PAUSE_MS * WF_NS_PER_MS;

	*pause = *pause ? 2 * *pause : FIRST_PAUSE_MS * WF_NS_PER_MS;
	if (*pause > most)
		*pause = most;
	return *pause / 2 + wf_random_below(random, *pause + 1);
}

/*
 * And sets when it is called next; the time that it took.  To make a handle may
 * take a second, and most of the time is for others.
 */
static uint64_t call_now(struct wf_verbs *dev, struct wf_verbs_ep *ep,
			 uint64_t now)
{
	uint64_t took = 0;

	if (!ep->life.met) {
		wf_verbs_call(dev, ep);
		took = wf_clock_ns() - now;
	}
	ep->hello_at = now + (1 + TRY_PAUSE) * took +
		       wf_verbs_pause(dev->env.random, &ep->hello_pause);
	return took;
}

/*
 * Who finds no room has its turn as soon as there is some, and who has been
 * called goes behind all others.
 */
static void call_again(struct wf_verbs *dev)
{
	uint64_t now = wf_verbs_time_of_calls(dev);
	struct wf_list *at = dev->calling.next;

	while (at != &dev->calling) {
		struct wf_verbs_ep *ep = wf_container(at, struct wf_verbs_ep,
						      calling);

		at = at->next;
		if (is_calling(ep) && is_unanswered(ep, now))
			give_up(dev, ep);
		if (!is_calling(ep)) {
			wf_list_del(&ep->calling);
			continue;
		}
		if (now < ep->hello_at)
			continue;
		if (ep->life.lost)
			wf_verbs_look_at_clock(ep, now);
		if (!ep->life.met && !has_room(dev))
			continue;
		now += call_now(dev, ep, now);
		wf_list_del(&ep->calling);
		wf_list_add_tail(&dev->calling, &ep->calling);
	}
}

int wf_verbs_hellos(struct wf_verbs *dev)
{
	int events = drain(dev, false);

	if (dev->ud_failed)
		revive(dev);
	wf_verbs_destroy_handles(dev, false);
	if (!wf_list_empty(&dev->calling))
		call_again(dev);
	wf_verbs_say_refusals(dev);
	return events;
}

/* At once: of an endpoint that was not ready yet. */
void wf_verbs_part(struct wf_verbs *dev, struct wf_verbs_ep *ep,
		   enum wf_verbs_hello_flag flag)
{
	wf_verbs_refuse(dev, (uint64_t)ep->ep.rank, ep->key.word, &ep->address,
			flag);
	wf_verbs_keep_handle(dev, (uint64_t)ep->ep.rank, &ep->handle);
	wf_verbs_say_refusals(dev);
}

static void ignore_contact(void *arg, int rank)
{
	(void)arg;
	(void)rank;
}

/* Until all that is due has gone. */
static void say_all(struct wf_verbs *dev)
{
	uint64_t until = wf_clock_ns() + PARTING_MS * WF_NS_PER_MS;

	do {
		wf_verbs_say_refusals(dev);
		drain(dev, true);
		wf_verbs_destroy_handles(dev, false);
	} while ((!wf_list_empty(&dev->refusals) ||
		  dev->ud_done != dev->ud_sent) && wf_clock_ns() < until);
}

void wf_verbs_ud_close(struct wf_verbs *dev)
{
	uint64_t until = wf_clock_ns() + CLOSING_MS * WF_NS_PER_MS, rank;
	size_t cursor = 0;
	void *at;

	dev->env.up.contact = ignore_contact;
	while (wf_clock_ns() < until)
		drain(dev, false);
	while (wf_map_next(&dev->strangers, &cursor, &rank, &at)) {
		const struct wf_verbs_hello *hello = at;

		wf_verbs_refuse(dev, rank, hello->own_key, &hello->address,
				WF_VERBS_CLOSED);
	}
	say_all(dev);
}
