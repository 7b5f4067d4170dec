/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomics on a word of a peer's part: the public calls and what each posts. */
#include "rma/rma_op.h"

/* By the transport, or by the owner. */
static int post(struct wf_rma_op *op, struct wf_rloc at, size_t bytes)
{
	struct wf_rma_link *link = op->wait.link;
	const struct wf_word_op *word = &op->word;
	uint64_t *old = (uint64_t *)(void *)op->local;
	struct wf_ep *ep = link->peer->ep;
	int status;

	(void)bytes;
	if (link->words == WF_RMA_WORDS_ASKED) {
		op->wait.what = "an atomic op by its owner";
		status = wf_rma_agent_ask(link, op->offset, word, old);
		op->asked = status ? 0 : link->asked_word.number;
		return status;
	}
	if (word->is_cas)
		return ep->ops->cas(ep, at, word->expected, word->operand, old);
	return ep->ops->fetch_add(ep, at, word->operand, old);
}

static const struct wf_rma_op_kind fetch_add_kind = {
	.call = "weft_fetch_add", .post = post, .fetches = true, .word = true
};

static const struct wf_rma_op_kind cas_kind = {
	.call = "weft_cas", .post = post, .fetches = true, .word = true
};

int weft_fetch_add(const struct weft_target *at, uint64_t add,
		   uint64_t *old_p, struct weft_request **req_p)
{
	const struct wf_rma_order order = {
		.kind = &fetch_add_kind, .local = (char *)old_p,
		.bytes = sizeof(*old_p), .number = WF_RMA_NO_NUMBER,
		.word = { .operand = add }
	};

	return wf_rma_do(at, &order, req_p);
}

int weft_cas(const struct weft_target *at, uint64_t expected,
	     uint64_t desired, uint64_t *old_p, struct weft_request **req_p)
{
	const struct wf_rma_order order = {
		.kind = &cas_kind, .local = (char *)old_p,
		.bytes = sizeof(*old_p), .number = WF_RMA_NO_NUMBER,
		.word = { desired, expected, true }
	};

	return wf_rma_do(at, &order, req_p);
}
