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
		.seg = seg, .most = UINT32_MAX,
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
	for (uint32_t i = 0; i < h->room; i += WF_SIGNAL_BLOCK) {
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
	wf_segment_free(s->seg, s->directory);
	*s = (struct wf_signals){ .seg = NULL };
}

void wf_signals_limit(struct wf_signals *s, uint32_t most)
{
	s->most = most;
}

/* Room for the bookkeeping of one block more. */
static int grow_tables(struct wf_signal_half *h)
{
	size_t n = h->room + WF_SIGNAL_BLOCK;
	uint16_t *generation;
	uint32_t *free_index;

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

	if (h->room == WF_SIGNAL_STORED)
		return WEFT_ERR_NOMEM;
	status = grow_tables(h);
	if (status)
		return status;
	status = wf_segment_alloc(s->seg, WF_SIGNAL_BLOCK *
				  sizeof(struct wf_signal_line),
				  sizeof(struct wf_signal_line), &offset);
	if (status)
		return status;
	atomic_store_explicit(
		&directory_of(s)->block[(h->first + h->room) /
					WF_SIGNAL_BLOCK],
		offset, memory_order_release);
	h->room += WF_SIGNAL_BLOCK;
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

/* Raises that reports must have room for. */
static uint32_t expected(const struct wf_signals *s)
{
	return s->half[0].used - s->half[0].nfree + s->booked;
}

/* The lower one up to its limit, or until it is used up. */
static struct wf_signal_half *choose_half(struct wf_signals *s)
{
	struct wf_signal_half *low = &s->half[0];
	bool is_empty = !low->nfree && low->used == WF_SIGNAL_STORED;

	return expected(s) < s->most && !is_empty ? low : &s->half[1];
}

static int give(struct wf_signals *s, struct wf_signal_half *h,
		uint32_t *sig_p)
{
	uint32_t index;
	int status = WEFT_OK;

	if (!h->nfree && h->used == h->room)
		status = add_block(s, h);
	if (status)
		return status;
	index = take_index(h);
	*sig_p = index |
		 (uint32_t)*generation_of(s, index) << WF_SIGNAL_INDEX_BITS;
	return WEFT_OK;
}

/* Is this the number that the index has now? */
static bool is_current(const struct wf_signals *s, uint32_t sig)
{
	uint32_t index = wf_signal_index(sig);

	return index - half_of(s, index)->first < half_of(s, index)->used &&
	       *generation_of(s, index) == wf_signal_generation(sig);
}

int wf_signal_alloc(struct wf_signals *s, uint32_t *sig_p)
{
	return give(s, choose_half(s), sig_p);
}

int wf_signal_alloc_many(struct wf_signals *s, uint32_t *sig_p)
{
	bool limited = s->most != UINT32_MAX;

	return give(s, limited ? &s->half[1] : choose_half(s), sig_p);
}

uint32_t wf_signals_spare(const struct wf_signals *s)
{
	uint32_t half = s->most == UINT32_MAX ? 0 : s->most / 2;

	return half > expected(s) ? half - expected(s) : 0;
}

bool wf_signals_fit(const struct wf_signals *s)
{
	return expected(s) <= s->most;
}

int wf_signal_alloc_booked(struct wf_signals *s, uint32_t raises,
			   uint32_t *sig_p)
{
	int status;

	if (raises > wf_signals_spare(s))
		return WEFT_ERR_NOMEM;
	status = give(s, &s->half[0], sig_p);
	if (!status)
		s->booked += raises - 1;
	return status;
}

void wf_signal_free(struct wf_signals *s, uint32_t sig)
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
	s->booked -= raises - 1;
	wf_signal_free(s, sig);
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
