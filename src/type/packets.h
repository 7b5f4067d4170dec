/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Packets: pieces of one size, anywhere in an array of them, from and to their
 * packed form.  Which ones they are says a list of indices that is nobody's
 * here, so one list serves packets of any size.
 */
#ifndef WEFT_TYPE_PACKETS_H
#define WEFT_TYPE_PACKETS_H

#include <stddef.h>
#include <stdint.h>

struct wf_packets {
	char *base;
	size_t unit;			/* bytes of a packet, 1 at least */
	const uint32_t *index;		/* NULL: as they lie */
};

/* Packed bytes, from so many on. */
void wf_packets_gather(const struct wf_packets *of, size_t from, void *to,
		       size_t bytes);

/* The other way round. */
void wf_packets_scatter(const struct wf_packets *of, size_t from,
			const void *data, size_t bytes);

#endif
