/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls with a count and a place for each rank. */
#ifndef WEFT_COLL_TRANSFER_VEC_H
#define WEFT_COLL_TRANSFER_VEC_H

#include <weft/vec.h>
#include "coll/transfer.h"

/*
 * What all ranks give or get: checked, and told.  The call has its ends, and
 * its parts if it is no row of bytes, in the order of ranks, at row->base.
 * name: "recv".
 */
int wf_transfer_read_vec(struct weft_comm *comm, struct wf_coll_call *c,
			 const char *name, const struct weft_vec *vec,
			 struct weft_part *row);

/* Bytes in it of a rank. */
static inline uint64_t wf_transfer_vec_bytes(const struct wf_coll_call *c,
					     int rank)
{
	return wf_coll_before(&c->key, rank + 1) -
	       wf_coll_before(&c->key, rank);
}

/*
 * The other side, of this rank: in place, where it is among all, or as many
 * bytes.  name: "send".
 */
int wf_transfer_read_own(struct weft_comm *comm, const struct wf_coll_call *c,
			 const char *name, const struct weft_part *row,
			 struct weft_part *own);

#endif
