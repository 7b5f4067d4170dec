/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ring of fixed slots with one producer and one consumer.
 *
 * The shared part lies in memory of the caller that both sides may map at
 * different addresses; each side keeps a private struct with its own counter
 * and the last seen one of the other side, so a line moves between the cores
 * only when it must.
 *
 *     offset   0  head   slots committed so far, written by the producer only
 *             64  tail   slots released so far, written by the consumer only
 *            128  slots  slot_bytes each, written by the producer between
 *                        reserve and commit, read between peek and release
 *
 * Counters only grow; slot number n lies at index n mod slots. The producer
 * never writes a slot before its earlier content was released, the consumer
 * never reads one that was not committed. A producer that dies between reserve
 * and commit leaves the ring as if it had not reserved.
 */
#ifndef WEFT_BASE_RING_H
#define WEFT_BASE_RING_H

#include "base/assert.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wf_ring_shared {
	_Atomic uint64_t head;
	unsigned char head_pad[56];
	_Atomic uint64_t tail;
	unsigned char tail_pad[56];
};

_Static_assert(offsetof(struct wf_ring_shared, head) == 0, "ring layout");
_Static_assert(offsetof(struct wf_ring_shared, tail) == 64, "ring layout");
_Static_assert(sizeof(struct wf_ring_shared) == 128, "ring layout");

/* One end of a ring, private to its side. */
struct wf_ring {
	struct wf_ring_shared *shared;
	unsigned char *slots;
	uint64_t mine;                  /* own counter: head or tail */
	uint64_t seen;                  /* the other counter, when last read */
	uint32_t mask;                  /* slots - 1 */
	uint32_t slot_bytes;
};

/* Bytes of shared memory for a ring. */
static inline size_t wf_ring_bytes(uint32_t slots, uint32_t slot_bytes)
{
	return sizeof(struct wf_ring_shared) + (size_t)slots * slot_bytes;
}

/* Called once, before either side is attached. */
static inline void wf_ring_shared_init(struct wf_ring_shared *shared)
{
	atomic_store_explicit(&shared->head, 0, memory_order_relaxed);
	atomic_store_explicit(&shared->tail, 0, memory_order_relaxed);
}

/* Either side; slots is a power of two, shared is aligned to 64 bytes. */
static inline void wf_ring_attach(struct wf_ring *ring,
				  struct wf_ring_shared *shared,
				  uint32_t slots, uint32_t slot_bytes)
{
	WF_ASSERT(slots && (slots & (slots - 1)) == 0);
	ring->shared = shared;
	ring->slots = (unsigned char *)(shared + 1);
	ring->mine = 0;
	ring->seen = 0;
	ring->mask = slots - 1;
	ring->slot_bytes = slot_bytes;
}

static inline void *wf_ring_slot(const struct wf_ring *ring)
{
	return ring->slots + (ring->mine & ring->mask) * ring->slot_bytes;
}

/* Producer: the next slot to fill; NULL: all are taken. May be repeated. */
static inline void *wf_ring_reserve(struct wf_ring *ring)
{
	if (ring->mine - ring->seen > ring->mask) {
		/* with the release in wf_ring_release(): the slot was read */
		ring->seen = atomic_load_explicit(&ring->shared->tail,
						  memory_order_acquire);
		if (ring->mine - ring->seen > ring->mask)
			return NULL;
	}
	return wf_ring_slot(ring);
}

/* Producer: are n slots free at least, of which reserve() gives the first? */
static inline bool wf_ring_has_room(struct wf_ring *ring, uint32_t n)
{
	if (ring->mine - ring->seen + n <= ring->mask + 1)
		return true;
	/* with the release in wf_ring_release(): the slots were read */
	ring->seen = atomic_load_explicit(&ring->shared->tail,
					  memory_order_acquire);
	return ring->mine - ring->seen + n <= ring->mask + 1;
}

/* Producer: publishes the slot that was reserved and filled. */
static inline void wf_ring_commit(struct wf_ring *ring)
{
	/* with the acquire in wf_ring_peek(): the slot is seen filled */
	atomic_store_explicit(&ring->shared->head, ++ring->mine,
			      memory_order_release);
}

/* Consumer: the oldest filled slot; NULL: there is none. May be repeated. */
static inline const void *wf_ring_peek(struct wf_ring *ring)
{
	if (ring->mine == ring->seen) {
		/* with the release in wf_ring_commit() */
		ring->seen = atomic_load_explicit(&ring->shared->head,
						  memory_order_acquire);
		if (ring->mine == ring->seen)
			return NULL;
	}
	return wf_ring_slot(ring);
}

/* Consumer: gives the slot that was peeked back to the producer. */
static inline void wf_ring_release(struct wf_ring *ring)
{
	/* with the acquire in wf_ring_reserve() */
	atomic_store_explicit(&ring->shared->tail, ++ring->mine,
			      memory_order_release);
}

#endif
