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

#include "transport/line_plain.h"

enum {
	WF_LL_WORDS = WF_LINE_BYTES / 8,
	WF_LL_DATA = 4 * (WF_LL_WORDS - 1)
};

static inline bool wf_line_is_odd(uint64_t address)
{
	return address / WF_LINE_BYTES % 2;
}

static inline _Atomic uint64_t *wf_ll_word(const struct wf_line *line, int i)
{
	uintptr_t at = (uintptr_t)line;

	return (_Atomic uint64_t *)at +
	       (wf_line_is_odd(at) ? i : WF_LL_WORDS - 1 - i);
}

/* Words behind the first one, for n bytes. */
static inline int wf_ll_words(uint32_t n)
{
	return (int)((n + 3) / 4);
}

/* The image of a line; n is at most WF_LL_DATA.  Returns the bytes to send. */
static inline uint32_t wf_ll_pack(struct wf_line *line, const void *data,
				  uint32_t n, uint32_t seq)
{
	int words = wf_ll_words(n);
	uint32_t piece[WF_LL_WORDS] = { 0 };

	wf_line_copy(piece, data, n);
	for (int i = 0; i < words; i++)
		atomic_store_explicit(wf_ll_word(line, i + 1),
				      piece[i] | (uint64_t)seq << 32,
				      memory_order_relaxed);
	atomic_store_explicit(wf_ll_word(line, 0), n | (uint64_t)seq << 32,
			      memory_order_release);
	return 8 * (uint32_t)(words + 1);
}

/* Have all words come?  The acquire of each orders what is read behind it. */
static inline bool wf_ll_ready(const struct wf_line *line, uint32_t seq)
{
	uint64_t first = atomic_load_explicit(wf_ll_word(line, 0),
					      memory_order_acquire);
	uint32_t n = (uint32_t)first;

	if (first >> 32 != seq || n > WF_LL_DATA)
		return false;
	for (int i = wf_ll_words(n); i > 0; i--)
		if (atomic_load_explicit(wf_ll_word(line, i),
					 memory_order_acquire) >> 32 != seq)
			return false;
	return true;
}

static inline uint32_t wf_ll_length(const struct wf_line *line)
{
	return (uint32_t)atomic_load_explicit(wf_ll_word(line, 0),
					      memory_order_relaxed);
}

/* The data of a line that is ready, as many bytes as its length says. */
static inline void wf_ll_read(const struct wf_line *line, void *data)
{
	uint32_t n = wf_ll_length(line), piece[WF_LL_WORDS];

	for (int i = 0; i < wf_ll_words(n); i++)
		piece[i] = (uint32_t)atomic_load_explicit(
			wf_ll_word(line, i + 1), memory_order_relaxed);
	wf_line_copy(data, piece, n);
}

/* By the receiver, before its sender may write the line again. */
static inline void wf_ll_clear(struct wf_line *line)
{
	for (int i = wf_ll_words(wf_ll_length(line)); i >= 0; i--)
		atomic_store_explicit(wf_ll_word(line, i), 0,
				      memory_order_relaxed);
}

#endif
