/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fetch_add and cas: the adapter of the owner does them, for all ranks, the
 * owner too.  The old value comes into a slot, and from there to the caller.
 */
#include "transport/verbs/verbs.h"
#include "transport/word.h"

static int ask(struct wf_verbs_ep *ep, struct wf_verbs_post *p)
{
	struct wf_verbs *dev = wf_verbs_dev(ep->ep.dev);
	int status = wf_verbs_room(ep, 1);

	if (status)
		return status;
	p->entry.slot = wf_verbs_take_slot(ep);
	if (!p->entry.slot)
		return WEFT_AGAIN;
	p->sge[0] = (struct ibv_sge){ (uintptr_t)p->entry.slot, WF_WORD_BYTES,
				      dev->buffer_mr->lkey };
	p->wr.num_sge = 1;
	p->entry.bytes = WF_WORD_BYTES;
	p->entry.mark.what = WF_VERBS_DO_WORD;
	return wf_verbs_do(ep, p);
}

static int post(struct wf_ep *base, struct wf_rloc dst,
		struct wf_verbs_post *p, uint64_t *old)
{
	struct wf_verbs_ep *ep = wf_verbs_ep(base);
	int status;

	if (dst.addr % WF_WORD_BYTES || dst.key >> 32 != ep->tag)
		return WEFT_ERR_RANGE;
	p->wr.wr.atomic.remote_addr = dst.addr;
	p->wr.wr.atomic.rkey = (uint32_t)dst.key;
	p->entry.post = base->posted + 1;
	p->entry.to = old;
	p->entry.holds = true;
	status = ask(ep, p);
	if (!status)
		wf_verbs_posted(ep);
	return status;
}

int wf_verbs_fetch_add(struct wf_ep *ep, struct wf_rloc dst, uint64_t add,
		       uint64_t *old)
{
	struct wf_verbs_post p = {
		.wr = { .opcode = IBV_WR_ATOMIC_FETCH_AND_ADD }
	};

	p.wr.wr.atomic.compare_add = add;
	return post(ep, dst, &p, old);
}

int wf_verbs_cas(struct wf_ep *ep, struct wf_rloc dst, uint64_t expected,
		 uint64_t desired, uint64_t *old)
{
	struct wf_verbs_post p = {
		.wr = { .opcode = IBV_WR_ATOMIC_CMP_AND_SWP }
	};

	p.wr.wr.atomic.compare_add = expected;
	p.wr.wr.atomic.swap = desired;
	return post(ep, dst, &p, old);
}

/* A part of this post; nobody wants to know what was there. */
int wf_verbs_add_one(struct wf_verbs_ep *ep, struct wf_rloc dst,
		     uint64_t post)
{
	struct wf_verbs_post p = {
		.wr = { .opcode = IBV_WR_ATOMIC_FETCH_AND_ADD },
		.entry = { .post = post }
	};

	p.wr.wr.atomic.remote_addr = dst.addr;
	p.wr.wr.atomic.rkey = (uint32_t)dst.key;
	p.wr.wr.atomic.compare_add = 1;
	return ask(ep, &p);
}
