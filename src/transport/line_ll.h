/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines in LL words, for devices that keep no order within a write but write
 * words whole.
 *
 *   byte  0          4        8        12       16
 *        | length 4 | seq 4 | data 4 | seq 4 | data 4 | ...
 *
 * That is a line whose address is an odd multiple of 64; in the others the
 * order of the words is reversed, so that what is short in an even and the odd
 * line behind it is one piece.
 *
 * Each word says itself that it is there.  Only the used ones are sent, and
 * the receiver zeroes them when it has read the line: a word that is not
 * written again in this epoch must not look like one that was, when the
 * sequence has come round.
 */
#ifndef WEFT_TRANSPORT_LINE_LL_H
#define WEFT_TRANSPORT_LINE_LL_H

#include <stddef.h>
#include "transport/line_plain.h"

enum {
	WF_LL_WORDS = WF_LINE_BYTES / 8,
	WF_LL_DATA = 4 * (WF_LL_WORDS - 1)
};

static inline bool wf_line_is_odd(uint64_t address)
{
	return address / WF_LINE_BYTES % 2;
}

/* The words of a line, in their order. */
struct wf_ll {
	_Atomic uint64_t *first;
	ptrdiff_t next;			/* from each to the one behind it */
};

/* Those that begin, or end, here. */
static inline struct wf_ll wf_ll_up(const void *begin)
{
	return (struct wf_ll){ (_Atomic uint64_t *)(uintptr_t)begin, 1 };
}

static inline struct wf_ll wf_ll_down(const void *end)
{
	return (struct wf_ll){ (_Atomic uint64_t *)(uintptr_t)end - 1, -1 };
}

static inline struct wf_ll wf_ll_of(const struct wf_line *line)
{
	return wf_line_is_odd((uintptr_t)line) ? wf_ll_up(line) :
						 wf_ll_down(line + 1);
}

static inline _Atomic uint64_t *wf_ll_word(const struct wf_line *line, int i)
{
	struct wf_ll ll = wf_ll_of(line);

	return ll.first + i * ll.next;
}

/* Words behind the first one, for n bytes. */
static inline int wf_ll_words(uint32_t n)
{
	return (int)((n + 3) / 4);
}

/* Bytes of all that are used. */
static inline uint32_t wf_ll_bytes(uint32_t n)
{
	return 8 * (uint32_t)(wf_ll_words(n) + 1);
}

/* The words of n bytes, at most WF_LL_DATA, the one that says so last. */
static inline void wf_ll_pack(struct wf_ll ll, const void *data, uint32_t n,
			      uint32_t seq)
{
	const uint64_t high = (uint64_t)seq << 32;
	_Atomic uint64_t *word = ll.first;
	const char *from = data;
	uint32_t left = n, piece = 0;

	for (; left >= sizeof(piece); left -= 4, from += 4) {
		memcpy(&piece, from, sizeof(piece));
		atomic_store_explicit(word += ll.next, piece | high,
				      memory_order_relaxed);
	}
	if (left) {
		piece = 0;
		memcpy(&piece, from, left);
		atomic_store_explicit(word + ll.next, piece | high,
				      memory_order_relaxed);
	}
	atomic_store_explicit(ll.first, n | high, memory_order_release);
}

/* Have all words come?  The acquire of each orders what is read behind it. */
static inline bool wf_ll_ready(const struct wf_line *line, uint32_t seq)
{
	struct wf_ll ll = wf_ll_of(line);
	_Atomic uint64_t *word = ll.first;
	uint64_t first = atomic_load_explicit(word, memory_order_acquire);
	uint32_t n = (uint32_t)first;

	if (first >> 32 != seq || n > WF_LL_DATA)
		return false;
	for (int i = wf_ll_words(n); i > 0; i--)
		if (atomic_load_explicit(word += ll.next,
					 memory_order_acquire) >> 32 != seq)
			return false;
	return true;
}

static inline uint32_t wf_ll_length(const struct wf_line *line)
{
	return (uint32_t)atomic_load_explicit(wf_ll_of(line).first,
					      memory_order_relaxed);
}

/* The data of a line that is ready, as many bytes as its length says. */
static inline void wf_ll_read(const struct wf_line *line, void *data)
{
	uint32_t n = wf_ll_length(line), piece[WF_LL_WORDS];
	struct wf_ll ll = wf_ll_of(line);
	_Atomic uint64_t *word = ll.first;

	for (int i = 0; i < wf_ll_words(n); i++)
		piece[i] = (uint32_t)atomic_load_explicit(
			word += ll.next, memory_order_relaxed);
	wf_line_copy(data, piece, n);
}

/* By the receiver, before its sender may write the line again. */
static inline void wf_ll_clear(struct wf_line *line)
{
	int words = wf_ll_words(wf_ll_length(line));
	struct wf_ll ll = wf_ll_of(line);
	_Atomic uint64_t *word = ll.first;

	for (int i = 0; i <= words; i++, word += ll.next)
		atomic_store_explicit(word, 0, memory_order_relaxed);
}

/*
 * All of that at once, for most of what comes.  False: it is not there yet, and
 * what piece has is worth nothing; else *n_p bytes.
 */
static inline bool wf_ll_take(struct wf_line *line, uint32_t seq,
			      uint32_t piece[WF_LL_WORDS], uint32_t *n_p)
{
	struct wf_ll ll = wf_ll_of(line);
	_Atomic uint64_t *word = ll.first;
	uint64_t content = atomic_load_explicit(word, memory_order_acquire);
	uint32_t n = (uint32_t)content;
	int words = wf_ll_words(n);

	if (content >> 32 != seq || n > WF_LL_DATA)
		return false;
	for (int i = 0; i < words; i++) {
		content = atomic_load_explicit(word += ll.next,
					       memory_order_acquire);
		if (content >> 32 != seq)
			return false;
		piece[i] = (uint32_t)content;
	}
	for (; words >= 0; words--, word -= ll.next)
		atomic_store_explicit(word, 0, memory_order_relaxed);
	*n_p = n;
	return true;
}

#endif
