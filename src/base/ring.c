/* SPDX-License-Identifier: BSD-3-Clause */
/* What is done once for each ring. */
#include "base/ring.h"

size_t wf_ring_bytes(struct wf_ring_shape shape)
{
	return sizeof(struct wf_ring_shared) +
	       ((size_t)shape.units + wf_ring_units(shape.most) - 1) *
	       WF_RING_UNIT;
}

void wf_ring_attach(struct wf_ring *ring, struct wf_ring_shared *shared,
		    struct wf_ring_shape shape)
{
	*ring = (struct wf_ring){ .shared = shared, .units = shape.units };
	ring->most = wf_ring_units(shape.most);
	WF_ASSERT(ring->most < 256 && ring->most <= ring->units);
}

void wf_ring_shared_init(struct wf_ring_shared *shared,
			 struct wf_ring_shape shape)
{
	struct wf_ring ring;

	atomic_store_explicit(&shared->tail, 0, memory_order_relaxed);
	wf_ring_attach(&ring, shared, shape);
	for (uint32_t i = 0; i < ring.units; i++)
		wf_ring_clear(&ring, i);
}
