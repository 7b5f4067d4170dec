/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines in the plain encoding, for devices that write the last word after the
 * others (WF_CAP_LINE_PLAIN).
 *
 *   byte  0          56        60       64
 *        | data 56   | length 4 | seq 4 |
 *
 * The data ends in front of the length, in whole words: of 8 bytes it is at 48,
 * so that a write of 16 bytes is enough.
 */
#ifndef WEFT_TRANSPORT_LINE_PLAIN_H
#define WEFT_TRANSPORT_LINE_PLAIN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
	WF_LINE_BYTES = 64,
	WF_LINE_DATA = 56
};

struct wf_line {
	_Alignas(WF_LINE_BYTES) char data[WF_LINE_DATA];
	_Atomic uint64_t tail;		/* length | seq << 32 */
};

_Static_assert(sizeof(struct wf_line) == WF_LINE_BYTES, "one cache line");

/* Most messages are one word. */
static inline void wf_line_copy(void *to, const void *from, uint64_t n)
{
	if (n == sizeof(uint64_t))
		memcpy(to, from, sizeof(uint64_t));
	else if (n)
		memcpy(to, from, n);
}

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
	wf_line_copy(line->data + wf_line_start(n), data, n);
	atomic_store_explicit(&line->tail, n | (uint64_t)seq << 32,
			      memory_order_release);
}

/*
 * The same in memory of our own, which becomes a line by being sent: the words
 * that are used, up to `end`.
 */
static inline void wf_line_pack_plain(char *end, const void *data, uint32_t n,
				      uint32_t seq)
{
	uint64_t tail = n | (uint64_t)seq << 32;
	char *last = end - sizeof(tail);

	memcpy(last, &tail, sizeof(tail));
	if (n % 8)
		memset(last - 8, 0, 8);
	wf_line_copy(last - (WF_LINE_DATA - wf_line_start(n)), data, n);
}

#endif
