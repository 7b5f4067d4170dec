/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The owner's side of signals: numbers are given and taken back here, by the
 * thread that has the job; words are raised by their one writer.  The word of
 * a free number carries the generation that it will have next, so that a late
 * raise finds a foreign one and is dropped.  The first generation is 0, as is
 * new memory: giving a number for the first time does not touch its word, and
 * of a block, as of its bookkeeping, only what is used takes memory.
 */
#include "transport/signals.h"

#include <stdlib.h>
#include <weft/status.h>
#include "base/assert.h"

enum {
	GENERATIONS = 1 << (32 - WF_SIGNAL_INDEX_BITS)
};

/* The limit of a room that is free when it has no signals any more. */
#define LEFT (UINT32_MAX - 1)

_Static_assert(sizeof(struct wf_signal_line) == 64,
	       "one writer per cache line");
_Static_assert(WF_SIGNAL_BLOCK * WF_SIGNAL_BLOCKS == 1 << WF_SIGNAL_INDEX_BITS,
	       "the directory covers all indices");

static struct wf_signal_directory *directory_of(const struct wf_signals *s)
{
	return wf_segment_at(s->seg, s->directory);
}

static _Atomic uint64_t *word_of(const struct wf_signals *s, uint32_t index)
{
	struct wf_signal_directory *d = directory_of(s);
	uint64_t block = atomic_load_explicit(
		&d->block[index / WF_SIGNAL_BLOCK], memory_order_relaxed);
	struct wf_signal_line *line = wf_segment_at(s->seg, block);

	return &line[index % WF_SIGNAL_BLOCK].word;
}

int wf_signals_init(struct wf_signals *s, struct wf_segment *seg)
{
	struct wf_signals new = {
		.seg = seg, .any = { .most = UINT32_MAX }, .nrooms = 1,
		.half = { { .first = 0 }, { .first = WF_SIGNAL_STORED } }
	};
	int status = wf_segment_alloc(seg, sizeof(struct wf_signal_directory),
				      WF_ALLOC_UNIT, &new.directory);

	if (!status)
		*s = new;
	return status;
}

static void half_fini(struct wf_signals *s, struct wf_signal_half *h)
{
	for (uint32_t i = 0; i < h->capacity; i += WF_SIGNAL_BLOCK) {
		struct wf_signal_directory *d = directory_of(s);

		wf_segment_free(s->seg, atomic_load_explicit(
			&d->block[(h->first + i) / WF_SIGNAL_BLOCK],
			memory_order_relaxed));
	}
	free(h->generation);
	free(h->free_index);
}

void wf_signals_fini(struct wf_signals *s)
{
	half_fini(s, &s->half[0]);
	half_fini(s, &s->half[1]);
	free(s->room);
	free(s->place);
	wf_segment_free(s->seg, s->directory);
	*s = (struct wf_signals){ .seg = NULL };
}

/* ---- rooms ---- */

static struct wf_signal_room *room_of(const struct wf_signals *s,
				      uint32_t room)
{
	return room ? &s->room[room - 1] : (struct wf_signal_room *)&s->any;
}

void wf_signals_limit(struct wf_signals *s, uint32_t room, uint32_t most)
{
	room_of(s, room)->most = most;
}

/* The array doubles. */
static int grow_rooms(struct wf_signals *s)
{
	size_t n = 2 * (size_t)s->nrooms;
	struct wf_signal_room *room;

	if (s->nrooms == UINT16_MAX)
		return WEFT_ERR_NOMEM;
	/* of a power of two, all are in use */
	if (s->nrooms & (s->nrooms - 1))
		return WEFT_OK;
	room = realloc(s->room, n * sizeof(*room));
	if (!room)
		return WEFT_ERR_NOMEM;
	s->room = room;
	return WEFT_OK;
}

int wf_signals_add_room(struct wf_signals *s, uint32_t most, uint32_t *room_p)
{
	uint32_t room = s->free_room;

	if (room) {
		s->free_room = (uint16_t)room_of(s, room)->most;
	} else {
		if (grow_rooms(s))
			return WEFT_ERR_NOMEM;
		room = s->nrooms++;
	}
	*room_of(s, room) = (struct wf_signal_room){ .most = most };
	*room_p = room;
	return WEFT_OK;
}

static void add_raises(struct wf_signals *s, uint32_t room, uint32_t raises)
{
	struct wf_signal_room *r = room_of(s, room);

	r->raises += raises;
	if (r->most != LEFT || r->raises)
		return;
	r->most = s->free_room;
	s->free_room = (uint16_t)room;
}

void wf_signals_leave_room(struct wf_signals *s, uint32_t room)
{
	room_of(s, room)->most = LEFT;
	add_raises(s, room, 0);
}

/* ---- indices ---- */

/* Room for the bookkeeping of one block more. */
static int grow_tables(struct wf_signals *s, struct wf_signal_half *h)
{
	size_t n = h->capacity + WF_SIGNAL_BLOCK;
	uint16_t *generation, *place;
	uint32_t *free_index;

	if (s->place && h == s->half) {
		place = realloc(s->place, n * sizeof(*place));
		if (!place)
			return WEFT_ERR_NOMEM;
		s->place = place;
	}
	generation = realloc(h->generation, n * sizeof(*generation));
	if (!generation)
		return WEFT_ERR_NOMEM;
	h->generation = generation;
	free_index = realloc(h->free_index, n * sizeof(*free_index));
	if (!free_index)
		return WEFT_ERR_NOMEM;
	h->free_index = free_index;
	return WEFT_OK;
}

static struct wf_signal_half *half_of(const struct wf_signals *s,
				      uint32_t index)
{
	return (struct wf_signal_half *)&s->half[index >= WF_SIGNAL_STORED];
}

static uint16_t *generation_of(const struct wf_signals *s, uint32_t index)
{
	struct wf_signal_half *h = half_of(s, index);

	return &h->generation[index - h->first];
}

static void set_word(struct wf_signals *s, uint32_t index)
{
	uint64_t generation = *generation_of(s, index);

	/* The mail that brings the number to its sender releases it. */
	atomic_store_explicit(word_of(s, index),
			      generation << WF_SIGNAL_COUNT_BITS,
			      memory_order_relaxed);
}

/* All indices that have room are in use: a block more. */
static int add_block(struct wf_signals *s, struct wf_signal_half *h)
{
	uint64_t offset;
	int status;

	if (h->capacity == WF_SIGNAL_STORED)
		return WEFT_ERR_NOMEM;
	status = grow_tables(s, h);
	if (status)
		return status;
	status = wf_segment_alloc(s->seg, WF_SIGNAL_BLOCK *
				  sizeof(struct wf_signal_line),
				  sizeof(struct wf_signal_line), &offset);
	if (status)
		return status;
	atomic_store_explicit(
		&directory_of(s)->block[(h->first + h->capacity) /
					WF_SIGNAL_BLOCK],
		offset, memory_order_release);
	h->capacity += WF_SIGNAL_BLOCK;
	return WEFT_OK;
}

/* There is room. */
static uint32_t take_index(struct wf_signal_half *h)
{
	if (h->nfree)
		return h->free_index[--h->nfree];
	h->generation[h->used] = 0;
	return h->first + h->used++;
}

static uint32_t next_index(const struct wf_signal_half *h)
{
	return h->nfree ? h->free_index[h->nfree - 1] : h->used;
}

/* The lower one up to the limit of the room, or until it is used up. */
static struct wf_signal_half *choose_half(struct wf_signals *s, uint32_t room)
{
	const struct wf_signal_room *r = room_of(s, room);
	struct wf_signal_half *low = &s->half[0];
	/* of those that reports have room for half are for others */
	uint32_t end = room ? WF_SIGNAL_REPORTED :
		s->nrooms > 1 ? WF_SIGNAL_REPORTED / 2 : WF_SIGNAL_STORED;

	return r->raises < r->most && next_index(low) < end ? low :
							      &s->half[1];
}

static int give(struct wf_signals *s, struct wf_signal_half *h,
		uint32_t *sig_p)
{
	uint32_t index;
	int status = WEFT_OK;

	if (!h->nfree && h->used == h->capacity)
		status = add_block(s, h);
	if (status)
		return status;
	index = take_index(h);
	*sig_p = index |
		 (uint32_t)*generation_of(s, index) << WF_SIGNAL_INDEX_BITS;
	return WEFT_OK;
}

/* The first one that is not of room 0 makes the table. */
static int note_room(struct wf_signals *s, uint32_t sig, uint32_t room)
{
	if (!s->place && room) {
		s->place = calloc(s->half[0].capacity, sizeof(*s->place));
		if (!s->place)
			return WEFT_ERR_NOMEM;
	}
	if (s->place)
		s->place[wf_signal_index(sig)] = (uint16_t)room;
	return WEFT_OK;
}

static uint32_t noted_room(const struct wf_signals *s, uint32_t sig)
{
	return s->place ? s->place[wf_signal_index(sig)] : 0;
}

/* Is this the number that the index has now? */
static bool is_current(const struct wf_signals *s, uint32_t sig)
{
	uint32_t index = wf_signal_index(sig);

	return index - half_of(s, index)->first < half_of(s, index)->used &&
	       *generation_of(s, index) == wf_signal_generation(sig);
}

/* So many raises of it must have room. */
static int give_low(struct wf_signals *s, uint32_t room, uint32_t raises,
		    uint32_t *sig_p)
{
	struct wf_signal_half *low = &s->half[0];
	uint32_t sig;
	int status = give(s, low, &sig);

	if (status)
		return status;
	status = note_room(s, sig, room);
	if (status) {
		low->free_index[low->nfree++] = wf_signal_index(sig);
		return status;
	}
	add_raises(s, room, raises);
	*sig_p = sig;
	return WEFT_OK;
}

int wf_signal_alloc(struct wf_signals *s, uint32_t room, uint32_t *sig_p)
{
	struct wf_signal_half *h = choose_half(s, room);

	return h == s->half ? give_low(s, room, 1, sig_p) : give(s, h, sig_p);
}

int wf_signal_alloc_many(struct wf_signals *s, uint32_t *sig_p)
{
	bool limited = s->any.most != UINT32_MAX || s->nrooms > 1;

	return limited ? give(s, &s->half[1], sig_p) :
			 wf_signal_alloc(s, 0, sig_p);
}

uint32_t wf_signals_spare(const struct wf_signals *s, uint32_t room)
{
	const struct wf_signal_room *r = room_of(s, room);
	uint32_t half = r->most == UINT32_MAX ? 0 : r->most / 2;

	return half > r->raises ? half - r->raises : 0;
}

uint32_t wf_signals_raises(const struct wf_signals *s, uint32_t room)
{
	return room_of(s, room)->raises;
}

bool wf_signals_fit(const struct wf_signals *s, uint32_t room)
{
	const struct wf_signal_room *r = room_of(s, room);

	return r->raises <= r->most;
}

int wf_signal_alloc_booked(struct wf_signals *s, uint32_t room,
			   uint32_t raises, uint32_t *sig_p)
{
	if (raises > wf_signals_spare(s, room) ||
	    (room && next_index(&s->half[0]) >= WF_SIGNAL_REPORTED))
		return WEFT_ERR_NOMEM;
	return give_low(s, room, raises, sig_p);
}

static void free_one(struct wf_signals *s, uint32_t sig)
{
	uint32_t index = wf_signal_index(sig);
	struct wf_signal_half *h = half_of(s, index);
	uint16_t *generation = generation_of(s, index);

	WF_ASSERT(is_current(s, sig));
	*generation = (uint16_t)((*generation + 1) % GENERATIONS);
	set_word(s, index);
	h->free_index[h->nfree++] = index;
}

void wf_signal_free_booked(struct wf_signals *s, uint32_t raises,
			   uint32_t sig)
{
	add_raises(s, noted_room(s, sig), -raises);
	free_one(s, sig);
}

void wf_signal_free(struct wf_signals *s, uint32_t sig)
{
	if (wf_signal_index(sig) < WF_SIGNAL_STORED)
		wf_signal_free_booked(s, 1, sig);
	else
		free_one(s, sig);
}

const _Atomic uint64_t *wf_signal_word(const struct wf_signals *s,
				       uint32_t sig)
{
	return word_of(s, wf_signal_index(sig));
}

void wf_signal_raise(struct wf_signals *s, uint32_t sig)
{
	_Atomic uint64_t *word;

	if (!is_current(s, sig)) {
		atomic_fetch_add_explicit(&directory_of(s)->dropped, 1,
					  memory_order_relaxed);
		return;
	}
	word = word_of(s, wf_signal_index(sig));
	/* With the acquire in wf_signal_count(). */
	atomic_store_explicit(word, 1 + atomic_load_explicit(
		word, memory_order_relaxed), memory_order_release);
}

bool wf_signal_lacks(const struct wf_signals *s, uint32_t sig, uint64_t count)
{
	return is_current(s, sig) &&
	       wf_signal_count(word_of(s, wf_signal_index(sig)), sig) < count;
}

uint64_t wf_signals_dropped(const struct wf_signals *s)
{
	return atomic_load_explicit(&directory_of(s)->dropped,
				    memory_order_relaxed);
}
