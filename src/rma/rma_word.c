/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomics on a word of a peer's part: the public calls and what each posts. */
#include "rma/rma_op.h"

static uint64_t *old_of(const struct wf_rma_op *op)
{
	return (uint64_t *)(void *)op->local;
}

static int post_fetch_add(struct wf_rma_op *op, struct wf_rloc at,
			  size_t bytes)
{
	struct wf_ep *ep = op->wait.link->peer->ep;

	(void)bytes;
	return ep->ops->fetch_add(ep, at, op->operand, old_of(op));
}

static int post_cas(struct wf_rma_op *op, struct wf_rloc at, size_t bytes)
{
	struct wf_ep *ep = op->wait.link->peer->ep;

	(void)bytes;
	return ep->ops->cas(ep, at, op->expected, op->operand, old_of(op));
}

static const struct wf_rma_op_kind fetch_add_kind = {
	.call = "weft_fetch_add", .post = post_fetch_add, .fetches = true,
	.word = true, .needs = WF_CAP_ATOMIC
};

static const struct wf_rma_op_kind cas_kind = {
	.call = "weft_cas", .post = post_cas, .fetches = true, .word = true,
	.needs = WF_CAP_ATOMIC
};

int weft_fetch_add(const struct weft_target *at, uint64_t add,
		   uint64_t *old_p, struct weft_request **req_p)
{
	const struct wf_rma_op op = {
		.kind = &fetch_add_kind, .local = (char *)old_p,
		.bytes = sizeof(*old_p), .need = { WF_RMA_NO_NUMBER, true, 0 },
		.operand = add
	};

	return wf_rma_do(at, &op, req_p);
}

int weft_cas(const struct weft_target *at, uint64_t expected,
	     uint64_t desired, uint64_t *old_p, struct weft_request **req_p)
{
	const struct wf_rma_op op = {
		.kind = &cas_kind, .local = (char *)old_p,
		.bytes = sizeof(*old_p), .need = { WF_RMA_NO_NUMBER, true, 0 },
		.operand = desired, .expected = expected
	};

	return wf_rma_do(at, &op, req_p);
}
