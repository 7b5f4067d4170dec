/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Allreduce and barrier by ragged recursive multiplying.
 *
 * Idea: the ranks are split into halves, and those again; going up from single
 * ranks, a stage joins up to 3 levels of halves (log2 of the radix): a rank
 * takes the values of the up to 7 other blocks from one rank of each, and folds
 * them in pairs of halves.  Rounds: ceil(log_8 P), each with at most 7 receives
 * and 14 sends.  Bytes: n per message.  Scratch: n for each value
 * that comes, into which others are folded, and n where the own one of the
 * first stage is a right operand.  Any P; rank order is kept, so the operation
 * need not commute, and the bracket is one for all ranks and radices.  Source:
 * recursive multiplying with contiguous blocks, verified for P up to 1024 by
 * tests/unit/peers.t.
 */
#include "coll/ragged.h"

static struct wf_place build_stage(struct wf_ragged *r, struct wf_place value,
				   uint64_t bytes, bool to_result)
{
	struct wf_place block[WF_RAGGED_RADIX_MAX];
	const struct wf_place result = { WF_BUFFER_RECV, 0 };
	/* Without bytes there is nothing to fold: one step joins. */
	int n = bytes ? r->stage.nblocks : 2;

	wf_ragged_give(r, value, bytes);
	for (int i = 0; i < r->stage.nblocks; i++) {
		block[i] = value;
		if (i == r->stage.own)
			continue;
		block[i] = wf_build_scratch(&r->chain.b, bytes);
		wf_ragged_take(r, block[i], bytes);
	}
	return wf_chain_fold(&r->chain, block, n, bytes,
			      to_result && wf_ragged_is_last(r) ? &result :
								  NULL);
}

struct wf_place wf_ragged_reduce(struct wf_ragged *r, uint64_t bytes,
				 bool to_result)
{
	struct wf_place value = { WF_BUFFER_SEND, 0 };

	while (wf_ragged_next(r))
		value = build_stage(r, value, bytes, to_result);
	return value;
}

int wf_allreduce_build(const struct wf_schedule *schedule, struct wf_set *set,
		       const struct wf_coll_key *key, struct wf_plan **plan_p)
{
	struct wf_place value, result = { WF_BUFFER_RECV, 0 };
	struct wf_ragged r;
	int status = wf_ragged_init(&r, schedule, set);

	if (status)
		return status;
	wf_build_combine(&r.chain.b, &key->with);
	value = wf_ragged_reduce(&r, key->bytes, true);
	if (value.buffer != WF_BUFFER_RECV)
		wf_chain_copy(&r.chain, value, result, key->bytes);
	status = wf_builder_finish(&r.chain.b, plan_p);
	if (status)
		return status;
	(*plan_p)->fixed = true;	/* receives go to scratch */
	return WEFT_OK;
}
