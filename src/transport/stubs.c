/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a backend that lacks an op puts into its table, one typed function for
 * each, so that no pointer is NULL.  Reached only by code that did not ask
 * for the capability bit.
 */
#include "transport/stubs.h"

/* Where all nodes that are joined have the same network, none is agreed on. */
size_t wf_stub_offer(const struct wf_tp_env *env, void *to, size_t bytes)
{
	(void)env;
	(void)to;
	(void)bytes;
	return 0;
}

void wf_stub_forget(void)
{
}

int wf_stub_fence(struct wf_ep *ep)
{
	(void)ep;
	return WEFT_ERR_UNSUPPORTED;
}

int wf_stub_arm(struct wf_device *dev, int *ms_p)
{
	(void)dev;
	(void)ms_p;
	return WEFT_ERR_UNSUPPORTED;
}

void wf_stub_disarm(struct wf_device *dev)
{
	(void)dev;
}

int wf_stub_descriptor(struct wf_device *dev)
{
	(void)dev;
	return -1;
}

void wf_stub_joined(struct wf_device *dev)
{
	(void)dev;
}

/* Not every backend shares memory with a node; another one tells. */
bool wf_stub_tell(struct wf_device *dev, int dead_rank)
{
	(void)dev;
	(void)dead_rank;
	return false;
}

int wf_stub_board(struct wf_device *dev, const struct wf_swap *swap,
		  uint64_t *seen_p)
{
	(void)dev;
	(void)swap;
	(void)seen_p;
	return WEFT_ERR_UNSUPPORTED;
}

int wf_stub_reach(struct wf_ep *ep, struct wf_rloc dst, size_t n, uint32_t sig,
		  void **to_p)
{
	(void)ep;
	(void)dst;
	(void)n;
	(void)sig;
	(void)to_p;
	return WEFT_ERR_UNSUPPORTED;
}

int wf_stub_get(struct wf_ep *ep, struct wf_loc dst, struct wf_rloc src,
		size_t n)
{
	(void)ep;
	(void)dst;
	(void)src;
	(void)n;
	return WEFT_ERR_UNSUPPORTED;
}

int wf_stub_fetch_add(struct wf_ep *ep, struct wf_rloc dst, uint64_t add,
		      uint64_t *old)
{
	(void)ep;
	(void)dst;
	(void)add;
	(void)old;
	return WEFT_ERR_UNSUPPORTED;
}

int wf_stub_cas(struct wf_ep *ep, struct wf_rloc dst, uint64_t expected,
		uint64_t desired, uint64_t *old)
{
	(void)ep;
	(void)dst;
	(void)expected;
	(void)desired;
	(void)old;
	return WEFT_ERR_UNSUPPORTED;
}
