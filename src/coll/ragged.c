/* SPDX-License-Identifier: BSD-3-Clause */
/* The common part of plans by ragged recursive multiplying: see ragged.h. */
#include "coll/ragged.h"

#include <stdlib.h>
#include "base/assert.h"

#define NONE UINT32_MAX

int wf_ragged_edges_init(struct wf_ragged_edges *e,
			 const struct wf_coll *coll)
{
	const struct weft_comm *comm = coll->comm;
	size_t most = (size_t)coll->cuts.stages * WF_RAGGED_TARGETS_MAX + 1;
	struct wf_ragged_stage st;

	e->nout = e->nin = 0;
	e->out = calloc(most, sizeof(*e->out));
	e->in = calloc(most, sizeof(*e->in));
	if (!e->out || !e->in) {
		wf_ragged_edges_fini(e);
		return WEFT_ERR_NOMEM;
	}
	for (int s = 0; s < coll->cuts.stages; s++) {
		wf_ragged_stage(&coll->cuts, comm->rank, s, &st);
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

int wf_ragged_init(struct wf_ragged *r, const struct wf_coll *coll)
{
	r->coll = coll;
	r->stages = 0;
	r->out = r->in = 0;
	r->last = NONE;
	r->nbefore = 0;
	return wf_builder_init(&r->b, coll->set);
}

bool wf_ragged_next(struct wf_ragged *r)
{
	const struct wf_coll *coll = r->coll;

	while (r->stages < coll->cuts.stages) {
		wf_ragged_stage(&coll->cuts, coll->comm->rank, r->stages++,
				&r->stage);
		if (r->stage.nblocks > 1)
			return true;
	}
	return false;
}

bool wf_ragged_is_last(const struct wf_ragged *r)
{
	return r->stages == r->coll->cuts.stages;
}

static void after_last(struct wf_ragged *r, uint32_t step)
{
	if (r->last != NONE)
		wf_build_after(&r->b, step, r->last);
}

void wf_ragged_give(struct wf_ragged *r, struct wf_place from, uint64_t bytes)
{
	for (int i = 0; i < r->stage.ntargets; i++) {
		uint32_t step = wf_build_send(&r->b, r->out++, from, bytes);

		after_last(r, step);
		r->before[r->nbefore++] = step;
	}
}

/*
 * What lands without help is looked at when its stage has come: a pass looks
 * at 7 edges and not at those of all stages.  Above that the receiver must
 * offer memory first, and does so from the start.
 */
void wf_ragged_take(struct wf_ragged *r, struct wf_place to, uint64_t bytes)
{
	uint32_t step = wf_build_recv(&r->b, r->in++, to, bytes);

	if (bytes <= r->coll->set->slot_least)
		after_last(r, step);
	r->before[r->nbefore++] = step;
}

void wf_ragged_then(struct wf_ragged *r, uint32_t step)
{
	after_last(r, step);
	for (int i = 0; i < r->nbefore; i++)
		wf_build_after(&r->b, step, r->before[i]);
	r->nbefore = 0;
	r->last = step;
}

void wf_ragged_reduce(struct wf_ragged *r, struct wf_place left,
		      struct wf_place right, struct wf_place to,
		      uint64_t bytes)
{
	wf_ragged_then(r, wf_build_reduce(&r->b, left, right, to, bytes));
}

void wf_ragged_copy(struct wf_ragged *r, struct wf_place from,
		    struct wf_place to, uint64_t bytes)
{
	wf_ragged_then(r, wf_build_copy(&r->b, from, to, bytes));
}

struct wf_place wf_ragged_into(struct wf_ragged *r, struct wf_place right,
			       uint64_t bytes)
{
	return right.buffer == WF_BUFFER_SCRATCH ?
	       right : wf_build_scratch(&r->b, bytes);
}

struct wf_place wf_ragged_fold(struct wf_ragged *r,
			       const struct wf_place *block, int n,
			       uint64_t bytes, const struct wf_place *to)
{
	struct wf_place left, right, value;
	int half = wf_ragged_half(n);

	WF_ASSERT(n > 1 || !to);
	if (n == 1)
		return block[0];
	left = wf_ragged_fold(r, block, half, bytes, NULL);
	right = wf_ragged_fold(r, block + half, n - half, bytes, NULL);
	if (to)
		value = *to;
	else
		value = wf_ragged_into(r, right, bytes);
	wf_ragged_reduce(r, left, right, value, bytes);
	return value;
}
