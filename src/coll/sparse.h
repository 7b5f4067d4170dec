/* SPDX-License-Identifier: BSD-3-Clause */
/* A sparse exchange of another call: see weft/sparse.h. */
#ifndef WEFT_COLL_SPARSE_H
#define WEFT_COLL_SPARSE_H

#include <weft/sparse.h>
#include "comm/comm.h"

/*
 * By all ranks, with the job entered and arguments that were checked; status:
 * an error of this rank, told, which takes part so that the others hear of it.
 * What fails was told; *whose_p is the rank whose error it is.  Blocks.
 */
int wf_sparse_exchange(struct weft_comm *comm, const char *call, int status,
		       const struct weft_sparse *send,
		       struct weft_sparse_got *got, int *whose_p);

#endif
