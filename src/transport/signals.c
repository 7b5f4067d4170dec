/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The owner's side of signals: numbers are given and taken back here, by the
 * thread that has the job; words are raised by their one writer.  The word of
 * a free number carries the generation that it will have next, so that a late
 * raise finds a foreign one and is dropped.
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
	struct wf_signals new = { .seg = seg };
	int status = wf_segment_alloc(seg, sizeof(struct wf_signal_directory),
				      WF_ALLOC_UNIT, &new.directory);

	if (!status)
		*s = new;
	return status;
}

void wf_signals_fini(struct wf_signals *s)
{
	for (uint32_t i = 0; i < s->used; i += WF_SIGNAL_BLOCK) {
		struct wf_signal_directory *d = directory_of(s);

		wf_segment_free(s->seg, atomic_load_explicit(
			&d->block[i / WF_SIGNAL_BLOCK], memory_order_relaxed));
	}
	wf_segment_free(s->seg, s->directory);
	free(s->generation);
	free(s->free_index);
	*s = (struct wf_signals){ .seg = NULL };
}

/* Room for the bookkeeping of one block more. */
static int grow_tables(struct wf_signals *s)
{
	size_t n = s->used + WF_SIGNAL_BLOCK;
	uint16_t *generation;
	uint32_t *free_index;

	generation = realloc(s->generation, n * sizeof(*generation));
	if (!generation)
		return WEFT_ERR_NOMEM;
	s->generation = generation;
	free_index = realloc(s->free_index, n * sizeof(*free_index));
	if (!free_index)
		return WEFT_ERR_NOMEM;
	s->free_index = free_index;
	return WEFT_OK;
}

static void set_word(struct wf_signals *s, uint32_t index)
{
	uint64_t generation = s->generation[index];

	/* The mail that brings the number to its sender releases it. */
	atomic_store_explicit(word_of(s, index),
			      generation << WF_SIGNAL_COUNT_BITS,
			      memory_order_relaxed);
}

/* All indices are taken: a block more, lowest index on top of the stack. */
static int add_block(struct wf_signals *s)
{
	uint64_t offset;
	int status;

	if (s->used == WF_SIGNAL_BLOCK * WF_SIGNAL_BLOCKS)
		return WEFT_ERR_NOMEM;
	status = grow_tables(s);
	if (status)
		return status;
	status = wf_segment_alloc(s->seg, WF_SIGNAL_BLOCK *
				  sizeof(struct wf_signal_line),
				  sizeof(struct wf_signal_line), &offset);
	if (status)
		return status;
	atomic_store_explicit(
		&directory_of(s)->block[s->used / WF_SIGNAL_BLOCK], offset,
		memory_order_release);
	for (uint32_t i = 0; i < WF_SIGNAL_BLOCK; i++) {
		uint32_t index = s->used + WF_SIGNAL_BLOCK - 1 - i;

		s->generation[index] = 1;
		s->free_index[s->nfree++] = index;
		set_word(s, index);
	}
	s->used += WF_SIGNAL_BLOCK;
	return WEFT_OK;
}

int wf_signal_alloc(struct wf_signals *s, uint32_t *sig_p)
{
	uint32_t index;
	int status = s->nfree ? WEFT_OK : add_block(s);

	if (status)
		return status;
	index = s->free_index[--s->nfree];
	set_word(s, index);
	*sig_p = index | (uint32_t)s->generation[index] << WF_SIGNAL_INDEX_BITS;
	return WEFT_OK;
}

/* Is this the number that the index has now? */
static bool is_current(const struct wf_signals *s, uint32_t sig)
{
	uint32_t index = wf_signal_index(sig);

	return index < s->used &&
	       s->generation[index] == wf_signal_generation(sig);
}

void wf_signal_free(struct wf_signals *s, uint32_t sig)
{
	uint32_t index = wf_signal_index(sig);

	WF_ASSERT(is_current(s, sig));
	s->generation[index] = (s->generation[index] + 1) % GENERATIONS;
	set_word(s, index);
	s->free_index[s->nfree++] = index;
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

uint64_t wf_signals_dropped(const struct wf_signals *s)
{
	return atomic_load_explicit(&directory_of(s)->dropped,
				    memory_order_relaxed);
}
