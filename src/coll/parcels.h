/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parcels: messages of any bytes on their way through other ranks, each behind
 * a head that says where it goes, where it comes from, and which of those it
 * was there.  They are packed, one behind the other, and lie at any address.
 */
#ifndef WEFT_COLL_PARCELS_H
#define WEFT_COLL_PARCELS_H

#include <stdbool.h>
#include <stdint.h>

/* Goes over the wire as it is (docs/wire.md). */
struct wf_parcel_head {
	int32_t to, from;		/* ranks */
	int32_t position;		/* at the source */
	uint32_t low, high;		/* halves of the number of bytes */
};

_Static_assert(sizeof(struct wf_parcel_head) == 20, "wire");

struct wf_parcel {
	int to, from, position;
	uint64_t bytes;
	const char *content;
};

/* A row of them, in memory of malloc(). */
struct wf_parcels {
	char *memory;			/* freed with it; NULL: none */
	uint64_t at, bytes;		/* where it lies there */
};

/* Room for a parcel. */
static inline uint64_t wf_parcel_room(uint64_t bytes)
{
	return sizeof(struct wf_parcel_head) + bytes;
}

/* Where the next one goes. */
char *wf_parcel_put(char *at, const struct wf_parcel *parcel);

/*
 * The one at an offset in a row, from 0 on, which becomes that of the next;
 * false: there is none.
 */
bool wf_parcels_next(const struct wf_parcels *row, uint64_t *offset,
		     struct wf_parcel *parcel_p);

void wf_parcels_drop(struct wf_parcels *row);

#endif
