/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ring of fixed slots with one producer and one consumer.
 *
 * The shared part lies in memory of the caller that both sides may map at
 * different addresses; each side keeps a private struct with its own counter.
 *
 *     offset   0  tail   slots released so far, written by the consumer only
 *             64  slots  each begins at a line of the cache:
 *                 0  turn     1 + the number of what was committed last
 *                 8  content  slot_bytes, written by the producer between
 *                             reserve and commit, read between peek and release
 *
 * Counters only grow; slot number n lies at index n mod slots. The consumer
 * finds in a slot itself that it was committed: what is short comes with that
 * in one line, which moves between the cores once. The tail moves when the
 * producer has filled all slots that it knows to be free. It never writes a
 * slot before its earlier content was released, the consumer never reads one
 * that was not committed. A producer that dies between reserve and commit
 * leaves the ring as if it had not reserved.
 */
#ifndef WEFT_BASE_RING_H
#define WEFT_BASE_RING_H

#include "base/assert.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wf_ring_shared {
	_Atomic uint64_t tail;
	unsigned char tail_pad[56];
};

struct wf_ring_slot {
	_Atomic uint64_t turn;
	unsigned char content[];
};

_Static_assert(sizeof(struct wf_ring_shared) == 64, "ring layout");
_Static_assert(offsetof(struct wf_ring_slot, content) == 8, "ring layout");

/* One end of a ring, private to its side. */
struct wf_ring {
	struct wf_ring_shared *shared;
	unsigned char *slots;
	uint64_t mine;                  /* own counter: committed or released */
	uint64_t seen;                  /* producer: the tail, when last read */
	uint32_t mask;                  /* slots - 1 */
	uint32_t stride;                /* of a slot, in bytes */
};

static inline uint32_t wf_ring_stride(uint32_t slot_bytes)
{
	return (uint32_t)(sizeof(struct wf_ring_slot) + slot_bytes + 63) & ~63u;
}

/* Bytes of shared memory for a ring. */
static inline size_t wf_ring_bytes(uint32_t slots, uint32_t slot_bytes)
{
	return sizeof(struct wf_ring_shared) +
	       (size_t)slots * wf_ring_stride(slot_bytes);
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
	ring->stride = wf_ring_stride(slot_bytes);
}

/* The one whose turn it is at this side. */
static inline struct wf_ring_slot *wf_ring_slot(const struct wf_ring *ring)
{
	return (struct wf_ring_slot *)(ring->slots + (ring->mine & ring->mask) *
				       ring->stride);
}

/* Called once, before either side is attached. */
static inline void wf_ring_shared_init(struct wf_ring_shared *shared,
				       uint32_t slots, uint32_t slot_bytes)
{
	struct wf_ring ring;

	atomic_store_explicit(&shared->tail, 0, memory_order_relaxed);
	wf_ring_attach(&ring, shared, slots, slot_bytes);
	for (; ring.mine < slots; ring.mine++)
		atomic_store_explicit(&wf_ring_slot(&ring)->turn, 0,
				      memory_order_relaxed);
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
	return wf_ring_slot(ring)->content;
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
	struct wf_ring_slot *slot = wf_ring_slot(ring);

	/* with the acquire in wf_ring_peek(): the slot is seen filled */
	atomic_store_explicit(&slot->turn, ++ring->mine, memory_order_release);
}

/* Consumer: the oldest filled slot; NULL: there is none. May be repeated. */
static inline const void *wf_ring_peek(struct wf_ring *ring)
{
	const struct wf_ring_slot *slot = wf_ring_slot(ring);

	/* with the release in wf_ring_commit() */
	return atomic_load_explicit(&slot->turn, memory_order_acquire) ==
	       ring->mine + 1 ? slot->content : NULL;
}

/* Consumer: gives the slot that was peeked back to the producer. */
static inline void wf_ring_release(struct wf_ring *ring)
{
	/* with the acquire in wf_ring_reserve() */
	atomic_store_explicit(&ring->shared->tail, ++ring->mine,
			      memory_order_release);
}

#endif
