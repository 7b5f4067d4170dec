/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a constructor gets the context ids of the child: from the pool of the
 * parent, without a message as long as there is something in it.  An empty pool
 * is seen by all members alike; then the parent's rank 0 takes a range of ids
 * from its own, an allreduce tells all of them, and another one makes sure that
 * all have heard it.
 */
#ifndef WEFT_DERIVE_BLOCK_H
#define WEFT_DERIVE_BLOCK_H

#include "comm/comm.h"

/*
 * The block of the next child of a communicator.  By all members, with the job
 * entered; for what fails behind it the block is passed over.  Errors are told
 * as the job's last one, and nobody has a block then: WEFT_ERR_NOMEM (also:
 * rank 0 has no ids left), WEFT_ERR_PEER, WEFT_ERR_DEVICE.
 * Blocks: only where the pool is empty.
 */
int wf_block_take(struct weft_comm *parent, const char *call,
		  struct wf_cid_block *block_p);

#endif
