/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Typed stubs: what a backend that cannot do an op puts into its table, with
 * the capability bit clear.
 *
 * Included by backends and by the check of their tables; nobody else calls one
 * but through a table.
 */
#ifndef WEFT_TRANSPORT_STUBS_H
#define WEFT_TRANSPORT_STUBS_H

#include "transport/transport.h"

size_t wf_stub_offer(const struct wf_tp_env *env, void *to, size_t bytes);
void wf_stub_forget(void);
int wf_stub_fence(struct wf_ep *ep);
int wf_stub_reach(struct wf_ep *ep, struct wf_rloc dst, size_t n, uint32_t sig,
		  void **to_p);
int wf_stub_get(struct wf_ep *ep, struct wf_loc dst, struct wf_rloc src,
		size_t n);
int wf_stub_fetch_add(struct wf_ep *ep, struct wf_rloc dst, uint64_t add,
		      uint64_t *old);
int wf_stub_cas(struct wf_ep *ep, struct wf_rloc dst, uint64_t expected,
		uint64_t desired, uint64_t *old);
int wf_stub_arm(struct wf_device *dev, int *ms_p);
void wf_stub_disarm(struct wf_device *dev);
int wf_stub_descriptor(struct wf_device *dev);
void wf_stub_joined(struct wf_device *dev);
bool wf_stub_tell(struct wf_device *dev, int dead_rank);
int wf_stub_board(struct wf_device *dev, const struct wf_swap *swap,
		  uint64_t *seen_p);

/* Is no op NULL, and do stubs and capability bits agree? */
bool wf_tp_check(const struct wf_tp_ops *tp, const struct wf_ep_ops *ep,
		 uint32_t caps);

#endif
