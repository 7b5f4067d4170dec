/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes to a peer and from it: the public calls and what each posts. */
#include "rma/rma_op.h"

static int post_put(struct wf_rma_op *op, struct wf_rloc at, size_t bytes)
{
	struct wf_ep *ep = op->wait.link->peer->ep;

	return ep->ops->put(ep, wf_loc_any(op->local + op->done), at, bytes);
}

static int post_get(struct wf_rma_op *op, struct wf_rloc at, size_t bytes)
{
	struct wf_ep *ep = op->wait.link->peer->ep;

	return ep->ops->get(ep, wf_loc_any(op->local + op->done), at, bytes);
}

/* Pieces before the last one are plain puts. */
static int post_put_signal(struct wf_rma_op *op, struct wf_rloc at,
			   size_t bytes)
{
	struct wf_ep *ep = op->wait.link->peer->ep;
	struct wf_rma_raiser *raiser = op->raiser;
	bool quick = raiser->raised < raiser->most;
	int status;

	if (op->done + bytes < op->bytes)
		return post_put(op, at, bytes);
	status = ep->ops->put_signal(ep, wf_loc_any(op->local + op->done), at,
				     bytes, quick ? raiser->quick :
				     raiser->sig, NULL);
	raiser->raised += quick && !status;
	return status;
}

static const struct wf_rma_op_kind put_kind = {
	.call = "weft_put", .post = post_put
};

static const struct wf_rma_op_kind put_signal_kind = {
	.call = "weft_put_signal", .post = post_put_signal, .signals = true
};

static const struct wf_rma_op_kind get_kind = {
	.call = "weft_get", .post = post_get, .fetches = true,
	.needs = WF_CAP_GET
};

int weft_put(const struct weft_target *to, const void *src, size_t n,
	     struct weft_request **req_p)
{
	const struct wf_rma_order order = {
		.kind = &put_kind, .local = (char *)(uintptr_t)src, .bytes = n,
		.number = WF_RMA_NO_NUMBER
	};

	return wf_rma_do(to, &order, req_p);
}

int weft_put_signal(const struct weft_target *to, const void *src, size_t n,
		    uint32_t signal, struct weft_request **req_p)
{
	const struct wf_rma_order order = {
		.kind = &put_signal_kind, .local = (char *)(uintptr_t)src,
		.bytes = n, .number = signal
	};

	return wf_rma_do(to, &order, req_p);
}

int weft_get(const struct weft_target *from, void *dst, size_t n,
	     struct weft_request **req_p)
{
	const struct wf_rma_order order = {
		.kind = &get_kind, .local = dst, .bytes = n,
		.number = WF_RMA_NO_NUMBER
	};

	return wf_rma_do(from, &order, req_p);
}
