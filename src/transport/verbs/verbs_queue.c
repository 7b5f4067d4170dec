/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queue pairs, and what is under way on them.
 *
 * Work requests complete in order, so they are a ring; a completion answers
 * for all before it.  What holds memory always reports; of those that do not,
 * one of WF_VERBS_SILENT.  A queue pair in error completes what is left of the
 * ring one by one: sources are free only then, if the endpoint is broken; if
 * its path is lost, the ring stays as it is for the next queue pair.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "base/assert.h"
#include "base/config.h"
#include "base/log.h"
#include "base/random.h"
#include "transport/verbs/verbs.h"

static uint32_t at_most(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* One whose entries hold all that another queue pair may post. */
static struct wf_verbs_cq *take_cq(struct wf_verbs *dev)
{
	uint32_t entries = at_most(WF_VERBS_SCQ,
				   (uint32_t)dev->port.device.max_cqe);
	struct wf_verbs_cq *c;

	for (int i = 0; i < dev->nscqs; i++)
		if (dev->scq[i].room >= WF_VERBS_WRS) {
			dev->scq[i].room -= WF_VERBS_WRS;
			return &dev->scq[i];
		}
	if (dev->nscqs == WF_VERBS_SCQS || entries < WF_VERBS_WRS)
		return NULL;
	c = &dev->scq[dev->nscqs];
	c->cq = ibv_create_cq(dev->port.context, (int)entries, NULL,
			      dev->channel, 0);
	if (!c->cq)
		return NULL;
	c->room = entries - WF_VERBS_WRS;
	dev->nscqs++;
	return c;
}

static struct ibv_qp *create(struct wf_verbs *dev, struct wf_verbs_cq *cq,
			     uint32_t *inline_max)
{
	for (uint32_t bytes = WF_VERBS_INLINE;; bytes /= 2) {
		struct ibv_qp_init_attr attr = {
			.send_cq = cq->cq, .recv_cq = dev->rcq,
			.srq = dev->srq, .qp_type = IBV_QPT_RC,
			.cap = { .max_send_wr = WF_VERBS_WRS,
				 .max_send_sge = 2,
				 .max_inline_data = bytes }
		};
		struct ibv_qp *qp = ibv_create_qp(dev->pd, &attr);

		if (qp) {
			*inline_max = at_most(attr.cap.max_inline_data,
					      WF_VERBS_INLINE);
			return qp;
		}
		if (!bytes)
			return NULL;
	}
}

static int qp_failed(const struct wf_verbs *dev, const char *what, int error)
{
	char text[WF_VERBS_WHY] = "";

	if (error == ENOMEM)
		wf_verbs_memlock(text, sizeof(text));
	wf_error(dev->env.log, "verbs: device %s does not %s: %s%s",
		 ibv_get_device_name(dev->port.context->device), what,
		 strerror(error), text);
	return error == ENOMEM ? WEFT_ERR_NOMEM : WEFT_ERR_DEVICE;
}

int wf_verbs_qp_create(struct wf_verbs *dev, struct wf_verbs_ep *ep)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT, .port_num = dev->port.number,
		.pkey_index = dev->port.pkey_index,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE |
			IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC
	};
	int error;

	ep->cq = take_cq(dev);
	if (!ep->cq)
		return qp_failed(dev, "open a completion queue", errno);
	ep->qp = create(dev, ep->cq, &ep->inline_max);
	if (!ep->qp) {
		ep->cq->room += WF_VERBS_WRS;
		return qp_failed(dev, "open a queue pair", errno);
	}
	ep->qpn = ep->qp->qp_num;
	ep->psn = (uint32_t)wf_random_u64(dev->env.random) & 0xffffff;
	error = ibv_modify_qp(ep->qp, &attr, IBV_QP_STATE | IBV_QP_PORT |
			      IBV_QP_PKEY_INDEX | IBV_QP_ACCESS_FLAGS);
	if (!error)
		return WEFT_OK;
	wf_verbs_qp_destroy(ep);
	return qp_failed(dev, "prepare a queue pair", error);
}

static int to_receive(struct wf_verbs *dev, struct wf_verbs_ep *ep,
		      const struct wf_verbs_hello *hello)
{
	enum ibv_mtu own = dev->port.port.active_mtu;
	enum ibv_mtu peer = hello->address.mtu;
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR, .path_mtu = own < peer ? own : peer,
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
	int error = to_receive(dev, ep, hello);

	if (!error)
		error = to_send(dev, ep, hello);
	return error ? qp_failed(dev, "connect a queue pair", error) : WEFT_OK;
}

char *wf_verbs_take_slot(struct wf_verbs_ep *ep)
{
	struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);

	if (dev->nfree <= WF_VERBS_SPARE_SLOTS ||
	    ep->nslots >= WF_VERBS_EP_SLOTS)
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

/* What it has is given back; it was not posted, or it is complete. */
void wf_verbs_undo(struct wf_verbs_ep *ep, struct wf_verbs_wr *entry)
{
	if (entry->slot)
		wf_verbs_give_slot(ep, entry->slot);
	if (entry->mr)
		ibv_dereg_mr(entry->mr);
	wf_pool_put(&wf_verbs_dev(ep->ep.dev)->kept, entry->again);
	entry->slot = NULL;
	entry->mr = NULL;
	entry->again = NULL;
}

/* Room for n work requests more; broken or lost is the same to the caller. */
int wf_verbs_room(const struct wf_verbs_ep *ep, uint32_t n)
{
	bool usable = !ep->ep.broken && !ep->life.lost;

	WF_ASSERT(ep->ep.state == WF_EP_READY);
	return usable && ep->head - ep->tail + n <= WF_VERBS_SQ ? WEFT_OK :
								  WEFT_AGAIN;
}

static bool is_numbered(const struct ibv_send_wr *wr)
{
	return wr->opcode == IBV_WR_SEND ||
	       wr->opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
}

/* It takes the next place of the ring; there is room. */
static int enter(struct wf_verbs_ep *ep, struct wf_verbs_post *p)
{
	struct wf_verbs_wr *entry = &ep->ring[ep->head % WF_VERBS_SQ];
	bool is_inline = p->copied && p->entry.bytes <= ep->inline_max;

	p->wr.wr_id = (uint64_t)ep->serial << 32 | ep->head;
	p->wr.sg_list = p->sge;
	if (is_inline && p->entry.bytes)
		p->wr.send_flags |= IBV_SEND_INLINE;
	if (!is_inline || ep->silent + 1 >= WF_VERBS_SILENT)
		p->wr.send_flags |= IBV_SEND_SIGNALED;
	p->entry.again = wf_pool_take(&wf_verbs_dev(ep->ep.dev)->kept);
	if (!p->entry.again) {
		wf_verbs_undo(ep, &p->entry);
		return WEFT_ERR_NOMEM;
	}
	wf_verbs_keep(p->entry.again, p);
	p->silent = ep->silent;
	*entry = p->entry;
	entry->mark.number = ep->numbered;
	entry->mark.numbered = is_numbered(&p->wr);
	if (ep->hold == ep->head && !entry->holds)
		ep->hold++;
	entry->reports = p->wr.send_flags & IBV_SEND_SIGNALED;
	wf_verbs_dev(ep->ep.dev)->reports += entry->reports;
	ep->head++;
	ep->numbered += entry->mark.numbered;
	ep->silent = entry->reports ? 0 : ep->silent + 1;
	return WEFT_OK;
}

/* The last one that entered was not posted. */
static void take_back(struct wf_verbs_ep *ep, struct wf_verbs_post *p)
{
	ep->head--;
	if ((int32_t)(ep->hold - ep->head) > 0)
		ep->hold = ep->head;
	ep->numbered -= is_numbered(&p->wr);
	ep->silent = p->silent;
	wf_verbs_dev(ep->ep.dev)->reports -=
		ep->ring[ep->head % WF_VERBS_SQ].reports;
	wf_verbs_undo(ep, &p->entry);
}

/* Both enter, or none: then nothing is left of either. */
static int enter_both(struct wf_verbs_ep *ep, struct wf_verbs_post *first,
		      struct wf_verbs_post *p)
{
	int status = enter(ep, first);

	if (status) {
		wf_verbs_undo(ep, &p->entry);
		return status;
	}
	first->wr.next = &p->wr;
	status = enter(ep, p);
	if (status)
		take_back(ep, first);
	return status;
}

/*
 * There is room.  If it fails, nothing is left of it; one before it may be with
 * the device.  Which one failed the device may not say, as Soft-RoCE does: then
 * the path is lost, since what is written again is the same.
 */
int wf_verbs_do(struct wf_verbs_ep *ep, struct wf_verbs_post *p)
{
	struct wf_verbs_post *first = p->before ? p->before : p;
	struct ibv_send_wr *bad = NULL;
	int error, status = first == p ? enter(ep, p) :
					 enter_both(ep, first, p);

	if (status)
		return status;
	error = ibv_post_send(ep->qp, &first->wr, &bad);
	if (!error)
		return WEFT_OK;
	take_back(ep, p);
	if (first != p && bad != &p->wr)
		take_back(ep, first);
	if (error != ENOMEM || (first != p && !bad))
		wf_verbs_lose(ep, strerror(error));
	return WEFT_AGAIN;
}

/* The counters follow from the ring. */
void wf_verbs_recount(struct wf_verbs_ep *ep)
{
	while (ep->hold != ep->head &&
	       ((int32_t)(ep->hold - ep->tail) < 0 ||
		!ep->ring[ep->hold % WF_VERBS_SQ].holds))
		ep->hold++;
	ep->ep.done = ep->hold == ep->head ? ep->ep.posted :
		ep->ring[ep->hold % WF_VERBS_SQ].post - 1;
	if (ep->ep.broken)
		ep->ep.flushed = ep->ep.done;
}

/* All work requests of the next post are with the device: it counts. */
void wf_verbs_posted(struct wf_verbs_ep *ep)
{
	ep->ep.posted++;
	if (ep->hold == ep->head)
		ep->ep.done = ep->ep.posted;
}

static void finish(struct wf_verbs_ep *ep, struct wf_verbs_wr *entry, bool ok)
{
	uint64_t seen = entry->post - entry->part;

	wf_verbs_dev(ep->ep.dev)->reports -= entry->reports;
	if (ok && seen > ep->ep.flushed)
		ep->ep.flushed = seen;
	if (ok && entry->to && entry->mark.what != WF_VERBS_DO_LOCATE)
		memcpy(entry->to, entry->slot, entry->bytes);
	if (ok && entry->mark.what == WF_VERBS_DO_LOCATE)
		wf_verbs_located(ep, entry);
	wf_verbs_undo(ep, entry);
}

/* The first ones that came, without a completion. */
void wf_verbs_retire(struct wf_verbs_ep *ep)
{
	while (ep->tail != ep->head) {
		struct wf_verbs_wr *entry = &ep->ring[ep->tail % WF_VERBS_SQ];

		if (!entry->mark.came)
			break;
		finish(ep, entry, true);
		ep->tail++;
	}
	wf_verbs_recount(ep);
}

void wf_verbs_break(struct wf_verbs_ep *ep, const char *why)
{
	if (ep->ep.broken)
		return;
	ep->ep.broken = true;
	snprintf(ep->why, sizeof(ep->why), "%s", why);
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
	wf_verbs_tell(ep, &ep->ring[(uint32_t)wc->wr_id % WF_VERBS_SQ], wc,
		      text);
	/* A peer that is gone is the ordinary end of a connection. */
	if (wc->status == IBV_WC_RETRY_EXC_ERR ||
	    wc->status == IBV_WC_WR_FLUSH_ERR)
		wf_debug(dev->env.log, "verbs: %s", text);
	else
		wf_warn(dev->env.log, "verbs: %s", text);
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
		finish(ep, &ep->ring[ep->tail % WF_VERBS_SQ], true);
	/* What a lost path has not done is done again. */
	if (!wc->status || !ep->life.lost) {
		finish(ep, &ep->ring[at % WF_VERBS_SQ], !wc->status);
		ep->tail++;
	}
	wf_verbs_retire(ep);
}

/* When it returns the device looks at no memory for it any more. */
void wf_verbs_qp_drop(struct wf_verbs_ep *ep)
{
	if (!ep->qp)
		return;
	ibv_destroy_qp(ep->qp);
	ep->qp = NULL;
	ep->cq->room += WF_VERBS_WRS;
	wf_verbs_end_letters(ep);
}

void wf_verbs_qp_destroy(struct wf_verbs_ep *ep)
{
	wf_verbs_qp_drop(ep);
	for (; ep->tail != ep->head; ep->tail++)
		finish(ep, &ep->ring[ep->tail % WF_VERBS_SQ], false);
}
