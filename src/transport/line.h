/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines: up to 56 bytes, their length and a sequence number in one cache line
 * of the receiver's segment.  The receiver polls the sequence.
 *
 *   byte  0          56        60       64
 *        | data 56   | length 4 | seq 4 |        plain encoding
 *
 * Plain is for devices that write the last word after the others
 * (WF_CAP_LINE_PLAIN); a line has one writer at a time, its sender.
 */
#ifndef WEFT_TRANSPORT_LINE_H
#define WEFT_TRANSPORT_LINE_H

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

/* By the only writer of the line; n is at most WF_LINE_DATA. */
static inline void wf_line_write(struct wf_line *line, const void *data,
				 uint32_t n, uint32_t seq)
{
	if (n == 8)
		memcpy(line->data, data, 8);
	else if (n)
		memcpy(line->data, data, n);
	atomic_store_explicit(&line->tail, n | (uint64_t)seq << 32,
			      memory_order_release);
}

#endif
