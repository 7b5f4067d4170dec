/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies with a stride: see copies.h. */
#include "plan/copies.h"

#include <string.h>

static bool goes_on(const struct wf_copies *c, struct wf_place from,
		    struct wf_place to, uint64_t bytes)
{
	int64_t n = c->n;		/* strides are of 32 bits */

	return bytes == c->bytes && from.buffer == c->from.buffer &&
	       to.buffer == c->to.buffer &&
	       from.offset == c->from.offset + n * c->stride.from &&
	       to.offset == c->to.offset + n * c->stride.to;
}

bool wf_copies_add(struct wf_copies *c, struct wf_place from,
		   struct wf_place to, uint64_t bytes)
{
	if (!c->n)
		*c = (struct wf_copies){ from, to, bytes, 0, { 0, 0 } };
	if (c->n == 1)
		c->stride = (struct wf_copy_step){
			(int32_t)(from.offset - c->from.offset),
			(int32_t)(to.offset - c->to.offset)
		};
	if (!goes_on(c, from, to, bytes))
		return false;
	c->n++;
	return true;
}

uint32_t wf_build_copies(struct wf_builder *b, const struct wf_copies *c)
{
	uint32_t step = wf_build_copy(b, c->from, c->to, c->bytes);

	if (!b->status) {
		b->plan->step[step].edge = c->n - 1;
		b->plan->step[step].stride = c->stride;
	}
	return step;
}

void wf_run_copy(const struct wf_run *run, const struct wf_step *s)
{
	char *to = wf_run_place(run, s->to), *from = wf_run_place(run, s->from);

	if (!s->bytes || (to == from && !s->edge))	/* in place */
		return;
	memcpy(to, from, s->bytes);
	for (uint32_t more = s->edge; more; more--) {
		to += s->stride.to;
		from += s->stride.from;
		memcpy(to, from, s->bytes);
	}
	wf_job_copied(run->set->comm->job, s->bytes * (s->edge + 1));
}
