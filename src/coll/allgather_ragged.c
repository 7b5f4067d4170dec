/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Allgather by ragged recursive multiplying, of as many bytes from each rank or
 * of any.
 *
 * Idea: before a stage each rank has what the ranks of its block gave, which
 * lies together, since blocks are contiguous; it takes that of each other block
 * of its group from one rank there, to where it belongs.  Rounds:
 * ceil(log_8 P), each with at most 7 receives and 14 sends.  Bytes: those of
 * the ranks of a block; what the others have arrives at each rank once, which
 * is the least there is.  Copies: one, of the own part.  Scratch: none.  Any P.
 */
#include "coll/ragged.h"

/* What the ranks from one on gave, as the result has it. */
static struct wf_place part(const struct wf_coll_key *key, int first)
{
	return (struct wf_place){
		WF_BUFFER_RECV, (int64_t)wf_coll_before(key, first)
	};
}

static uint64_t bytes_of(const struct wf_coll_key *key, int first, int end)
{
	return wf_coll_before(key, end) - wf_coll_before(key, first);
}

static void build_stage(struct wf_ragged *r, const struct wf_coll_key *key)
{
	const struct wf_ragged_stage *st = &r->stage;

	for (int i = 0; i < st->nblocks; i++) {
		int first = st->first[i];
		uint64_t all = bytes_of(key, first, st->first[i + 1]);

		if (i == st->own)
			wf_ragged_give(r, part(key, first), all);
		else
			wf_ragged_take(r, part(key, first), all);
	}
	/* What is given next may have come in this one. */
	wf_chain_copy(&r->chain, part(key, 0), part(key, 0), 0);
}

int wf_allgather_build(const struct wf_schedule *schedule, struct wf_set *set,
		       const struct wf_coll_key *key, struct wf_plan **plan_p)
{
	struct wf_place own = { WF_BUFFER_SEND, 0 };
	int me = schedule->comm->rank;
	struct wf_ragged r;
	int status = wf_ragged_init(&r, schedule, set);

	if (status)
		return status;
	wf_chain_copy(&r.chain, own, part(key, me),
		      bytes_of(key, me, me + 1));
	while (wf_ragged_next(&r))
		build_stage(&r, key);
	return wf_builder_finish(&r.chain.b, plan_p);
}
