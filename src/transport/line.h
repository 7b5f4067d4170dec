/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines: up to 56 bytes, their length and a sequence number in one cache line
 * of the receiver's segment.  The receiver polls the sequence.
 *
 *   byte  0          56        60       64
 *        | data 56   | length 4 | seq 4 |        plain encoding
 *
 * The data ends in front of the length, in whole words: of 8 bytes it is at 48,
 * so that a write of 16 bytes is enough.  Plain is for devices that write the
 * last word after the others (WF_CAP_LINE_PLAIN); a line has one writer at a
 * time, its sender.
 *
 *   byte  0          4        8        12       16
 *        | length 4 | seq 4 | data 4 | seq 4 | data 4 | ...   LL encoding
 *
 * LL is for devices that keep no order within a write but write words whole:
 * each word says itself that it is there.  Only the used ones are sent, and
 * the receiver zeroes them when it has read the line: a word that is not
 * written again in this epoch must not look like one that was, when the
 * sequence has come round.
 */
#ifndef WEFT_TRANSPORT_LINE_H
#define WEFT_TRANSPORT_LINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "transport/transport.h"

enum {
	WF_LINE_BYTES = 64,
	WF_LINE_DATA = 56,
	WF_LL_WORDS = WF_LINE_BYTES / 8,
	WF_LL_DATA = 4 * (WF_LL_WORDS - 1)
};

struct wf_line {
	_Alignas(WF_LINE_BYTES) char data[WF_LINE_DATA];
	_Atomic uint64_t tail;		/* length | seq << 32 */
};

_Static_assert(sizeof(struct wf_line) == WF_LINE_BYTES, "one cache line");

/* The sequence number of an epoch: never 0, which a zeroed line holds. */
static inline uint32_t wf_line_seq(uint64_t epoch)
{
	return 1 + (uint32_t)(epoch % UINT32_MAX);
}

/* Pairs with the release store of wf_line_write(): then data is readable. */
static inline bool wf_line_ready(const struct wf_line *line, uint32_t seq)
{
	return atomic_load_explicit(&line->tail, memory_order_acquire) >> 32 ==
	       seq;
}

static inline uint32_t wf_line_length(const struct wf_line *line)
{
	return (uint32_t)atomic_load_explicit(&line->tail,
					      memory_order_relaxed);
}

/* Where n bytes of data begin; from there on a write has all of the line. */
static inline uint32_t wf_line_start(uint32_t n)
{
	return (WF_LINE_DATA - n) & ~7u;
}

/* What a line that is ready, and says that it has n bytes, has. */
static inline const char *wf_line_content(const struct wf_line *line,
					  uint32_t n)
{
	return line->data + wf_line_start(n);
}

/* By the only writer of the line; n is at most WF_LINE_DATA. */
static inline void wf_line_write(struct wf_line *line, const void *data,
				 uint32_t n, uint32_t seq)
{
	if (n == 8)
		memcpy(line->data + wf_line_start(8), data, 8);
	else if (n)
		memcpy(line->data + wf_line_start(n), data, n);
	atomic_store_explicit(&line->tail, n | (uint64_t)seq << 32,
			      memory_order_release);
}

static inline _Atomic uint64_t *wf_ll_word(const struct wf_line *line, int i)
{
	return (_Atomic uint64_t *)(uintptr_t)line->data + i;
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

	if (n)
		memcpy(piece, data, n);
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
	if (n)
		memcpy(data, piece, n);
}

/* By the receiver, before its sender may write the line again. */
static inline void wf_ll_clear(struct wf_line *line)
{
	for (int i = wf_ll_words(wf_ll_length(line)); i >= 0; i--)
		atomic_store_explicit(wf_ll_word(line, i), 0,
				      memory_order_relaxed);
}

/* The same in either encoding, by who has lines of peers of both kinds. */
static inline bool wf_line_has(const struct wf_line *line, bool ll,
			       uint32_t seq)
{
	return ll ? wf_ll_ready(line, seq) : wf_line_ready(line, seq);
}

static inline uint32_t wf_line_bytes(const struct wf_line *line, bool ll)
{
	return ll ? wf_ll_length(line) : wf_line_length(line);
}

/* May one op write these? */
static inline bool wf_pieces_fit(const struct wf_piece *piece, uint32_t n,
				 uint32_t most)
{
	return n - 1 < WF_LINES_MAX && piece[0].n <= most &&
	       (n == 1 || piece[1].n <= most);
}

/* The image of a line, in either encoding.  Returns where its bytes end. */
static inline uint32_t wf_line_pack(struct wf_line *line, bool ll,
				    const struct wf_piece *piece, uint32_t seq)
{
	if (ll)
		return wf_ll_pack(line, piece->data, piece->n, seq);
	wf_line_write(line, piece->data, piece->n, seq);
	return WF_LINE_BYTES;
}

/*
 * The same of n lines, in which *at_p bytes at the beginning are not to be
 * sent.  What lies between their bytes is zero: to a receiver of LL words they
 * have not come.
 */
static inline uint32_t wf_lines_pack(struct wf_line *line, bool ll,
				     const struct wf_piece *piece, uint32_t n,
				     uint32_t seq, uint32_t *at_p)
{
	*at_p = ll ? 0 : wf_line_start(piece->n);
	if (n == 1)
		return wf_line_pack(line, ll, piece, seq);
	memset(line, 0, n * sizeof(*line));
	wf_line_pack(line, ll, piece, seq);
	return WF_LINE_BYTES + wf_line_pack(line + 1, ll, piece + 1, seq);
}

/* All n bytes of its data. */
static inline void wf_line_read(const struct wf_line *line, bool ll,
				void *data, uint32_t n)
{
	char all[WF_LINE_DATA];

	if (ll)
		wf_ll_read(line, all);
	memcpy(data, ll ? all : wf_line_content(line, n), n);
}

/* The op for one line. */
static inline int wf_ep_line(struct wf_ep *ep, struct wf_rloc dst,
			     const void *data, uint32_t n, uint32_t seq)
{
	struct wf_piece piece = { data, n };

	return ep->ops->lines(ep, dst, &piece, 1, seq);
}

#endif
