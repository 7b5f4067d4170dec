/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work requests as they are kept until they are complete, so that they can be
 * posted again on another queue pair.  What was inline is copied; all other
 * memory stays as it is until the post is done.
 */
#include <string.h>
#include "transport/verbs/verbs.h"

static bool is_atomic(unsigned opcode)
{
	return opcode == IBV_WR_ATOMIC_FETCH_AND_ADD ||
	       opcode == IBV_WR_ATOMIC_CMP_AND_SWP;
}

static void copy(struct wf_verbs_again *a, const struct wf_verbs_post *p)
{
	char *to = a->copy;

	for (int i = 0; i < p->wr.num_sge; i++) {
		memcpy(to, (const void *)(uintptr_t)p->sge[i].addr,
		       p->sge[i].length);
		to += p->sge[i].length;
	}
}

static void keep_operands(struct wf_verbs_again *a,
			  const struct ibv_send_wr *wr)
{
	a->address = wr->wr.atomic.remote_addr;
	a->key = wr->wr.atomic.rkey;
	a->from.operand[0] = wr->wr.atomic.compare_add;
	a->from.operand[1] = wr->wr.atomic.swap;
}

void wf_verbs_keep(struct wf_verbs_again *a, const struct wf_verbs_post *p)
{
	a->opcode = (uint8_t)p->wr.opcode;
	a->pieces = (uint8_t)p->wr.num_sge;
	a->is_inline = p->wr.send_flags & IBV_SEND_INLINE;
	a->imm = p->wr.imm_data;
	a->address = p->wr.wr.rdma.remote_addr;
	a->key = p->wr.wr.rdma.rkey;
	if (a->is_inline)
		copy(a, p);
	else
		memcpy(a->from.sge, p->sge, sizeof(a->from.sge));
	if (is_atomic(a->opcode))
		keep_operands(a, &p->wr);
}

static void aim(const struct wf_verbs_again *a, struct ibv_send_wr *wr)
{
	if (is_atomic(a->opcode)) {
		wr->wr.atomic.remote_addr = a->address;
		wr->wr.atomic.rkey = a->key;
		wr->wr.atomic.compare_add = a->from.operand[0];
		wr->wr.atomic.swap = a->from.operand[1];
	} else {
		wr->wr.rdma.remote_addr = a->address;
		wr->wr.rdma.rkey = a->key;
	}
}

/* It reports, whether it did so before or not. */
bool wf_verbs_do_again(struct wf_verbs_ep *ep, uint32_t at)
{
	struct wf_verbs_wr *entry = &ep->ring[at % WF_VERBS_SQ];
	struct wf_verbs_again *a = entry->again;
	struct ibv_sge whole = { (uintptr_t)a->copy, entry->bytes, 0 };
	struct ibv_send_wr *bad, wr = {
		.wr_id = (uint64_t)ep->serial << 32 | at,
		.sg_list = a->is_inline ? &whole : a->from.sge,
		.num_sge = a->is_inline ? 1 : a->pieces,
		.opcode = a->opcode, .imm_data = a->imm,
		.send_flags = IBV_SEND_SIGNALED |
			      (a->is_inline ? IBV_SEND_INLINE : 0)
	};

	wf_verbs_dev(ep->ep.dev)->reports += !entry->reports;
	entry->reports = true;
	aim(a, &wr);
	return !ibv_post_send(ep->qp, &wr, &bad);
}
