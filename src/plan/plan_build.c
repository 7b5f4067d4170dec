/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Building a plan: straight-line code appends steps and names what comes
 * before what; finishing it turns that into the lists which the engine reads.
 * A run has memory for the steps of its plan.
 */
#include <stdlib.h>
#include <string.h>
#include "base/zeroed.h"
#include "plan/plan_staged.h"

int wf_builder_init(struct wf_builder *b, struct wf_set *set)
{
	memset(b, 0, sizeof(*b));
	b->plan = wf_zeroed(1, sizeof(*b->plan));
	if (!b->plan)
		return WEFT_ERR_NOMEM;
	b->plan->set = set;
	b->plan->with.width = 1;
	return WEFT_OK;
}

static uint32_t append(struct wf_builder *b, const struct wf_step *step)
{
	struct wf_plan *plan = b->plan;

	if (b->status)
		return 0;
	if (plan->nsteps == b->capacity) {
		int capacity = b->capacity ? 2 * b->capacity : 8;
		struct wf_step *grown = realloc(plan->step, (size_t)capacity *
						sizeof(*grown));

		if (!grown) {
			b->status = WEFT_ERR_NOMEM;
			return 0;
		}
		plan->step = grown;
		b->capacity = capacity;
	}
	plan->step[plan->nsteps] = *step;
	return (uint32_t)plan->nsteps++;
}

void wf_build_combine(struct wf_builder *b, const struct wf_combination *with)
{
	b->plan->with = *with;
	wf_combination_hold(with);
}

uint32_t wf_build_send(struct wf_builder *b, uint32_t edge,
		       struct wf_place from, uint64_t bytes)
{
	struct wf_step s = {
		.kind = WF_STEP_SEND, .edge = edge, .from = from,
		.bytes = bytes
	};

	return append(b, &s);
}

uint32_t wf_build_recv(struct wf_builder *b, uint32_t edge,
		       struct wf_place to, uint64_t bytes)
{
	struct wf_step s = {
		.kind = WF_STEP_RECV, .edge = edge, .to = to, .bytes = bytes
	};

	return append(b, &s);
}

uint32_t wf_build_copy(struct wf_builder *b, struct wf_place from,
		       struct wf_place to, uint64_t bytes)
{
	struct wf_step s = {
		.kind = WF_STEP_COPY, .from = from, .to = to, .bytes = bytes
	};

	return append(b, &s);
}

uint32_t wf_build_reduce(struct wf_builder *b, struct wf_place left,
			 struct wf_place right, struct wf_place to,
			 uint64_t bytes)
{
	struct wf_step s = {
		.kind = WF_STEP_REDUCE, .from = left, .other = right,
		.to = to, .bytes = bytes
	};

	return append(b, &s);
}

void wf_build_after(struct wf_builder *b, uint32_t after, uint32_t before)
{
	if (b->status)
		return;
	if (b->ndeps == b->dep_capacity) {
		int capacity = b->dep_capacity ? 2 * b->dep_capacity : 16;
		struct wf_dep *grown = realloc(b->dep, (size_t)capacity *
					       sizeof(*grown));

		if (!grown) {
			b->status = WEFT_ERR_NOMEM;
			return;
		}
		b->dep = grown;
		b->dep_capacity = capacity;
	}
	b->dep[b->ndeps++] = (struct wf_dep){ before, after };
}

struct wf_place wf_build_scratch(struct wf_builder *b, uint64_t bytes)
{
	struct wf_plan *plan = b->plan;
	struct wf_place at = { WF_BUFFER_SCRATCH,
			       (int64_t)plan->scratch_bytes };

	if (bytes > INT64_MAX / 8 || plan->scratch_bytes > INT64_MAX / 8) {
		b->status = WEFT_ERR_NOMEM;
		return at;
	}
	plan->scratch_bytes += (bytes + 63) / 64 * 64;
	return at;
}

/* Does a sender need what this step says before it can put? */
static bool offers(const struct wf_plan *plan, const struct wf_step *s)
{
	return s->kind == WF_STEP_RECV && s->bytes > plan->set->slot_least;
}

/*
 * Steps that need nothing.  Those that tell a sender where to put come first:
 * the others copy, and all that time it could put.
 */
static void find_roots(struct wf_plan *plan, bool offering)
{
	for (int i = 0; i < plan->nsteps; i++)
		if (!plan->needs[i] &&
		    offers(plan, &plan->step[i]) == offering)
			plan->root[plan->nroots++] = (uint32_t)i;
}

/* Successors of each step in one array, in the order of their naming. */
static int link_steps(struct wf_builder *b)
{
	struct wf_plan *plan = b->plan;
	uint32_t at = 0;

	plan->next = malloc(((size_t)b->ndeps + 1) * sizeof(*plan->next));
	plan->root = malloc(((size_t)plan->nsteps + 1) * sizeof(*plan->root));
	plan->needs = wf_zeroed((size_t)plan->nsteps + 1, sizeof(*plan->needs));
	if (!plan->next || !plan->root || !plan->needs)
		return WEFT_ERR_NOMEM;
	for (int i = 0; i < b->ndeps; i++) {
		plan->needs[b->dep[i].after]++;
		plan->step[b->dep[i].before].nnext++;
	}
	for (int i = 0; i < plan->nsteps; i++) {
		plan->step[i].first_next = at;
		at += plan->step[i].nnext;
		plan->step[i].nnext = 0;
	}
	for (int i = 0; i < b->ndeps; i++) {
		struct wf_step *s = &plan->step[b->dep[i].before];

		plan->next[s->first_next + s->nnext++] = b->dep[i].after;
	}
	find_roots(plan, true);
	find_roots(plan, false);
	return WEFT_OK;
}

/* Of its own number of steps, because it may live for long. */
static void shrink(struct wf_plan *plan)
{
	struct wf_step *step = NULL;

	if (plan->nsteps)
		step = realloc(plan->step,
			       (size_t)plan->nsteps * sizeof(*step));
	if (step)
		plan->step = step;
}

int wf_builder_finish(struct wf_builder *b, struct wf_plan **plan_p)
{
	int status = b->status;

	if (!status)
		status = link_steps(b);
	if (!status)
		shrink(b->plan);
	free(b->dep);
	if (status) {
		wf_plan_destroy(b->plan);
		return status;
	}
	*plan_p = b->plan;
	return WEFT_OK;
}

void wf_plan_destroy(struct wf_plan *plan)
{
	if (!plan)
		return;
	wf_combination_drop(&plan->with);
	free(plan->step);
	free(plan->needs);
	free(plan->next);
	free(plan->root);
	free(plan);
}

/* ---- memory of its runs ---- */

void wf_run_drop_scratch(struct wf_run *run)
{
	struct wf_segment *seg;
	uint64_t offset;

	if (!run->scratch_bytes)
		return;
	seg = &run->set->comm->job->segment;
	if (wf_segment_has(seg, run->buffer[WF_BUFFER_SCRATCH], 1, &offset))
		wf_segment_free(seg, offset);
	run->buffer[WF_BUFFER_SCRATCH] = NULL;
	run->scratch_bytes = 0;
}

static int take_scratch(struct wf_run *run, const struct wf_plan *plan)
{
	struct wf_segment *seg = &plan->set->comm->job->segment;
	uint64_t offset;
	int status;

	status = wf_segment_alloc_raw(seg, plan->scratch_bytes, 64, &offset);
	if (status)
		return status;
	wf_run_drop_scratch(run);
	run->set = plan->set;
	run->buffer[WF_BUFFER_SCRATCH] = wf_segment_at(seg, offset);
	run->scratch_bytes = plan->scratch_bytes;
	return WEFT_OK;
}

/* For n steps, and whatever plan has no more. */
static int take_steps(struct wf_run *run, const struct wf_plan *plan, size_t n)
{
	size_t numbers = plan->set->counts ? n : 0;
	size_t bytes = n * (sizeof(*run->move) + 2 * sizeof(uint32_t)) +
		       numbers * sizeof(*run->number);
	void *memory = realloc(run->move, bytes);

	if (!memory)
		return WEFT_ERR_NOMEM;
	run->move = memory;
	run->most = n;
	run->number = numbers ? (uint64_t *)(run->move + n) : NULL;
	run->pending = (uint32_t *)((uint64_t *)(run->move + n) + numbers);
	run->needs = run->pending + n;
	return WEFT_OK;
}

int wf_run_take(struct wf_run *run, struct wf_plan *plan)
{
	size_t n = (size_t)plan->nsteps + 1;
	int status = n > run->most ? take_steps(run, plan, n) : WEFT_OK;

	if (!status && plan->scratch_bytes > run->scratch_bytes)
		status = take_scratch(run, plan);
	if (status)
		return status;
	run->plan = plan;
	run->set = plan->set;
	run->poller.comm = plan->set->comm;
	return WEFT_OK;
}

void wf_run_fini(struct wf_run *run)
{
	wf_run_unpin(run);
	wf_pins_free(run->pins);
	run->pins = NULL;
	wf_run_unstage(run);
	wf_run_drop_scratch(run);
	free(run->move);
	run->move = NULL;
}
