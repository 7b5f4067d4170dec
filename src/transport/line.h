/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines: up to 56 bytes, their length and a sequence number in one cache line
 * of the receiver's segment.  The receiver polls the sequence.  A line has one
 * writer at a time, its sender; what it looks like depends on the device.
 */
#ifndef WEFT_TRANSPORT_LINE_H
#define WEFT_TRANSPORT_LINE_H

#include "transport/line_ll.h"
#include "transport/transport.h"

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

/* May one op write these to this address? */
static inline bool wf_pieces_fit(const struct wf_piece *piece, uint32_t n,
				 uint32_t most, uint64_t address)
{
	if (n == 1)
		return piece->n <= most && address % WF_LINE_BYTES == 0;
	return n == 2 && piece[0].n <= most && piece[1].n <= most &&
	       address % (2 * WF_LINE_BYTES) == 0;
}

/*
 * The image of a line, in either encoding: what is to be sent is in it from
 * *at_p on.  Returns where that ends.
 */
static inline uint32_t wf_line_pack(struct wf_line *line, bool ll,
				    const struct wf_piece *piece, uint32_t seq,
				    uint32_t *at_p)
{
	uint32_t bytes;

	if (ll) {
		bytes = wf_ll_pack(line, piece->data, piece->n, seq);
		*at_p = wf_line_is_odd((uintptr_t)line) ? 0 :
							  WF_LINE_BYTES - bytes;
		return *at_p + bytes;
	}
	wf_line_write(line, piece->data, piece->n, seq);
	*at_p = wf_line_start(piece->n);
	return WF_LINE_BYTES;
}

/* An even line and the odd one behind it: some bytes of them are to be sent. */
struct wf_image {
	_Alignas(2 * WF_LINE_BYTES) struct wf_line line[2];
	const char *from;
	uint32_t bytes;
	uint32_t at;			/* bytes behind where the lines begin */
};

/* The image of the line at this address; of two of them, of both. */
static inline void wf_image_pack(struct wf_image *image, uint64_t address,
				 bool ll, const struct wf_piece *piece,
				 uint32_t n, uint32_t seq)
{
	struct wf_line *line = &image->line[wf_line_is_odd(address)];
	uint32_t begin, end = wf_line_pack(line, ll, piece, seq, &image->at);

	if (n > 1) {
		if (!ll)
			memset(line[1].data, 0, sizeof(line[1].data));
		end = WF_LINE_BYTES +
		      wf_line_pack(line + 1, ll, piece + 1, seq, &begin);
	}
	image->from = (const char *)line + image->at;
	image->bytes = end - image->at;
}

/* All n bytes of its data. */
static inline void wf_line_read(const struct wf_line *line, bool ll,
				void *data, uint32_t n)
{
	char all[WF_LINE_DATA] = "";

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
