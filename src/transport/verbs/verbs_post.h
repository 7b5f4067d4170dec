/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How work requests are made and posted.  Each is staged in the next place of
 * the ring and filled in there; it is kept until it is complete, so that it can
 * be posted once more on another queue pair.  What goes inline is copied when
 * it is staged; all other memory stays as it is until the post is done.
 *
 * This is most of what a small message costs: it is compiled into the ops.
 */
#ifndef WEFT_TRANSPORT_VERBS_POST_H
#define WEFT_TRANSPORT_VERBS_POST_H

#include <endian.h>
#include <errno.h>
#include <string.h>
#include "base/assert.h"
#include "transport/verbs/verbs.h"

/* The form in which a device takes one, while it is posted. */
struct wf_verbs_form {
	struct ibv_send_wr wr;
	struct ibv_sge whole;
};

/*
 * The next one of at most WF_VERBS_CHAIN, for which there is room in the ring;
 * NULL: no memory.  It is of the next post, reports, and has no bytes so far.
 */
static inline struct wf_verbs_wr *wf_verbs_stage(struct wf_verbs_ep *ep,
						 enum ibv_wr_opcode opcode,
						 enum wf_verbs_what what)
{
	struct wf_verbs_request *r =
		wf_pool_take(&wf_verbs_dev(ep->ep.dev)->kept);
	struct wf_verbs_wr *entry = wf_verbs_at(ep, ep->head + ep->staged);

	WF_ASSERT(ep->staged < WF_VERBS_CHAIN);
	if (!r)
		return NULL;
	r->opcode = (uint8_t)opcode;
	r->pieces = 0;
	r->is_inline = false;
	r->fenced = false;
	r->imm = 0;
	*entry = (struct wf_verbs_wr){
		.post = ep->ep.posted + 1, .request = r,
		.mark = { .what = (uint8_t)what,
			  .numbered = opcode == IBV_WR_SEND ||
				opcode == IBV_WR_RDMA_WRITE_WITH_IMM },
		.reports = true
	};
	ep->staged++;
	return entry;
}

void wf_verbs_clear(struct wf_verbs_ep *ep, struct wf_verbs_wr *entry);

/* What it has is given back; it was not posted, or it is complete. */
static inline void wf_verbs_undo(struct wf_verbs_ep *ep,
				 struct wf_verbs_wr *entry)
{
	if (entry->slot || entry->lent)
		wf_verbs_clear(ep, entry);
	wf_pool_put(&wf_verbs_dev(ep->ep.dev)->kept, entry->request);
	entry->request = NULL;
}

static inline void wf_verbs_aim(struct wf_verbs_wr *entry, uint64_t address,
				uint64_t key)
{
	entry->request->address = address;
	entry->request->key = (uint32_t)key;
}

static inline bool wf_verbs_fits_inline(const struct wf_verbs_ep *ep,
					const struct wf_verbs_wr *entry,
					size_t n)
{
	return entry->bytes + n <= ep->inline_max && !entry->request->pieces;
}

/* Where n bytes go that fit; of inline ones only some report. */
static inline char *wf_verbs_inline(struct wf_verbs_wr *entry, size_t n)
{
	char *to = entry->request->copy + entry->bytes;

	entry->request->is_inline = true;
	entry->reports = false;
	entry->bytes += (uint32_t)n;
	return to;
}

/* Where n bytes of ours go, inline or in a slot; NULL: there is none now. */
static inline char *wf_verbs_copied(struct wf_verbs_ep *ep,
				    struct wf_verbs_wr *entry, size_t n)
{
	if (wf_verbs_fits_inline(ep, entry, n))
		return wf_verbs_inline(entry, n);
	return wf_verbs_slotted(ep, entry, n);
}

/* Copies what fits, n > 0 bytes: a few words as a rule. */
static inline void wf_verbs_copy_inline(struct wf_verbs_wr *entry,
					const void *from, size_t n)
{
	char *to = wf_verbs_inline(entry, n);

	for (; n >= 8; n -= 8, to += 8, from = (const char *)from + 8)
		memcpy(to, from, 8);
	if (n)
		memcpy(to, from, n);
}

/* The peer hears of it by immediate data, which raise this signal. */
static inline void wf_verbs_let_raise(const struct wf_verbs_ep *ep,
				      struct wf_verbs_wr *entry, uint32_t sig)
{
	entry->request->opcode = IBV_WR_RDMA_WRITE_WITH_IMM;
	entry->request->imm = htobe32(wf_verbs_imm(sig, ep->numbered));
	entry->mark.numbered = true;
}

/*
 * Does it report?  Those in a row that do not, with it: less than a quarter of
 * the ring, so that whoever waits for room in it gets some.
 */
static inline uint32_t wf_verbs_silent(const struct wf_verbs_ep *ep,
				       struct wf_verbs_wr *entry,
				       uint32_t silent)
{
	if (silent + 1 >= ep->depth / 4)
		entry->reports = true;
	return entry->reports ? 0 : silent + 1;
}

static inline bool wf_verbs_is_word(const struct wf_verbs_request *r)
{
	return r->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD ||
	       r->opcode == IBV_WR_ATOMIC_CMP_AND_SWP;
}

static inline void wf_verbs_fill(struct wf_verbs_ep *ep, uint32_t at,
				 struct wf_verbs_form *form)
{
	const struct wf_verbs_wr *entry = wf_verbs_at(ep, at);
	struct wf_verbs_request *r = entry->request;
	struct ibv_send_wr *wr = &form->wr;

	wr->wr_id = (uint64_t)ep->serial << 32 | at;
	wr->next = NULL;
	wr->opcode = r->opcode;
	wr->send_flags = (entry->reports ? IBV_SEND_SIGNALED : 0) |
			 (r->fenced ? IBV_SEND_FENCE : 0);
	wr->imm_data = r->imm;
	if (r->is_inline) {
		form->whole = (struct ibv_sge){ (uintptr_t)r->copy,
						entry->bytes, 0 };
		wr->send_flags |= IBV_SEND_INLINE;
	}
	wr->sg_list = r->is_inline ? &form->whole : r->from.sge;
	wr->num_sge = r->is_inline ? 1 : r->pieces;
	if (wf_verbs_is_word(r)) {
		wr->wr.atomic.remote_addr = r->address;
		wr->wr.atomic.rkey = r->key;
		wr->wr.atomic.compare_add = r->from.operand[0];
		wr->wr.atomic.swap = r->from.operand[1];
	} else {
		wr->wr.rdma.remote_addr = r->address;
		wr->wr.rdma.rkey = r->key;
	}
}

/* The first one that is staged is with the device. */
static inline void wf_verbs_enter(struct wf_verbs_ep *ep)
{
	struct wf_verbs_wr *entry = wf_verbs_at(ep, ep->head);

	entry->mark.number = ep->numbered;
	if (ep->hold == ep->head && !entry->holds)
		ep->hold++;
	wf_verbs_dev(ep->ep.dev)->reports += entry->reports;
	ep->silent = entry->reports ? 0 : ep->silent + 1;
	ep->numbered += entry->mark.numbered;
	ep->head++;
	ep->staged--;
}

/*
 * Posts all that are staged with one doorbell.  If it fails, nothing is left of
 * them but the first ones that are with the device.  Whoever fails before that
 * discards them.
 */
int wf_verbs_do(struct wf_verbs_ep *ep);
int wf_verbs_refused(struct wf_verbs_ep *ep, int error, bool said);

/* The same for the only one. */
static inline int wf_verbs_do_one(struct wf_verbs_ep *ep)
{
	struct ibv_send_wr *bad;
	struct wf_verbs_form form;
	int error;

	WF_ASSERT(ep->staged == 1);
	wf_verbs_silent(ep, wf_verbs_at(ep, ep->head), ep->silent);
	wf_verbs_fill(ep, ep->head, &form);
	error = ibv_post_send(ep->qp, &form.wr, &bad);
	if (error)
		return wf_verbs_refused(ep, error, true);
	wf_verbs_enter(ep);
	return WEFT_OK;
}

/*
 * Posts the only one with a signal behind its bytes, or discards it.  Where the
 * packets of a write may take several ways, on InfiniBand, the immediate behind
 * many bytes is a write of its own, as NCCL has it: that is executed when they
 * are in memory, whatever way they took.
 */
static inline int wf_verbs_raise(struct wf_verbs_ep *ep,
				 struct wf_verbs_wr *bytes, uint32_t sig)
{
	const struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);

	if (wf_verbs_stores(sig))
		return wf_verbs_raise_stored(ep, bytes, sig);
	if (bytes->bytes > WF_VERBS_ROUTED && !dev->port.ethernet)
		return wf_verbs_raise_behind(ep, bytes, sig);
	wf_verbs_let_raise(ep, bytes, sig);
	return wf_verbs_do_one(ep);
}

/* Room for n work requests more; broken or lost is the same to the caller. */
static inline int wf_verbs_room(const struct wf_verbs_ep *ep, uint32_t n)
{
	bool usable = !ep->ep.broken && !ep->life.lost;

	WF_ASSERT(ep->ep.state == WF_EP_READY);
	return usable && ep->head - ep->tail + n <= ep->depth ? WEFT_OK :
								WEFT_AGAIN;
}

/* All work requests of the next post are with the device: it counts. */
static inline void wf_verbs_posted(struct wf_verbs_ep *ep)
{
	ep->ep.posted++;
	if (ep->hold == ep->head)
		ep->ep.done = ep->ep.posted;
}

#endif
