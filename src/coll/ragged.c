/* SPDX-License-Identifier: BSD-3-Clause */
/* The schedule, and what its plans have in common: see ragged.h. */
#include "coll/ragged.h"


/* ---- the schedule ---- */

/* Out and in, stage by stage. */
static int find_edges(const struct wf_schedule *s, struct wf_schedule_edges *e)
{
	const struct wf_ragged_cuts *cuts = &s->cuts;
	int me = s->comm->rank;
	struct wf_ragged_stage st;

	if (wf_schedule_edges_init(e, (size_t)cuts->stages *
				      WF_RAGGED_TARGETS_MAX))
		return WEFT_ERR_NOMEM;
	for (int i = 0; i < cuts->stages; i++) {
		uint32_t stage = (uint32_t)i;

		wf_ragged_stage(cuts, me, i, &st);
		for (int t = 0; t < st.ntargets; t++)
			e->out[e->nout++] = (struct wf_edge){
				me, st.target[t], 0, stage };
		for (int b = 0; b < st.nblocks; b++)
			if (b != st.own)
				e->in[e->nin++] = (struct wf_edge){
					st.source[b], me, 0, stage };
	}
	return WEFT_OK;
}

static int build_refused(const struct wf_schedule *s, struct wf_plan **plan_p)
{
	const struct wf_coll_key none = { .with.width = 1 };

	return wf_allreduce_build(s, s->set, &none, plan_p);
}

const struct wf_schedule_kind wf_ragged_program = {
	.port = WF_PORT_COLL, .find_edges = find_edges,
	.build_refused = build_refused
};

const struct wf_schedule_kind wf_ragged_ids = {
	.port = WF_PORT_IDS, .find_edges = find_edges,
	.build_refused = build_refused
};

/* ---- its plans ---- */

int wf_ragged_init(struct wf_ragged *r, const struct wf_schedule *s,
		   struct wf_set *set)
{
	r->schedule = s;
	r->stages = 0;
	r->out = r->in = 0;
	return wf_chain_init(&r->chain, set);
}

bool wf_ragged_next(struct wf_ragged *r)
{
	const struct wf_schedule *s = r->schedule;

	while (r->stages < s->cuts.stages) {
		wf_ragged_stage(&s->cuts, s->comm->rank, r->stages++,
				&r->stage);
		if (r->stage.nblocks > 1)
			return true;
	}
	return false;
}

bool wf_ragged_is_last(const struct wf_ragged *r)
{
	return r->stages == r->schedule->cuts.stages;
}

void wf_ragged_give(struct wf_ragged *r, struct wf_place from, uint64_t bytes)
{
	for (int i = 0; i < r->stage.ntargets; i++)
		wf_chain_send(&r->chain, r->out++, from, bytes);
}

void wf_ragged_take(struct wf_ragged *r, struct wf_place to, uint64_t bytes)
{
	wf_chain_recv(&r->chain, r->in++, to, bytes);
}
