/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signals: counters of arrivals that this process owns and one peer raises.
 *
 * A signal number has 20 bits of index and 12 bits of generation.  Its word
 * holds generation 12 | count 52 and lies in a cache line of its own, because
 * it has one writer: the sender on shared memory, the owner's progress
 * (wf_signal_raise) on devices that report arrivals.  A number is given again
 * only when no put with it can be under way; the generation lets a reader
 * ignore, and count, what comes all the same.
 *
 * Both parts lie in the segment, so that a peer that stores the word itself
 * finds it by the number alone:
 *
 *   directory   1024 x offset of a block 8, 0: not there | dropped 8
 *   block       1024 x { word 8, unused 56 }
 */
#ifndef WEFT_TRANSPORT_SIGNALS_H
#define WEFT_TRANSPORT_SIGNALS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "transport/segment.h"

enum {
	WF_SIGNAL_INDEX_BITS = 20,
	WF_SIGNAL_BLOCK = 1024,		/* signals in a block */
	WF_SIGNAL_BLOCKS = 1024,
	WF_SIGNAL_COUNT_BITS = 52,
	/* Where there is a limit the peer changes words from here on, */
	WF_SIGNAL_STORED = 1 << (WF_SIGNAL_INDEX_BITS - 1),
	/* or, as a report has room for less, from here on. */
	WF_SIGNAL_REPORTED = 1 << 16
};

struct wf_signal_line {
	_Atomic uint64_t word;
	char unused[56];
};

struct wf_signal_directory {
	_Atomic uint64_t block[WF_SIGNAL_BLOCKS];
	_Atomic uint64_t dropped;	/* raises that found no such signal */
};

/* One half of the indices. */
struct wf_signal_half {
	uint32_t first;
	uint32_t capacity;		/* indices, whole blocks */
	uint32_t used;			/* indices ever given */
	uint32_t nfree;
	uint16_t *generation;		/* of those; capacity for all */
	uint32_t *free_index;		/* stack of indices given back */
};

/* Where a device's reports of arrivals take room, one queue of it. */
struct wf_signal_room {
	uint32_t most;			/* raises under way; of a free one: the
					 * next free one */
	uint32_t raises;		/* that must have room */
};

struct wf_signals {
	struct wf_segment *seg;
	uint64_t directory;		/* its offset in the segment */
	struct wf_signal_room any;	/* room 0 */
	struct wf_signal_room *room;	/* from room 1 on */
	uint16_t nrooms;		/* with room 0 */
	uint16_t free_room;		/* 0: none */
	uint16_t *place;		/* rooms of the lower half; NULL: 0 */
	struct wf_signal_half half[2];
};

int wf_signals_init(struct wf_signals *s, struct wf_segment *seg);
void wf_signals_fini(struct wf_signals *s);

/*
 * Where a device has queues whose reports of arrivals take room, each is one,
 * and its number goes with the endpoint whose peer raises a signal: when
 * indices below WF_SIGNAL_REPORTED are in use there for `most` raises, those
 * from WF_SIGNAL_STORED on are given, whose words the peers change.  Room 0 is
 * there, without such a limit as a rule; with others it has half of these
 * indices.  One that is left takes no signal any more; those that it has may be
 * freed later.  WEFT_ERR_NOMEM: no memory, or there are 65,534.
 */
int wf_signals_add_room(struct wf_signals *s, uint32_t most, uint32_t *room_p);
void wf_signals_leave_room(struct wf_signals *s, uint32_t room);
void wf_signals_limit(struct wf_signals *s, uint32_t room, uint32_t most);

/* A number with count 0.  WEFT_ERR_NOMEM: all are in use, or no memory. */
int wf_signal_alloc(struct wf_signals *s, uint32_t room, uint32_t *sig_p);

/*
 * The same for one that is raised as often as its peer likes, where each of
 * the others has one raise under way at most, or whose peer has no endpoint
 * yet: where there are limits it never takes room in reports.
 */
int wf_signal_alloc_many(struct wf_signals *s, uint32_t *sig_p);

/*
 * One that may have so many raises under way, which reports have room for:
 * wf_signals_spare() at most.  Without a limit there is none, nor a need; with
 * one such signals leave half of it to others.
 */
uint32_t wf_signals_spare(const struct wf_signals *s, uint32_t room);
int wf_signal_alloc_booked(struct wf_signals *s, uint32_t room,
			   uint32_t raises, uint32_t *sig_p);

/* Raises under way, at most, of the signals that are in use there. */
uint32_t wf_signals_raises(const struct wf_signals *s, uint32_t room);

/* Have all raises room?  The limit may have fallen since. */
bool wf_signals_fit(const struct wf_signals *s, uint32_t room);
void wf_signal_free(struct wf_signals *s, uint32_t sig);
void wf_signal_free_booked(struct wf_signals *s, uint32_t raises,
			   uint32_t sig);

/* Where the owner reads it; valid until it is freed. */
const _Atomic uint64_t *wf_signal_word(const struct wf_signals *s,
				       uint32_t sig);

/* By the owner's progress, where the device reports arrivals. */
void wf_signal_raise(struct wf_signals *s, uint32_t sig);

/* Is it in use, and has it been raised less than count times? */
bool wf_signal_lacks(const struct wf_signals *s, uint32_t sig, uint64_t count);

/* Raises, by the owner or by peers, of a number that was not in use. */
uint64_t wf_signals_dropped(const struct wf_signals *s);

/* Numbers that were given and not taken back. */
static inline uint32_t wf_signals_in_use(const struct wf_signals *s)
{
	return s->half[0].used - s->half[0].nfree + s->half[1].used -
	       s->half[1].nfree;
}

static inline uint32_t wf_signal_index(uint32_t sig)
{
	return sig & ((1u << WF_SIGNAL_INDEX_BITS) - 1);
}

static inline uint32_t wf_signal_generation(uint32_t sig)
{
	return sig >> WF_SIGNAL_INDEX_BITS;
}

/*
 * Arrivals so far; pairs with the release store of the sender: who sees the
 * count sees the bytes of all puts that raised it.
 */
static inline uint64_t wf_signal_count(const _Atomic uint64_t *word,
				       uint32_t sig)
{
	uint64_t w = atomic_load_explicit(word, memory_order_acquire);

	if (w >> WF_SIGNAL_COUNT_BITS != wf_signal_generation(sig))
		return 0;
	return w & ((UINT64_C(1) << WF_SIGNAL_COUNT_BITS) - 1);
}

#endif
