/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps in a row: see chain.h. */
#include "coll/chain.h"

#include "base/assert.h"

#define NONE UINT32_MAX

int wf_chain_init(struct wf_chain *c, struct wf_set *set)
{
	c->last = NONE;
	c->nbefore = 0;
	return wf_builder_init(&c->b, set);
}

void wf_chain_behind(struct wf_chain *c, uint32_t step)
{
	if (c->last != NONE)
		wf_build_after(&c->b, step, c->last);
}

void wf_chain_await(struct wf_chain *c, uint32_t step)
{
	WF_ASSERT(c->nbefore < (int)(sizeof(c->before) / sizeof(step)));
	c->before[c->nbefore++] = step;
}

void wf_chain_recv(struct wf_chain *c, uint32_t edge, struct wf_place to,
		   uint64_t bytes)
{
	uint32_t step = wf_build_recv(&c->b, edge, to, bytes);

	if (bytes <= c->b.plan->set->slot_least)
		wf_chain_behind(c, step);
	wf_chain_await(c, step);
}

void wf_chain_send(struct wf_chain *c, uint32_t edge, struct wf_place from,
		   uint64_t bytes)
{
	uint32_t step = wf_build_send(&c->b, edge, from, bytes);

	wf_chain_behind(c, step);
	wf_chain_await(c, step);
}

void wf_chain_then(struct wf_chain *c, uint32_t step)
{
	wf_chain_behind(c, step);
	for (int i = 0; i < c->nbefore; i++)
		wf_build_after(&c->b, step, c->before[i]);
	c->nbefore = 0;
	c->last = step;
}

void wf_chain_reduce(struct wf_chain *c, struct wf_place left,
		     struct wf_place right, struct wf_place to,
		     uint64_t bytes)
{
	wf_chain_then(c, wf_build_reduce(&c->b, left, right, to, bytes));
}

void wf_chain_copy(struct wf_chain *c, struct wf_place from,
		   struct wf_place to, uint64_t bytes)
{
	wf_chain_then(c, wf_build_copy(&c->b, from, to, bytes));
}

struct wf_place wf_chain_into(struct wf_chain *c, struct wf_place right,
			      uint64_t bytes)
{
	return right.buffer == WF_BUFFER_SCRATCH ?
	       right : wf_build_scratch(&c->b, bytes);
}

struct wf_place wf_chain_fold(struct wf_chain *c, const struct wf_place *block,
			      int n, uint64_t bytes, const struct wf_place *to)
{
	struct wf_place left, right, value;
	int half = wf_ragged_half(n);

	WF_ASSERT(n > 1 || !to);
	if (n == 1)
		return block[0];
	left = wf_chain_fold(c, block, half, bytes, NULL);
	right = wf_chain_fold(c, block + half, n - half, bytes, NULL);
	if (to)
		value = *to;
	else
		value = wf_chain_into(c, right, bytes);
	wf_chain_reduce(c, left, right, value, bytes);
	return value;
}
