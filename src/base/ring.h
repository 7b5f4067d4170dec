/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ring of entries with one producer and one consumer.  An entry takes as many
 * units as its bytes need, two of which are a line of the cache: what is short
 * takes one.
 *
 * The shared part lies in memory of the caller that both sides may map at
 * different addresses; each side keeps a private struct with its own counter.
 *
 *     offset   0  tail   units given back so far, written by the consumer only
 *             64  units  an entry begins with one:
 *                 0  turn     its units, and 256 times (1 + the number of
 *                             units committed before it)
 *                 8  content  its bytes, written by the producer between
 *                             reserve and commit, read between peek and release
 *
 * Counters only grow; unit number n lies at index n mod units, and behind the
 * last one there is as much more as an entry may need that begins there: each
 * is in one piece. The consumer finds in the entry itself that it was
 * committed: what is short comes with that in one line, which moves between the
 * cores once. So what may be the first unit of an entry holds no content of an
 * older one when it is given back: the consumer clears the turns of all but the
 * first. The tail is looked at when the producer has filled all units that it
 * knows to be free. It never writes one before its earlier content was given
 * back, the consumer never reads one that was not committed. A producer that
 * dies between reserve and commit leaves the ring as if it had not reserved.
 *
 * To give back takes stores into lines that the producer has, too, behind
 * which an answer would wait. So it is done when there is nothing to read, or
 * when the next entry is released.
 */
#ifndef WEFT_BASE_RING_H
#define WEFT_BASE_RING_H

#include "base/assert.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	WF_RING_UNIT = 32,		/* bytes */
	WF_RING_AHEAD = 4,		/* units */
	WF_RING_EXPECTED = 16		/* the same, at most */
};

struct wf_ring_shared {
	_Atomic uint64_t tail;
	unsigned char tail_pad[56];
};

struct wf_ring_entry {
	_Atomic uint64_t turn;
	unsigned char content[];
};

_Static_assert(sizeof(struct wf_ring_shared) == 64, "ring layout");
_Static_assert(offsetof(struct wf_ring_entry, content) == 8, "ring layout");

/* What both sides know of a ring before they attach. */
struct wf_ring_shape {
	uint32_t units;
	uint32_t most;			/* bytes of the longest entry */
};

/* One end of a ring, private to its side. */
struct wf_ring {
	struct wf_ring_shared *shared;
	uint64_t mine;			/* own counter: committed or released */
	uint64_t seen;			/* producer: the tail, when last read */
	uint32_t at;			/* mine mod units */
	uint32_t units;
	uint32_t most;			/* units of an entry */
	uint32_t taken;			/* units of the last one at hand */
	uint32_t first, held;		/* consumer: units not given back yet */
};

/* Of an entry of so many bytes. */
static inline uint32_t wf_ring_units(uint32_t bytes)
{
	return ((uint32_t)sizeof(struct wf_ring_entry) + bytes +
		WF_RING_UNIT - 1) / WF_RING_UNIT;
}

/* Bytes of shared memory for a ring. */
size_t wf_ring_bytes(struct wf_ring_shape shape);

/* Called once, before either side is attached. */
void wf_ring_shared_init(struct wf_ring_shared *shared,
			 struct wf_ring_shape shape);

/* Either side; shared is aligned to a line of the cache. */
void wf_ring_attach(struct wf_ring *ring, struct wf_ring_shared *shared,
		    struct wf_ring_shape shape);

/* The unit whose index is that, or so far behind the last one. */
static inline struct wf_ring_entry *wf_ring_unit(const struct wf_ring *ring,
						 uint32_t index)
{
	return (struct wf_ring_entry *)((unsigned char *)(ring->shared + 1) +
					(size_t)index * WF_RING_UNIT);
}

static inline void wf_ring_clear(const struct wf_ring *ring, uint32_t index)
{
	atomic_store_explicit(&wf_ring_unit(ring, index)->turn, 0,
			      memory_order_relaxed);
}

/* Of the unit that comes so many behind that at hand. */
static inline uint32_t wf_ring_index(const struct wf_ring *ring, uint32_t units)
{
	uint32_t at = ring->at + units;

	return at < ring->units ? at : at - ring->units;
}

static inline void wf_ring_advance(struct wf_ring *ring)
{
	ring->mine += ring->taken;
	ring->at = wf_ring_index(ring, ring->taken);
}

/* Units of an entry as long as the last one, as far as they are asked for. */
static inline uint32_t wf_ring_expected(const struct wf_ring *ring)
{
	return ring->taken < WF_RING_EXPECTED ? ring->taken : WF_RING_EXPECTED;
}

static inline bool wf_ring_has_room(const struct wf_ring *ring, uint32_t units)
{
	return ring->mine - ring->seen + units <= ring->units;
}

/*
 * Producer: takes the lines of the next entry away from the consumer, who looks
 * at the first, while there is other work to do before they are filled. A line
 * that is not filled costs what it would gain. Of __builtin_prefetch() a
 * compiler for any x86-64 makes one for reading.
 */
static inline void wf_ring_expect(const struct wf_ring *ring)
{
	uint32_t at = ring->at, end = at + wf_ring_expected(ring);

	do {
		struct wf_ring_entry *entry = wf_ring_unit(ring, at);

#ifdef __x86_64__
		__asm__("prefetchw %0" : : "m"(*entry));
#else
		__builtin_prefetch(entry, 1);
#endif
		at = (at | 1) + 1;
	} while (at < end);
}

/*
 * Producer: an entry of so many bytes to fill, behind which so many units stay
 * free; NULL: there is no room for that. May be repeated.
 */
static inline void *wf_ring_reserve(struct wf_ring *ring, uint32_t bytes,
				    uint32_t kept)
{
	uint32_t units = wf_ring_units(bytes);

	WF_ASSERT(units <= ring->most);
	if (!wf_ring_has_room(ring, units + kept)) {
		/* with the release in wf_ring_settle(): they were read */
		ring->seen = atomic_load_explicit(&ring->shared->tail,
						  memory_order_acquire);
		if (!wf_ring_has_room(ring, units + kept))
			return NULL;
	}
	ring->taken = units;
	return wf_ring_unit(ring, ring->at)->content;
}

/* Producer: publishes the entry that was reserved and filled. */
static inline void wf_ring_commit(struct wf_ring *ring)
{
	struct wf_ring_entry *entry = wf_ring_unit(ring, ring->at);

	/* with the acquire in wf_ring_peek(): the entry is seen filled */
	atomic_store_explicit(&entry->turn, (ring->mine + 1) << 8 | ring->taken,
			      memory_order_release);
	wf_ring_advance(ring);
}

/*
 * The further lines of the entry at hand come while it is looked at, and those
 * behind it, where the producer may have filled them by now, while it is read.
 */
static inline void wf_ring_look_ahead(const struct wf_ring *ring)
{
	uint32_t units = wf_ring_expected(ring);

	for (uint32_t i = 2 - (ring->at & 1); i < units; i += 2)
		__builtin_prefetch(wf_ring_unit(ring, ring->at + i));
	for (uint32_t i = 0; i < WF_RING_AHEAD; i += 2)
		__builtin_prefetch(wf_ring_unit(
			ring, wf_ring_index(ring, ring->taken + i)));
}

/* Consumer: the oldest filled entry; NULL: there is none. May be repeated. */
static inline const void *wf_ring_peek(struct wf_ring *ring)
{
	const struct wf_ring_entry *entry = wf_ring_unit(ring, ring->at);
	/* with the release in wf_ring_commit() */
	uint64_t turn = atomic_load_explicit(&entry->turn,
					     memory_order_acquire);

	if (turn >> 8 != ring->mine + 1)
		return NULL;
	/* the word is the producer's: nothing beyond an entry is touched */
	ring->taken = turn & 255;
	if (ring->taken - 1 >= ring->most)
		ring->taken = ring->most;
	wf_ring_look_ahead(ring);
	return entry->content;
}

/* Consumer: gives back what it has released, while it has nothing to read. */
static inline void wf_ring_settle(struct wf_ring *ring)
{
	if (!ring->held)
		return;
	for (uint32_t i = 1; i < ring->held; i++)
		wf_ring_clear(ring, ring->first + i);
	ring->held = 0;
	/* with the acquire in wf_ring_reserve() */
	atomic_store_explicit(&ring->shared->tail, ring->mine,
			      memory_order_release);
}

/* Consumer: needs the entry at hand no more; the one before is given back. */
static inline void wf_ring_release(struct wf_ring *ring)
{
	wf_ring_settle(ring);
	ring->first = ring->at;
	ring->held = ring->taken;
	wf_ring_advance(ring);
}

#endif
