/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A path that is lost while the peer lives: packets or a link were gone for
 * longer than the device repeats.  Both ends replace the queue pair, and tell
 * each other in hellos how many mails and immediates of the other one have
 * come.  What has not come is posted again, in its order (verbs_fate.h says how
 * that is known), before anything new.  The rooms above see a queue that is
 * full for some time.
 *
 * Each queue pair is a life, which both ends number alike: who finds the path
 * lost begins the next one, who hears of a later one follows.  Of the old queue
 * pair everything has been taken out before its count is told: nothing comes by
 * it any more.
 *
 * A process that has ended is found by the failure detector, which is told at
 * once, and fences the endpoint.
 */
#include <stdio.h>
#include <string.h>
#include "base/clock.h"
#include "base/config.h"
#include "base/log.h"
#include "boot/boot.h"
#include "transport/verbs/verbs.h"
#include "transport/verbs/verbs_post.h"

enum {
	PAUSE_MS = 10,			/* as nobody has to answer */
	TRIES = 2			/* more to connect a queue pair */
};

static bool is_oneself(const struct wf_verbs_ep *ep)
{
	const struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);

	return ep->ep.rank == wf_boot_rank(dev->env.boot);
}

static bool may_mend(const struct wf_verbs_ep *ep)
{
	const struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);

	return ep->ep.state == WF_EP_READY &&
	       dev->env.config->ib_reconnect_ns;
}

/* A path that is lost again and again, and lets nothing through, is not one. */
static void start_clock(struct wf_verbs_ep *ep)
{
	uint64_t now = wf_verbs_time_of_calls(wf_verbs_dev(ep->ep.dev));
	struct wf_verbs_life *life = &ep->life;

	life->vain = life->since && life->tail == ep->tail &&
		     life->heard == ep->received;
	if (life->vain)
		return;
	life->since = now;
	life->tail = ep->tail;
	life->heard = ep->received;
}

static void lose(struct wf_verbs_ep *ep, const char *why)
{
	ep->life.lost = true;
	ep->life.fresh = false;
	snprintf(ep->why, sizeof(ep->why), "%s", why);
	start_clock(ep);
	wf_verbs_owes(wf_verbs_dev(ep->ep.dev), ep);
}

static bool may_connect_another(const struct wf_verbs_ep *ep)
{
	return ep->ep.state == WF_EP_CONNECTING && !is_oneself(ep) &&
	       ep->life.tries < TRIES;
}

/*
 * Also of the queue pair that was to replace a lost one.  One that is not
 * connected yet has nothing under way: another one is, when its events have
 * been acknowledged.
 */
void wf_verbs_lose(struct wf_verbs_ep *ep, const char *why)
{
	if (ep->ep.broken || ep->life.unfit)
		return;
	if (may_mend(ep)) {
		lose(ep, why);
	} else if (may_connect_another(ep)) {
		ep->life.unfit = true;
		ep->life.tries++;
		wf_verbs_owes(wf_verbs_dev(ep->ep.dev), ep);
	} else {
		wf_verbs_break(ep, why);
	}
}

/* All that has come, as far as the device has reported it. */
static void take_out(struct wf_verbs *dev)
{
	size_t n = 0;
	int events;

	do {
		events = wf_verbs_receive(dev);
		n += (size_t)events;
	} while (events && n < dev->rqs.posted);
	wf_verbs_complete_all(dev);
}

/*
 * In error it takes nothing more.  Some devices forget with a queue pair what
 * they have reported of it, others report until it is gone.
 */
static void bury(struct wf_verbs *dev, struct wf_verbs_ep *ep)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };

	if (ep->qp)
		ibv_modify_qp(ep->qp, &attr, IBV_QP_STATE);
	take_out(dev);
	wf_verbs_qp_drop(ep);
	take_out(dev);
	wf_map_del(&dev->by_qpn, ep->qpn);
}

static int replace(struct wf_verbs *dev, struct wf_verbs_ep *ep)
{
	int status;

	bury(dev, ep);
	status = wf_verbs_qp_create(dev, ep);
	return status ? status : wf_map_put(&dev->by_qpn, ep->qpn, ep);
}

/*
 * Of one that is not ready yet the room above tells.  Others may follow, and
 * the reason is that of the device.
 */
static void cannot_replace(struct wf_verbs *dev, struct wf_verbs_ep *ep)
{
	if (ep->ep.state == WF_EP_READY) {
		WF_LOG_IF(dev->env.log, dev->told_replace ? WF_LOG_INFO :
			  WF_LOG_ERROR, "verbs: %s", ep->why);
		dev->told_replace = true;
		wf_verbs_break(ep, "the device gives no other queue pair");
	} else {
		wf_verbs_break(ep, ep->why);
	}
}

/* From now on the peer is called; oneself has nobody to call. */
static void meet(struct wf_verbs *dev, struct wf_verbs_ep *ep)
{
	if (is_oneself(ep))
		(void)wf_verbs_meet_oneself(dev, ep);
	else if (wf_list_empty(&ep->calling))
		wf_list_add_tail(&dev->calling, &ep->calling);
}

void wf_verbs_renew(struct wf_verbs *dev, struct wf_verbs_ep *ep,
		    uint32_t number)
{
	if (ep->ep.state == WF_EP_READY && !ep->life.lost)
		lose(ep, "the peer has lost the path");
	ep->life.fresh = false;
	if (replace(dev, ep)) {
		cannot_replace(dev, ep);
		return;
	}
	ep->life.number = number;
	ep->life.received = ep->received;
	ep->life.fresh = true;
	ep->life.met = false;
	ep->hello_seen = false;
	ep->hello_pause = ep->hello_at = 0;
	meet(dev, ep);
}

/*
 * Who has called has an endpoint, and can follow into another life.  Else it
 * may have been told of the queue pair that failed: it begins that life when it
 * hears of this one.
 */
void wf_verbs_connect_another(struct wf_verbs *dev, struct wf_verbs_ep *ep)
{
	ep->life.unfit = false;
	if (ep->ep.state != WF_EP_CONNECTING)
		return;
	wf_debug(dev->env.log, "verbs: another queue pair for rank %d on host "
		 "%s", ep->ep.rank, ep->host);
	wf_verbs_renew(dev, ep, ep->life.number + ep->life.called);
	if (ep->ep.state == WF_EP_CONNECTING)
		wf_verbs_say_where(dev, ep);
}

/* What is known of all that is under way; room for WF_VERBS_SQ of them. */
struct wf_verbs_window wf_verbs_window(struct wf_verbs_ep *ep,
				       struct wf_verbs_mark *mark)
{
	struct wf_verbs_window w = {
		.mark = mark, .n = (int)(ep->head - ep->tail),
		.next = ep->numbered
	};

	for (int i = 0; i < w.n; i++)
		mark[i] = wf_verbs_at(ep, ep->tail + (uint32_t)i)->mark;
	return w;
}

/* What was to be fetched by them has not come here, and is fetched again. */
static bool fetches(const struct wf_verbs_mark *mark)
{
	return mark->what == WF_VERBS_DO_GET ||
	       mark->what == WF_VERBS_DO_LOCATE;
}

void wf_verbs_have_come(struct wf_verbs_ep *ep, uint64_t came)
{
	for (uint32_t i = 0; i < ep->head - ep->tail; i++) {
		struct wf_verbs_mark *mark =
			&wf_verbs_at(ep, ep->tail + i)->mark;

		mark->came |= came >> i & 1 && !fetches(mark);
	}
	wf_verbs_retire(ep);
}

/* The last of them was received behind all before it: they are in memory. */
static void were_received(struct wf_verbs_ep *ep, uint32_t came)
{
	if (came)
		wf_verbs_count(&ep->ep.flushed,
			       wf_verbs_at(ep, ep->tail + came - 1));
	wf_verbs_have_come(ep, wf_verbs_first((int)came));
}

/* The peer's queue pair of the last life is gone: so many have come by it. */
void wf_verbs_settle(struct wf_verbs_ep *ep, uint32_t received)
{
	struct wf_verbs_mark mark[WF_VERBS_SQ];
	struct wf_verbs_window w = wf_verbs_window(ep, mark);
	int came = wf_verbs_came(&w, received);

	ep->life.acknowledged = received;
	if (came < 0)
		wf_verbs_break(ep, "a message was lost with the path to it");
	else if (wf_verbs_is_lost(&w, came))
		wf_verbs_break(ep, "an atomic op was lost with the path to it, "
			       "or its answer: nobody can tell");
	else
		were_received(ep, (uint32_t)came);
}

/* Things are as they were before. */
static void end(struct wf_verbs_ep *ep, unsigned replayed)
{
	const struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);
	const struct wf_tp_up *up = &dev->env.up;

	if (!replayed)
		ep->life.since = 0;
	if (ep->life.reported)
		up->suspect(up->arg, ep->ep.rank, NULL);
	ep->life.lost = ep->life.reported = false;
	WF_LOG_IF(dev->env.log, wf_verbs_level(&ep->life),
		  "verbs: the path to rank %d on host %s was lost and is made "
		  "anew (%u times so far); posts that go again: %u; it was "
		  "lost because %s", ep->ep.rank, ep->host,
		  (unsigned)ep->life.number, replayed, ep->why);
}

static void replay(struct wf_verbs_ep *ep)
{
	unsigned n = 0;

	for (uint32_t at = ep->tail; at != ep->head; at++) {
		if (wf_verbs_at(ep, at)->mark.came)
			continue;
		if (!wf_verbs_do_again(ep, at)) {
			wf_verbs_lose(ep, "the device takes no posts");
			return;
		}
		n++;
	}
	ep->silent = 0;
	end(ep, n);
	wf_verbs_say_replayed(ep);
}

/* What was to go again never will. */
static void give_up(struct wf_verbs *dev, struct wf_verbs_ep *ep)
{
	bury(dev, ep);
	wf_verbs_qp_destroy(ep);
	ep->life.lost = false;
	wf_verbs_recount(ep);
	wf_verbs_credit_ends(ep);
}

/*
 * What has taken one path may have taken more: those of which no post under way
 * will report are asked whether they are still there.  Else it is found path
 * by path, when something is posted, and the times add up.  Those of peers
 * that have left need not be there.
 */
static void ask_others(struct wf_verbs *dev)
{
	size_t cursor = 0;
	uint64_t rank;
	void *at;

	while (wf_map_next(&dev->eps, &cursor, &rank, &at)) {
		struct wf_verbs_ep *ep = at;
		bool reports = ep->head - ep->tail > ep->silent;

		if (may_mend(ep) && !is_oneself(ep) && !ep->ep.gone &&
		    !reports &&
		    !wf_verbs_room(ep, 1))
			(void)wf_verbs_empty(ep, ep->ep.posted,
					     WF_VERBS_DO_FLUSH);
	}
}

static void begin_anew(struct wf_verbs *dev, struct wf_verbs_ep *ep)
{
	const struct wf_tp_up *up = &dev->env.up;

	if (!ep->life.reported)
		up->suspect(up->arg, ep->ep.rank, ep->why);
	ep->life.reported = true;
	ask_others(dev);
	if (!ep->ep.broken)
		wf_verbs_renew(dev, ep, ep->life.number + 1);
}

/* Nobody calls oneself, and so nobody else looks at the clock. */
static bool oneself_waits(struct wf_verbs *dev, struct wf_verbs_ep *ep)
{
	uint64_t now = wf_clock_ns();

	if (!is_oneself(ep) || !ep->life.vain)
		return false;
	wf_verbs_look_at_clock(ep, wf_verbs_time_of_calls(dev));
	if (ep->ep.broken || now < ep->life.again)
		return true;
	ep->life.again = now + PAUSE_MS * WF_NS_PER_MS;
	return false;
}

/* A step of it; the next one when something comes, or by the clock. */
void wf_verbs_mend(struct wf_verbs *dev, struct wf_verbs_ep *ep)
{
	if (!ep->ep.broken && !ep->life.fresh && !oneself_waits(dev, ep))
		begin_anew(dev, ep);
	/* Oneself has been met already. */
	if (ep->ep.broken)
		give_up(dev, ep);
	else if (ep->life.fresh && ep->hello_seen && ep->life.met &&
		 wf_verbs_ask(ep))
		replay(ep);
}

/* Else what comes, or the clock, brings the next step. */
bool wf_verbs_mends_by_itself(const struct wf_verbs_ep *ep)
{
	const struct wf_verbs_life *life = &ep->life;

	if (!life->lost || !life->fresh)
		return life->lost;
	/* There was no slot for the question. */
	return ep->hello_seen && life->met && !life->asked && !life->answered;
}

void wf_verbs_look_at_clock(struct wf_verbs_ep *ep, uint64_t now)
{
	const struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);
	uint64_t limit = dev->env.config->ib_reconnect_ns;
	char why[WF_VERBS_WHY];

	wf_verbs_owes(wf_verbs_dev(ep->ep.dev), ep);
	if (now - ep->life.since < limit)
		return;
	snprintf(why, sizeof(why), "no path to it for %llu ms "
		 "(WEFT_IB_RECONNECT)",
		 (unsigned long long)(limit / WF_NS_PER_MS));
	wf_warn(dev->env.log, "verbs: rank %d on host %s: %s: %s",
		ep->ep.rank, ep->host, why, ep->why);
	wf_verbs_break(ep, why);
}
