/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Allreduce and barrier by ragged recursive multiplying.
 *
 * Idea: ranks are split top-down into up to 8 near-equal contiguous blocks;
 * going up again, a rank takes the other blocks' values from one rank of each
 * and folds them in block order.  Rounds: ceil(log_8 P), each with at most 7
 * receives and 14 sends.  Bytes: n per message.  Scratch: 8 n per stage.
 * Any P; rank order is kept, so the operation need not commute, and every
 * rank applies the same bracket.  Source: design of recursive multiplying
 * with contiguous blocks, verified for P up to 1024 by tests/unit/peers.t.
 */
#include "coll/ragged.h"

/* Fold the blocks of a stage from left to right, into `result`. */
static void fold(struct wf_ragged *r, const struct wf_place *block,
		 uint64_t bytes, struct wf_place result)
{
	/* Without bytes there is nothing to fold: one step joins. */
	int n = bytes ? r->stage.nblocks : 2;
	struct wf_place left = block[0];

	for (int i = 1; i < n; i++) {
		struct wf_place to = i == n - 1 ? result :
			wf_build_scratch(&r->b, bytes);

		wf_ragged_reduce(r, left, block[i], to, bytes);
		left = to;
	}
}

static struct wf_place build_stage(struct wf_ragged *r, struct wf_place value,
				   uint64_t bytes)
{
	struct wf_place block[WF_RAGGED_RADIX_MAX];
	struct wf_place result = { WF_BUFFER_RECV, 0 };

	wf_ragged_give(r, value, bytes);
	for (int i = 0; i < r->stage.nblocks; i++) {
		block[i] = value;
		if (i == r->stage.own)
			continue;
		block[i] = wf_build_scratch(&r->b, bytes);
		wf_ragged_take(r, block[i], bytes);
	}
	if (!wf_ragged_is_last(r))
		result = wf_build_scratch(&r->b, bytes);
	fold(r, block, bytes, result);
	return result;
}

int wf_allreduce_build(struct wf_coll *coll, const struct wf_coll_key *key,
		       struct wf_plan **plan_p)
{
	struct wf_place value = { WF_BUFFER_SEND, 0 };
	struct wf_place result = { WF_BUFFER_RECV, 0 };
	struct wf_ragged r;
	int status = wf_ragged_init(&r, coll);

	if (status)
		return status;
	r.b.plan->width = key->width;
	while (wf_ragged_next(&r))
		value = build_stage(&r, value, key->bytes);
	if (value.buffer != WF_BUFFER_RECV)
		wf_ragged_copy(&r, value, result, key->bytes);
	status = wf_builder_finish(&r.b, plan_p);
	if (status)
		return status;
	(*plan_p)->fixed = true;	/* receives go to scratch */
	(*plan_p)->kernel = key->kernel;
	return WEFT_OK;
}
