/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of context ids, and refills of pools: see block.h. */
#include "derive/block.h"

#include "coll/agree.h"
#include "coll/coll.h"

/* What rank 0 takes; nothing if it has no more. */
static void mint(struct weft_comm *parent, struct wf_cid_block *range)
{
	struct wf_cid_space *ids = &wf_contexts(parent->job)->ids;

	*range = (struct wf_cid_block){ 0, 0 };
	if (parent->rank == 0 &&
	    wf_cid_mint_refill(ids, &parent->pool, &range->low, &range->end))
		*range = (struct wf_cid_block){ 0, 0 };
}

/*
 * All others add zeros.  The worst status is that of all, so that nobody
 * refills where one could not: their pools would differ from then on.
 */
static int refill(struct weft_comm *parent, const char *call)
{
	struct wf_cid_block range;
	uint64_t words[2];
	int status, alone;

	mint(parent, &range);
	words[0] = range.low;
	words[1] = range.end;
	status = wf_allreduce(parent, WEFT_IN_PLACE, words, 2,
			      &weft_type_uint64, &weft_op_sum);
	status = wf_agree_within(parent, call, status, &alone);
	wf_coll_strays(parent, alone);
	if (status)
		return status;
	if (words[0] == words[1])
		return wf_job_fail(parent->job, WEFT_ERR_NOMEM, "%s: rank 0 of "
				   "the communicator has no context ids left, "
				   "and none is given twice: make fewer "
				   "communicators, and keep them", call);
	wf_cid_refill(&parent->pool, words[0], words[1]);
	wf_contexts(parent->job)->refills++;
	return WEFT_OK;
}

int wf_block_take(struct weft_comm *parent, const char *call,
		  struct wf_cid_block *block_p)
{
	int status = wf_cid_carve(&parent->pool, &block_p->low, &block_p->end);

	if (status != WEFT_AGAIN)
		return status;
	status = refill(parent, call);
	return status ? status : wf_cid_carve(&parent->pool, &block_p->low,
					      &block_p->end);
}
