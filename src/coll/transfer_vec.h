/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls with a count and a place for each rank on one side. */
#ifndef WEFT_COLL_TRANSFER_VEC_H
#define WEFT_COLL_TRANSFER_VEC_H

#include <weft/vec.h>
#include "coll/transfer.h"

/*
 * Where the memory of all ranks is got, of a gather, or given, and the call has
 * the own part of the other side, which may be in place.  Checked, and told:
 * both sides of the call, its ends, and its parts if all ranks are no row.
 */
int wf_transfer_read_vec(struct weft_comm *comm, struct wf_coll_call *c,
			 const struct weft_vec *all, bool gathers);

#endif
