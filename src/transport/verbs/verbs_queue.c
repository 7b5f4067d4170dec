/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queue pairs, and what is under way on them.
 *
 * Work requests complete in order, so they are a ring; a completion answers
 * for all before it.  What holds memory always reports; of those that do not,
 * some do (wf_verbs_silent()).  A queue pair in error completes what is left of
 * the ring one by one: sources are free only then, if the endpoint is broken;
 * if its path is lost, the ring stays as it is for the next queue pair.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "base/assert.h"
#include "base/config.h"
#include "base/log.h"
#include "base/random.h"
#include "transport/memlock.h"
#include "transport/verbs/verbs_post.h"

static uint32_t at_most(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t requests(const struct wf_verbs *dev)
{
	return dev->depth + WF_VERBS_LETTERS;
}

static struct ibv_qp *create(struct wf_verbs *dev, const struct wf_verbs_ep *ep,
			     uint32_t *inline_max)
{
	const uint32_t most = (uint32_t)dev->env.config->ib_inline;

	for (uint32_t bytes = most;; bytes /= 2) {
		struct ibv_qp_init_attr attr = {
			.send_cq = ep->cq->cq, .qp_type = IBV_QPT_RC,
			.cap = { .max_send_wr = requests(dev),
				 .max_send_sge = 2,
				 .max_inline_data = bytes }
		};
		struct ibv_qp *qp;

		wf_verbs_rq_fill(ep->rq, &attr);
		qp = ibv_create_qp(dev->pd, &attr);
		if (qp) {
			*inline_max = at_most(attr.cap.max_inline_data, most);
			return qp;
		}
		if (!bytes)
			return NULL;
	}
}

int wf_verbs_failed(struct wf_verbs_ep *ep, const char *what, int error)
{
	const struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);
	char text[WF_VERBS_WHY / 2] = "";

	if (error == ENOMEM)
		wf_memlock_tell(text, sizeof(text));
	snprintf(ep->why, sizeof(ep->why), "device %s does not %s: %s%s",
		 ibv_get_device_name(dev->port.context->device), what,
		 strerror(error), text);
	return error == ENOMEM ? WEFT_ERR_NOMEM : WEFT_ERR_DEVICE;
}

static int to_init(struct wf_verbs *dev, struct ibv_qp *qp)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT, .port_num = dev->port.number,
		.pkey_index = dev->port.pkey_index,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE |
			IBV_ACCESS_REMOTE_READ | wf_verbs_atomic_access(dev)
	};

	return ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PORT |
			     IBV_QP_PKEY_INDEX | IBV_QP_ACCESS_FLAGS);
}

/*
 * What adapters of one vendor do for each other beyond the specification, if
 * both ends of a connection ask for it ("enhanced connection establishment").
 */
static void ask_ece(struct wf_verbs_ep *ep)
{
	struct ibv_ece ece = { .options = 0 };

	if (wf_verbs_dev(ep->ep.dev)->no_ece || ibv_query_ece(ep->qp, &ece) ||
	    ece.comp_mask)
		ece.options = 0;
	ep->ece = (struct wf_verbs_ece){ ece.vendor_id, ece.options };
}

/*
 * Before it receives.  Vendors may mean a version by some of the bits, so both
 * ends ask only where they have the same options.
 */
static bool wants_ece(const struct wf_verbs_ep *ep,
		      const struct wf_verbs_ece *peer)
{
	return peer->options && ep->ece.options == peer->options &&
	       ep->ece.vendor == peer->vendor;
}

static int set_ece(const struct wf_verbs_ep *ep)
{
	struct ibv_ece ece = {
		.vendor_id = ep->ece.vendor, .options = ep->ece.options
	};

	return ibv_set_ece(ep->qp, &ece);
}

/* Of former queue pairs their places, before a further one is created. */
static struct wf_verbs_cq *take_scq(struct wf_verbs *dev)
{
	int events = 1;

	while (events && wf_verbs_polling_helps(&dev->scqs, requests(dev)))
		events = wf_verbs_complete_all(dev);
	return wf_verbs_take_cq(dev, &dev->scqs, requests(dev));
}

/*
 * An errno, or 0.  *what_p: the step that failed, behind which nothing is left.
 * What is posted, and is to go again by this queue pair, stays in the ring.
 */
static int open_qp(struct wf_verbs *dev, struct wf_verbs_ep *ep,
		   const char **what_p)
{
	int error;

	*what_p = "open a completion queue";
	ep->cq = take_scq(dev);
	if (!ep->cq)
		return errno ? errno : EIO;
	*what_p = "open a queue pair";
	ep->qp = create(dev, ep, &ep->inline_max);
	if (!ep->qp) {
		ep->cq->room += requests(dev);
		return errno ? errno : EIO;
	}
	ep->qpn = ep->qp->qp_num;
	ep->psn = (uint32_t)wf_random_u64(dev->env.random) & 0xffffff;
	ask_ece(ep);
	*what_p = "prepare a queue pair";
	error = to_init(dev, ep->qp);
	if (!error)
		error = wf_verbs_rq_start(ep->rq, ep->qp);
	if (error)
		wf_verbs_qp_drop(ep);
	return error;
}

/*
 * The device may have put the queue pair into error since it was created; INIT
 * is refused with EINVAL then.  Another one is created, once: a reset would
 * leave the event of the failure, which is dropped with its queue pair.
 */
int wf_verbs_qp_create(struct wf_verbs *dev, struct wf_verbs_ep *ep)
{
	const char *what;
	int error = open_qp(dev, ep, &what);

	if (error == EINVAL)
		error = open_qp(dev, ep, &what);
	return error ? wf_verbs_failed(ep, what, error) : WEFT_OK;
}

enum ibv_mtu wf_verbs_path_mtu(const struct wf_verbs *dev,
			       const struct wf_verbs_address *peer)
{
	return at_most(dev->port.port.active_mtu, peer->mtu);
}

static int to_receive(struct wf_verbs *dev, struct wf_verbs_ep *ep,
		      const struct wf_verbs_hello *hello)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = wf_verbs_path_mtu(dev, &hello->address),
		.dest_qp_num = hello->qpn, .rq_psn = hello->psn,
		.max_dest_rd_atomic = (uint8_t)at_most(
			16, (uint32_t)dev->port.device.max_qp_rd_atom),
		.min_rnr_timer = 12
	};

	wf_verbs_path(dev, &hello->address, &attr.ah_attr);
	return ibv_modify_qp(ep->qp, &attr, IBV_QP_STATE | IBV_QP_AV |
			     IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
			     IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
			     IBV_QP_MIN_RNR_TIMER);
}

static int to_send(struct wf_verbs *dev, struct wf_verbs_ep *ep,
		   const struct wf_verbs_hello *hello)
{
	const struct wf_config *config = dev->env.config;
	uint32_t reads = at_most(
		16, (uint32_t)dev->port.device.max_qp_init_rd_atom);
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTS, .sq_psn = ep->psn,
		.timeout = (uint8_t)config->ib_timeout,
		.retry_cnt = (uint8_t)config->ib_retry,
		.rnr_retry = (uint8_t)config->ib_rnr_retry,
		.max_rd_atomic = (uint8_t)at_most(reads, hello->address.reads)
	};

	return ibv_modify_qp(ep->qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN |
			     IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
			     IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC);
}

int wf_verbs_qp_join(struct wf_verbs *dev, struct wf_verbs_ep *ep,
		     const struct wf_verbs_hello *hello)
{
	bool wants = wants_ece(ep, &hello->ece);
	int error = wants ? set_ece(ep) : 0;

	if (!error)
		error = to_receive(dev, ep, hello);
	/* The next queue pair says that it has none. */
	dev->no_ece |= wants && error;
	if (!error)
		error = to_send(dev, ep, hello);
	return error ? wf_verbs_failed(ep, "connect a queue pair", error) :
		       WEFT_OK;
}

/* Few are for each; a busy endpoint has more while half of all are free. */
bool wf_verbs_has_slots(const struct wf_verbs_ep *ep, int n)
{
	int spare = ep->nslots + n <= WF_VERBS_EP_SLOTS ?
		WF_VERBS_SPARE_SLOTS : WF_VERBS_SLOTS / 2;

	return wf_verbs_dev(ep->ep.dev)->nfree >= spare + n;
}

char *wf_verbs_take_slot(struct wf_verbs_ep *ep)
{
	struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);

	if (!wf_verbs_has_slots(ep, 1))
		return NULL;
	ep->nslots++;
	return dev->free_slot[--dev->nfree];
}

void wf_verbs_give_slot(struct wf_verbs_ep *ep, char *slot)
{
	struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);

	ep->nslots--;
	dev->free_slot[dev->nfree++] = slot;
}

/* The counters follow from the ring. */
void wf_verbs_recount(struct wf_verbs_ep *ep)
{
	while (ep->hold != ep->head &&
	       ((int32_t)(ep->hold - ep->tail) < 0 ||
		!wf_verbs_at(ep, ep->hold)->holds))
		ep->hold++;
	ep->ep.done = ep->hold == ep->head ? ep->ep.posted :
		wf_verbs_at(ep, ep->hold)->post - 1;
	if (ep->ep.broken)
		ep->ep.flushed = ep->ep.arrived = ep->ep.done;
}

static void bring(struct wf_verbs_ep *ep, const struct wf_verbs_wr *entry)
{
	if (entry->mark.what == WF_VERBS_DO_LOCATE)
		wf_verbs_located(ep, entry);
	else
		memcpy(entry->to, entry->lent == WF_VERBS_LENT_BOUNCE ?
		       entry->bounce : entry->slot, entry->bytes);
}

/* The answer has left memory behind all that was put before it. */
static bool has_looked(const struct wf_verbs_request *r)
{
	return r->opcode == IBV_WR_RDMA_READ || wf_verbs_is_word(r);
}

void wf_verbs_count(uint64_t *counter, const struct wf_verbs_wr *entry)
{
	uint64_t posts = entry->post - entry->part;

	if (posts > *counter)
		*counter = posts;
}

static void finish(struct wf_verbs_ep *ep, struct wf_verbs_wr *entry, bool ok)
{
	wf_verbs_dev(ep->ep.dev)->reports -= entry->reports;
	ep->ep.answers += ok;
	if (ok)
		wf_verbs_count(&ep->ep.arrived, entry);
	if (ok && has_looked(entry->request))
		wf_verbs_count(&ep->ep.flushed, entry);
	if (ok && entry->to)
		bring(ep, entry);
	wf_verbs_undo(ep, entry);
}

/* The first ones that came, without a completion. */
void wf_verbs_retire(struct wf_verbs_ep *ep)
{
	while (ep->tail != ep->head) {
		struct wf_verbs_wr *entry = wf_verbs_at(ep, ep->tail);

		if (!entry->mark.came)
			break;
		finish(ep, entry, true);
		ep->tail++;
	}
	wf_verbs_recount(ep);
}

/* One that is not ready yet: another backend may do. */
void wf_verbs_break(struct wf_verbs_ep *ep, const char *why)
{
	if (ep->ep.broken)
		return;
	if (why != ep->why)
		snprintf(ep->why, sizeof(ep->why), "%s", why);
	if (ep->ep.state == WF_EP_CONNECTING) {
		wf_verbs_decide(ep, WF_EP_REFUSED);
		ep->ep.lack = ep->why;
		return;
	}
	ep->ep.broken = true;
	wf_verbs_owes(wf_verbs_dev(ep->ep.dev), ep);
	wf_verbs_recount(ep);
}

/* Another queue pair would fail in the same way. */
static bool is_refused(enum ibv_wc_status status)
{
	return status == IBV_WC_LOC_LEN_ERR || status == IBV_WC_LOC_PROT_ERR ||
	       status == IBV_WC_LOC_ACCESS_ERR ||
	       status == IBV_WC_REM_ACCESS_ERR || status == IBV_WC_FATAL_ERR;
}

static void complain(struct wf_verbs_ep *ep, const struct ibv_wc *wc)
{
	const struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);
	char text[WF_VERBS_WHY];

	if (ep->ep.broken || ep->life.lost)
		return;
	wf_verbs_tell(ep, wf_verbs_at(ep, (uint32_t)wc->wr_id), wc,
		      text);
	/* A peer that is gone is the ordinary end of a connection. */
	if (wc->status == IBV_WC_RETRY_EXC_ERR ||
	    wc->status == IBV_WC_WR_FLUSH_ERR)
		wf_debug(dev->env.log, "verbs: %s", text);
	else
		WF_LOG_IF(dev->env.log, wf_verbs_level(&ep->life), "verbs: %s",
			  text);
	if (is_refused(wc->status))
		wf_verbs_break(ep, text);
	else
		wf_verbs_lose(ep, text);
	/* Is it the device?  Its events are looked at next. */
	wf_verbs_dev(ep->ep.dev)->passes = 0;
}

/* Of a send queue. */
void wf_verbs_complete(struct wf_verbs *dev, const struct ibv_wc *wc)
{
	uint64_t serial = (wc->wr_id & ~WF_VERBS_LETTER) >> 32;
	struct wf_verbs_ep *ep = wf_map_get(&dev->by_serial, serial);
	uint32_t at = (uint32_t)wc->wr_id;

	if (!ep || wc->qp_num != ep->qpn)
		return;
	if (wc->wr_id & WF_VERBS_LETTER) {
		wf_verbs_said(ep, wc);
		return;
	}
	if (at - ep->tail >= ep->head - ep->tail ||
	    (wc->status && ep->life.lost))
		return;
	if (wc->status)
		complain(ep, wc);
	/* The ones before it were silent, and have succeeded. */
	for (; ep->tail != at; ep->tail++)
		finish(ep, wf_verbs_at(ep, ep->tail), true);
	/* What a lost path has not done is done again. */
	if (!wc->status || !ep->life.lost) {
		finish(ep, wf_verbs_at(ep, at), !wc->status);
		ep->tail++;
	}
	wf_verbs_retire(ep);
}

/* When it returns the device looks at no memory for it any more. */
void wf_verbs_qp_drop(struct wf_verbs_ep *ep)
{
	struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);

	dev->lately = NULL;
	if (!ep->qp)
		return;
	ibv_destroy_qp(ep->qp);
	ep->qp = ep->rq->qp = NULL;
	wf_verbs_give_cq(ep->cq, requests(dev));
	wf_verbs_end_letters(ep);
}

void wf_verbs_qp_destroy(struct wf_verbs_ep *ep)
{
	wf_verbs_qp_drop(ep);
	for (; ep->tail != ep->head; ep->tail++)
		finish(ep, wf_verbs_at(ep, ep->tail), false);
}
