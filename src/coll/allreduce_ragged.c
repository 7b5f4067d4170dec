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
#include <stdlib.h>
#include "coll/coll.h"
#include "coll/peers.h"

int wf_ragged_edges_init(struct wf_ragged_edges *e,
			 const struct wf_coll *coll)
{
	const struct weft_comm *comm = coll->comm;
	size_t most = (size_t)coll->stages * WF_RAGGED_TARGETS_MAX + 1;
	struct wf_ragged_stage st;

	e->nout = e->nin = 0;
	e->out = calloc(most, sizeof(*e->out));
	e->in = calloc(most, sizeof(*e->in));
	if (!e->out || !e->in) {
		wf_ragged_edges_fini(e);
		return WEFT_ERR_NOMEM;
	}
	for (int s = 0; s < coll->stages; s++) {
		wf_ragged_stage(comm->size, coll->radix, comm->rank, s, &st);
		for (int i = 0; i < st.ntargets; i++)
			e->out[e->nout++] = (struct wf_edge){
				comm->rank, st.target[i], 0, (uint32_t)s };
		for (int b = 0; b < st.nblocks; b++)
			if (b != st.own)
				e->in[e->nin++] = (struct wf_edge){
					st.source[b], comm->rank, 0,
					(uint32_t)s };
	}
	return WEFT_OK;
}

void wf_ragged_edges_fini(struct wf_ragged_edges *e)
{
	free(e->out);
	free(e->in);
	e->out = e->in = NULL;
}

/* Where the building stands. */
struct stage_state {
	struct wf_builder b;
	const struct wf_coll_key *key;
	struct wf_place value;		/* of the rank's block so far */
	uint32_t last;			/* step that made it; NONE: given */
	uint32_t out, in;		/* next edges of the set */
};

#define NONE UINT32_MAX

static void after_last(struct stage_state *s, uint32_t step)
{
	if (s->last != NONE)
		wf_build_after(&s->b, step, s->last);
}

/*
 * What lands without help is looked at when its stage has come: a pass looks
 * at 7 edges and not at those of all stages.  Above that the receiver must
 * offer memory first, and does so from the start.
 */
static bool waits_its_turn(const struct stage_state *s)
{
	return s->key->bytes <= s->b.plan->set->slot_max;
}

/* Fold the blocks of a stage from left to right, into `result`. */
static void fold(struct stage_state *s, const struct wf_place *block,
		 int nblocks, const uint32_t *before, int nbefore,
		 struct wf_place result)
{
	struct wf_place left = block[0];
	uint32_t step = NONE;

	if (!s->key->bytes)
		nblocks = 2;		/* nothing to fold: one step joins */
	for (int i = 1; i < nblocks; i++) {
		struct wf_place to = i == nblocks - 1 ? result :
			wf_build_scratch(&s->b, s->key->bytes);
		uint32_t next = wf_build_reduce(&s->b, left, block[i], to,
						s->key->bytes);

		if (step != NONE)
			wf_build_after(&s->b, next, step);
		else
			after_last(s, next);
		for (int k = 0; step == NONE && k < nbefore; k++)
			wf_build_after(&s->b, next, before[k]);
		step = next;
		left = to;
	}
	s->last = step;
	s->value = result;
}

static void build_stage(struct stage_state *s,
			const struct wf_ragged_stage *st, bool is_last)
{
	uint32_t before[WF_RAGGED_TARGETS_MAX + WF_RAGGED_RADIX_MAX];
	struct wf_place block[WF_RAGGED_RADIX_MAX], result;
	int n = 0;

	for (int i = 0; i < st->ntargets; i++) {
		before[n] = wf_build_send(&s->b, s->out++, s->value,
					  s->key->bytes);
		after_last(s, before[n++]);
	}
	for (int i = 0; i < st->nblocks; i++) {
		if (i == st->own) {
			block[i] = s->value;
			continue;
		}
		block[i] = wf_build_scratch(&s->b, s->key->bytes);
		before[n] = wf_build_recv(&s->b, s->in++, block[i],
					  s->key->bytes);
		if (waits_its_turn(s))
			after_last(s, before[n]);
		n++;
	}
	result = (struct wf_place){ WF_BUFFER_RECV, 0 };
	if (!is_last)
		result = wf_build_scratch(&s->b, s->key->bytes);
	fold(s, block, st->nblocks, before, n, result);
}

int wf_allreduce_build(struct wf_coll *coll, const struct wf_coll_key *key,
		       struct wf_plan **plan_p)
{
	struct weft_comm *comm = coll->comm;
	struct stage_state s = {
		.key = key, .value = { WF_BUFFER_SEND, 0 }, .last = NONE
	};
	struct wf_place result = { WF_BUFFER_RECV, 0 };
	struct wf_ragged_stage st;
	int status = wf_builder_init(&s.b, coll->set);

	if (status)
		return status;
	s.b.plan->width = key->width;
	for (int i = 0; i < coll->stages; i++) {
		wf_ragged_stage(comm->size, coll->radix, comm->rank, i, &st);
		if (st.nblocks > 1)
			build_stage(&s, &st, i == coll->stages - 1);
	}
	if (s.value.buffer != WF_BUFFER_RECV)
		after_last(&s, wf_build_copy(&s.b, s.value, result,
					     key->bytes));
	status = wf_builder_finish(&s.b, plan_p);
	if (status)
		return status;
	(*plan_p)->fixed = true;	/* receives go to scratch */
	(*plan_p)->kernel = key->kernel;
	(*plan_p)->name = key->kernel ? "allreduce" : "barrier";
	return WEFT_OK;
}
