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

/* By the only writer of the line. */
static inline void wf_line_pack(struct wf_line *line, bool ll,
				const struct wf_piece *piece, uint32_t seq)
{
	if (ll)
		wf_ll_pack(wf_ll_of(line), piece->data, piece->n, seq);
	else
		wf_line_write(line, piece->data, piece->n, seq);
}

/*
 * What one op sends: the words of a line that are used, or those of an even one
 * and of the odd one behind it with all that is between.
 */
struct wf_image {
	uint32_t at;			/* bytes behind where the lines begin */
	uint32_t bytes;
	uint32_t first;			/* of them, those of the first line */
	bool ll, odd;
};

static inline struct wf_image wf_image_of(uint64_t address, bool ll,
					  const struct wf_piece *piece,
					  uint32_t n)
{
	struct wf_image image = { .ll = ll, .odd = wf_line_is_odd(address) };

	if (!ll) {
		image.at = wf_line_start(piece->n);
		image.first = WF_LINE_BYTES - image.at;
		image.bytes = n * WF_LINE_BYTES - image.at;
		return image;
	}
	image.first = image.bytes = wf_ll_bytes(piece->n);
	if (!image.odd)
		image.at = WF_LINE_BYTES - image.first;
	if (n > 1)
		image.bytes += wf_ll_bytes(piece[1].n);
	return image;
}

/* The one of lines behind another one, plain: the words between are zero. */
static inline void wf_image_pack_behind(char *to, const struct wf_piece *piece,
					uint32_t seq)
{
	memset(to, 0, wf_line_start(piece->n));
	wf_line_pack_plain(to + WF_LINE_BYTES, piece->data, piece->n, seq);
}

/* Into so many bytes, from where a word may begin. */
static inline void wf_image_pack(const struct wf_image *image, char *to,
				 const struct wf_piece *piece, uint32_t n,
				 uint32_t seq)
{
	const struct wf_piece *second = n > 1 ? piece + 1 : NULL;
	char *end = to + image->first;

	if (!image->ll) {
		wf_line_pack_plain(end, piece->data, piece->n, seq);
		if (second)
			wf_image_pack_behind(end, second, seq);
		return;
	}
	wf_ll_pack(image->odd ? wf_ll_up(to) : wf_ll_down(end), piece->data,
		   piece->n, seq);
	if (second)
		wf_ll_pack(wf_ll_up(end), second->data, second->n, seq);
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
