/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Receive queues: see verbs_receive.h.
 *
 * The completion queues of all have room for all that is posted: what has not
 * been polled has not been given back, so they cannot overflow.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/config.h"
#include "base/log.h"
#include "transport/memlock.h"
#include "transport/verbs/verbs.h"

enum {
	PAGE = 4096,
	BATCH = 16,			/* posted at a time, or polled */
	ROUNDS = 4			/* at most, so that nobody starves */
};

#define SHARED "shared receive queue"

/* Some of them may be spent, and peers have been told of the others. */
static uint32_t entries(const struct wf_verbs_rq *rq)
{
	return rq->size + WF_VERBS_SPENT;
}

static uint32_t size_of(const struct wf_verbs *dev)
{
	const struct ibv_device_attr *d = &dev->port.device;
	uint32_t most = (uint32_t)(dev->rqs.shares ? d->max_srq_wr :
						     d->max_qp_wr);
	uint32_t wanted = (uint32_t)dev->env.config->ib_srq;

	if ((uint32_t)d->max_cqe < most)
		most = (uint32_t)d->max_cqe;
	most -= WF_VERBS_SPENT;
	if (!dev->rqs.shares && wanted > WF_VERBS_OWN_RQ)
		wanted = WF_VERBS_OWN_RQ;
	return wanted < most ? wanted : most;
}

static size_t bytes_of(uint32_t size)
{
	size_t bytes = (size_t)(size + WF_VERBS_SPENT) * WF_VERBS_SLOT;

	return (bytes + PAGE - 1) / PAGE * PAGE;
}

size_t wf_verbs_rq_bytes(const struct wf_verbs *dev)
{
	return bytes_of(size_of(dev));
}

/* Of a queue pair of its own. */
static struct wf_verbs_ep *ep_of(const struct wf_verbs_rq *rq)
{
	return wf_container(wf_list_first(&rq->eps), struct wf_verbs_ep,
			    receives);
}

/* ---- buffers ---- */

/* An errno, and how many it took. */
static int post(struct wf_verbs_rq *rq, char *const *buffer, int n,
		int *taken_p)
{
	struct ibv_recv_wr wr[BATCH], *bad = wr;
	struct ibv_sge sge[BATCH];
	int error;

	for (int i = 0; i < n; i++) {
		size_t at = (size_t)(buffer[i] - rq->buffers) / WF_VERBS_SLOT;

		sge[i] = (struct ibv_sge){ (uintptr_t)buffer[i], WF_VERBS_SLOT,
					   rq->mr->lkey };
		wr[i] = (struct ibv_recv_wr){
			.wr_id = (uint64_t)rq->number << 32 | at,
			.sg_list = &sge[i], .num_sge = 1,
			.next = i + 1 < n ? &wr[i + 1] : NULL
		};
	}
	error = rq->srq ? ibv_post_srq_recv(rq->srq, wr, &bad) :
			  ibv_post_recv(rq->qp, wr, &bad);
	*taken_p = error ? (int)(bad - wr) : n;
	return error;
}

static int post_all(struct wf_verbs_rq *rq)
{
	char *batch[BATCH];
	int n = 0, taken, error = 0;

	rq->nspent = 0;
	for (uint32_t i = 0; !error && i < entries(rq); i++) {
		batch[n++] = rq->buffers + (size_t)i * WF_VERBS_SLOT;
		if (n == BATCH || i + 1 == entries(rq)) {
			error = post(rq, batch, n, &taken);
			n = 0;
		}
	}
	return error;
}

void wf_verbs_rq_fail(struct wf_verbs *dev, struct wf_verbs_rq *rq,
		      const char *why)
{
	struct wf_list *at = rq->eps.next;

	rq->failed = true;
	dev->rqs.failed = true;
	wf_list_del(&rq->link);
	for (; at != &rq->eps; at = at->next)
		wf_verbs_break(wf_container(at, struct wf_verbs_ep, receives),
			       why);
}

struct wf_verbs_rq *wf_verbs_rq_of(struct wf_verbs *dev,
				   const struct ibv_srq *srq)
{
	size_t cursor = 0;
	void *at;

	while (wf_map_next(&dev->rqs.by_number, &cursor, NULL, &at)) {
		struct wf_verbs_rq *rq = at;

		if (srq && rq->srq == srq)
			return rq;
	}
	return NULL;
}

/* Of a queue pair of its own: the next one may take them. */
static void fail(struct wf_verbs *dev, struct wf_verbs_rq *rq, int error)
{
	char why[WF_VERBS_WHY / 2];

	snprintf(why, sizeof(why), "device %s takes no receive buffers: %s",
		 ibv_get_device_name(dev->port.context->device),
		 strerror(error));
	rq->nspent = 0;
	if (!rq->srq) {
		wf_verbs_lose(ep_of(rq), why);
		return;
	}
	/* once, as peers of another queue may follow */
	if (!dev->rqs.told_buffers)
		wf_error(dev->env.log, "verbs: %s", why);
	dev->rqs.told_buffers = true;
	wf_verbs_rq_fail(dev, rq, why);
}

/*
 * It has room: they were taken out of it.  What it does not take now is posted
 * with the next ones; peers may send to it, so it is not done without.
 */
static void post_spent(struct wf_verbs *dev, struct wf_verbs_rq *rq)
{
	int taken;
	int error = post(rq, rq->spent, rq->nspent, &taken);

	rq->nspent -= taken;
	memmove(rq->spent, rq->spent + taken,
		(size_t)rq->nspent * sizeof(*rq->spent));
	if (rq->nspent >= WF_VERBS_MOST_SPENT)
		fail(dev, rq, error);
}

/* ---- life ---- */

static void close_rq(struct wf_verbs *dev, struct wf_verbs_rq *rq)
{
	if (rq->room)
		wf_signals_leave_room(dev->env.signals, rq->room);
	if (rq->srq)
		ibv_destroy_srq(rq->srq);
	if (rq->mr)
		ibv_dereg_mr(rq->mr);
	if (rq->cq) {
		wf_verbs_give_cq(rq->cq, entries(rq));
		dev->rqs.posted -= entries(rq);
	}
	wf_map_del(&dev->rqs.by_number, rq->number);
	wf_list_del(&rq->link);
	free(rq->buffers);
	free(rq);
}

void wf_verbs_rqs_close(struct wf_verbs *dev)
{
	size_t cursor = 0;
	void *rq;

	if (dev->rqs.no_room)
		wf_signals_leave_room(dev->env.signals, dev->rqs.no_room);
	while (wf_map_next(&dev->rqs.by_number, &cursor, NULL, &rq)) {
		close_rq(dev, rq);
		cursor = 0;
	}
	wf_map_fini(&dev->rqs.by_number);
}

static int make_shared(struct wf_verbs *dev, struct wf_verbs_rq *rq)
{
	struct ibv_srq_init_attr attr = {
		.attr = { .max_wr = entries(rq), .max_sge = 1 }
	};

	errno = 0;
	rq->srq = ibv_create_srq(dev->pd, &attr);
	return rq->srq ? 0 : errno ? errno : EIO;
}

static int make_buffers(struct wf_verbs *dev, struct wf_verbs_rq *rq)
{
	rq->buffers = aligned_alloc(PAGE, bytes_of(rq->size));
	if (!rq->buffers)
		return ENOMEM;
	errno = 0;
	rq->mr = ibv_reg_mr(dev->pd, rq->buffers, bytes_of(rq->size),
			    IBV_ACCESS_LOCAL_WRITE);
	return rq->mr ? 0 : errno ? errno : EIO;
}

static int note(struct wf_verbs *dev, struct wf_verbs_rq *rq)
{
	rq->number = ++dev->rqs.last;
	return wf_map_put(&dev->rqs.by_number, rq->number, rq) ||
	       wf_signals_add_room(dev->env.signals, rq->size, &rq->room) ?
		ENOMEM : 0;
}

/* An errno, and what failed; behind it nothing is left. */
static int fill(struct wf_verbs *dev, struct wf_verbs_rq *rq,
		const char **what_p)
{
	int error;

	*what_p = SHARED;
	error = dev->rqs.shares ? make_shared(dev, rq) : 0;
	if (error)
		return error;
	*what_p = "completion queue of receives";
	rq->cq = wf_verbs_take_cq(dev, &dev->rqs.cqs, entries(rq));
	if (!rq->cq)
		return errno ? errno : EIO;
	dev->rqs.posted += entries(rq);
	*what_p = "registration of receive buffers";
	error = make_buffers(dev, rq);
	if (!error)
		error = note(dev, rq);
	if (error || !rq->srq)
		return error;
	*what_p = "room for receive buffers";
	return post_all(rq);
}

static int make(struct wf_verbs *dev, struct wf_verbs_rq **rq_p,
		const char **what_p)
{
	struct wf_verbs_rq *rq = calloc(1, sizeof(*rq));
	int error;

	*what_p = "memory for a receive queue";
	if (!rq)
		return ENOMEM;
	wf_list_init(&rq->eps);
	wf_list_init(&rq->link);
	rq->size = size_of(dev);
	error = fill(dev, rq, what_p);
	if (error) {
		close_rq(dev, rq);
		return error;
	}
	if (rq->srq)
		wf_list_add_tail(&dev->rqs.shared, &rq->link);
	*rq_p = rq;
	return 0;
}

/*
 * Some announce shared ones, and do not make any.  Signals are limited from now
 * on, also before the first peer has its own queue.
 */
static int do_without(struct wf_verbs *dev, const char **what_p)
{
	dev->rqs.shares = false;
	*what_p = "receive queues: it shares none, and holds too few work "
		  "requests in a queue pair";
	if (dev->port.device.max_qp_wr < WF_VERBS_RQ_LEAST)
		return EOPNOTSUPP;
	*what_p = "memory for a receive queue";
	wf_info(dev->env.log, "verbs: device %s has no shared receive queues: "
		"each peer takes %zu KiB for its own",
		ibv_get_device_name(dev->port.context->device),
		wf_verbs_rq_bytes(dev) / 1024);
	return wf_signals_add_room(dev->env.signals, 0, &dev->rqs.no_room) ?
		ENOMEM : 0;
}

static bool is_without(const char *what, int error)
{
	return !strcmp(what, SHARED) &&
	       (error == EOPNOTSUPP || error == ENOSYS);
}

int wf_verbs_rq_open(struct wf_verbs *dev, const char **what_p)
{
	struct wf_verbs_rq *rq;
	int error;

	if (!dev->rqs.shares)
		return do_without(dev, what_p);
	error = make(dev, &rq, what_p);
	return is_without(*what_p, error) ? do_without(dev, what_p) : error;
}

/* ---- endpoints ---- */

/* What is left: the first one that has room for one more; else the emptiest. */
static struct wf_verbs_rq *find_shared(struct wf_verbs *dev, bool *fits_p)
{
	struct wf_verbs_rq *best = NULL;
	struct wf_list *at = dev->rqs.shared.next;

	*fits_p = false;
	for (; at != &dev->rqs.shared; at = at->next) {
		struct wf_verbs_rq *rq = wf_container(at, struct wf_verbs_rq,
						      link);

		*fits_p = wf_verbs_rq_fits(dev, rq);
		if (*fits_p)
			return rq;
		if (!best || rq->neps < best->neps)
			best = rq;
	}
	return best;
}

/* Nobody asks again before there is a place. */
static void take_no_more(struct wf_verbs *dev, const char *what, int error)
{
	char text[WF_VERBS_WHY / 2] = "";

	dev->rqs.full = true;
	if (error == ENOMEM)
		wf_memlock_tell(text, sizeof(text));
	if (!dev->rqs.told_full)
		wf_info(dev->env.log, "verbs: device %s has no further "
			"receive queue (%s: %s)%s: more peers share those that "
			"are there, and may have to wait for receive buffers",
			ibv_get_device_name(dev->port.context->device), what,
			strerror(error), text);
	dev->rqs.told_full = true;
}

/* Failed ones that nobody has any more, whose places others may take. */
static void close_failed(struct wf_verbs *dev)
{
	size_t cursor = 0;
	void *at;

	while (dev->rqs.failed &&
	       wf_map_next(&dev->rqs.by_number, &cursor, NULL, &at)) {
		struct wf_verbs_rq *rq = at;

		if (!rq->failed || rq->neps)
			continue;
		close_rq(dev, rq);
		cursor = 0;
	}
}

static int choose(struct wf_verbs *dev, struct wf_verbs_rq **rq_p,
		  const char **what_p)
{
	bool fits = false;
	struct wf_verbs_rq *best = find_shared(dev, &fits);
	int error;

	*rq_p = best;
	if (fits || (best && dev->rqs.full))
		return 0;
	close_failed(dev);
	error = make(dev, rq_p, what_p);
	/* who waits for a place that a failed one had would wait for ever */
	if (error && !best && dev->rqs.failed)
		return EIO;
	if (!error || !best)
		return error;
	take_no_more(dev, *what_p, error);
	*rq_p = best;
	return 0;
}

int wf_verbs_rq_join(struct wf_verbs *dev, struct wf_verbs_ep *ep,
		     const char **what_p)
{
	struct wf_verbs_rq *rq;
	int error = choose(dev, &rq, what_p);

	if (error)
		return error;
	ep->rq = rq;
	ep->ep.room = rq->room;
	rq->neps++;
	wf_list_add_tail(&rq->eps, &ep->receives);
	return 0;
}

void wf_verbs_rq_leave(struct wf_verbs_ep *ep)
{
	struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);
	struct wf_verbs_rq *rq = ep->rq;

	if (!rq)
		return;
	ep->rq = NULL;
	rq->neps--;
	dev->rqs.full = false;
	wf_list_del(&ep->receives);
	wf_verbs_keep_ledger(dev, rq);
	if (!rq->srq)
		close_rq(dev, rq);
}

void wf_verbs_rq_fill(const struct wf_verbs_rq *rq,
		      struct ibv_qp_init_attr *attr)
{
	attr->recv_cq = rq->cq->cq;
	attr->srq = rq->srq;
	if (rq->srq)
		return;
	attr->cap.max_recv_wr = entries(rq);
	attr->cap.max_recv_sge = 1;
}

/* A former queue pair has taken its buffers with it. */
int wf_verbs_rq_start(struct wf_verbs_rq *rq, struct ibv_qp *qp)
{
	if (rq->srq)
		return 0;
	rq->qp = qp;
	return post_all(rq);
}

/* ---- what arrives ---- */

/* The one that the id is of; NULL: its endpoint is gone. */
static struct wf_verbs_rq *rq_of(struct wf_verbs *dev,
				 const struct wf_verbs_ep *ep,
				 const struct ibv_wc *wc)
{
	uint32_t number = (uint32_t)(wc->wr_id >> 32);

	if (ep && ep->rq->number == number)
		return ep->rq;
	return wf_map_get(&dev->rqs.by_number, number);
}

/*
 * Of a queue pair that has failed, or is gone: the next one is given all.  That
 * one is fresh until the path is mended.
 */
static bool is_over(const struct wf_verbs_rq *rq, const struct ibv_wc *wc)
{
	const struct wf_verbs_ep *ep;

	if (rq->srq)
		return false;
	ep = ep_of(rq);
	return wc->status || !rq->qp || wc->qp_num != rq->qp->qp_num ||
	       (ep->life.lost && !ep->life.fresh) || ep->life.unfit ||
	       ep->ep.broken;
}

static void give_back(struct wf_verbs *dev, struct wf_verbs_rq *rq,
		      const struct ibv_wc *wc, char *buffer)
{
	if (is_over(rq, wc))
		return;
	rq->spent[rq->nspent++] = buffer;
	if (rq->nspent >= WF_VERBS_SPENT)
		post_spent(dev, rq);
}

void wf_verbs_received(struct wf_verbs *dev, const struct ibv_wc *wc)
{
	struct wf_verbs_ep *ep = wf_verbs_sender(dev, wc->qp_num);
	struct wf_verbs_rq *rq = rq_of(dev, ep, wc);
	char *buffer;

	if (!rq)
		return;
	buffer = rq->buffers + (size_t)(uint32_t)wc->wr_id * WF_VERBS_SLOT;
	if (!wc->status)
		wf_verbs_arrived(dev, ep, wc, buffer);
	give_back(dev, rq, wc, buffer);
}

/* The n that have come, and, where there may be more, those behind them. */
static __attribute__((noinline)) int receive(struct wf_verbs *dev,
					     struct wf_verbs_cq *cq,
					     struct ibv_wc wc[BATCH], int n)
{
	int events = 0;

	for (int round = 1; n > 0; round++) {
		for (int i = 0; i < n; i++)
			wf_verbs_received(dev, &wc[i]);
		events += n;
		if (n < BATCH || round == ROUNDS)
			break;
		n = ibv_poll_cq(cq->cq, BATCH, wc);
	}
	if (n < BATCH)
		wf_verbs_cq_is_empty(cq);
	return events;
}

/* As a rule in vain. */
int wf_verbs_receive(struct wf_verbs *dev)
{
	struct ibv_wc wc[BATCH];
	int events = 0;

	for (int i = 0; i < dev->rqs.cqs.n; i++) {
		struct wf_verbs_cq *cq = &dev->rqs.cqs.cq[i];
		int n = ibv_poll_cq(cq->cq, BATCH, wc);

		if (n > 0)
			events += receive(dev, cq, wc, n);
		else
			wf_verbs_cq_is_empty(cq);
	}
	return events;
}
