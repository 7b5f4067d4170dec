/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reduce-scatter by ragged recursive multiplying.
 *
 * Idea: an allreduce of the whole vector into scratch memory, of which each
 * rank keeps its own part: short vectors are latency alone.  Rounds, messages,
 * bytes and bracket are those of allreduce_ragged.c; scratch: what that has,
 * and n more at most.  Copies: one, of the own part.
 */
#include "coll/ragged.h"

/* Of a vector for all ranks. */
static uint64_t bytes_of_all(const struct wf_coll_key *key, int size)
{
	return key->ends ? key->bytes : wf_coll_before(key, size);
}

int wf_reduce_scatter_build(const struct wf_schedule *schedule,
			    struct wf_set *set, const struct wf_coll_key *key,
			    struct wf_plan **plan_p)
{
	const struct weft_comm *comm = schedule->comm;
	uint64_t from = wf_coll_before(key, comm->rank);
	uint64_t end = wf_coll_before(key, comm->rank + 1);
	struct wf_place value, own = { WF_BUFFER_RECV, 0 };
	struct wf_ragged r;
	int status = wf_ragged_init(&r, schedule, set);

	if (status)
		return status;
	wf_build_combine(&r.chain.b, &key->with);
	value = wf_ragged_reduce(&r, bytes_of_all(key, comm->size), false);
	value.offset += (int64_t)from;
	wf_chain_copy(&r.chain, value, own, end - from);
	status = wf_builder_finish(&r.chain.b, plan_p);
	if (status)
		return status;
	(*plan_p)->fixed = true;	/* receives go to scratch */
	return WEFT_OK;
}
