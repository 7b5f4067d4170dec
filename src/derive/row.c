/* SPDX-License-Identifier: BSD-3-Clause */
/* Colours in a row: see row.h. */
#include "derive/row.h"

#include <weft/group.h>

struct wf_row wf_row_of(int rank, struct wf_wish wish)
{
	return (struct wf_row){
		.first = wish, .last = wish, .ranks = 1, .head = 1, .tail = 1,
		.facts = WF_ROW_KEYS | WF_ROW_RUN_KEYS | WF_ROW_UP |
			 WF_ROW_DOWN | WF_ROW_CYCLE | WF_ROW_ONE,
		.only = wish.color, .first_at = rank, .last_at = rank
	};
}

/* What holds in both, and where they meet. */
static uint32_t common_facts(const struct wf_row *l, const struct wf_row *r)
{
	uint32_t facts = l->facts & r->facts & ~(uint32_t)WF_ROW_DROPS;
	bool falls = l->only != WEFT_UNDEFINED && r->only != WEFT_UNDEFINED &&
		     r->first.key < l->last.key;

	if (falls)
		facts &= ~(uint32_t)WF_ROW_KEYS;
	if (falls && l->last.color == r->first.color &&
	    l->last.color != WEFT_UNDEFINED)
		facts &= ~(uint32_t)WF_ROW_RUN_KEYS;
	if (l->last.color > r->first.color)
		facts &= ~(uint32_t)WF_ROW_UP;
	if (l->last.color < r->first.color)
		facts &= ~(uint32_t)WF_ROW_DOWN;
	return facts;
}

/* A drop that is seen must be like those that were. */
static void drop(struct wf_row *to, int32_t top, int32_t bottom)
{
	if (to->facts & WF_ROW_DROPS &&
	    (to->top != top || to->bottom != bottom))
		to->facts &= ~(uint32_t)WF_ROW_CYCLE;
	to->facts |= WF_ROW_DROPS;
	to->top = top;
	to->bottom = bottom;
}

static void join_cycles(const struct wf_row *l, const struct wf_row *r,
			struct wf_row *to)
{
	int64_t last = l->last.color, next = r->first.color;

	if (l->facts & WF_ROW_DROPS)
		drop(to, l->top, l->bottom);
	if (r->facts & WF_ROW_DROPS)
		drop(to, r->top, r->bottom);
	if (next <= last)
		drop(to, l->last.color, r->first.color);
	else if (next != last + 1)
		to->facts &= ~(uint32_t)WF_ROW_CYCLE;
}

/* Strides must agree where there are two members. */
static void add_stride(struct wf_row *to, int32_t stride)
{
	if (stride && to->stride && to->stride != stride)
		to->facts &= ~(uint32_t)WF_ROW_ONE;
	if (stride)
		to->stride = stride;
}

static void join_members(const struct wf_row *l, const struct wf_row *r,
			 struct wf_row *to)
{
	const struct wf_row *some = l->only == WEFT_UNDEFINED ? r : l;

	to->only = some->only;
	to->first_at = some->first_at;
	to->last_at = some->last_at;
	add_stride(to, l->stride);
	add_stride(to, r->stride);
	if (l->only == WEFT_UNDEFINED || r->only == WEFT_UNDEFINED)
		return;
	if (l->only != r->only)
		to->facts &= ~(uint32_t)WF_ROW_ONE;
	add_stride(to, r->first_at - l->last_at);
	to->last_at = r->last_at;
}

static struct wf_row join(const struct wf_row *l, const struct wf_row *r)
{
	bool same = l->last.color == r->first.color;
	struct wf_row to = {
		.first = l->first, .last = r->last,
		.ranks = l->ranks + r->ranks,
		.head = l->head, .tail = r->tail,
		.facts = common_facts(l, r)
	};

	if (same && l->head == l->ranks)
		to.head += r->head;
	if (same && r->tail == r->ranks)
		to.tail += l->tail;
	/* Keys of who is with nobody mean nothing. */
	if (l->only == WEFT_UNDEFINED)
		to.first.key = r->first.key;
	if (r->only == WEFT_UNDEFINED)
		to.last.key = l->last.key;
	join_cycles(l, r, &to);
	join_members(l, r, &to);
	return to;
}

void wf_row_join(const void *left, const void *right, void *out, size_t n)
{
	const struct wf_row *l = left, *r = right;
	struct wf_row *to = out;

	for (size_t i = 0; i < n; i++)
		to[i] = join(&l[i], &r[i]);
}

/* ---- what it is good for ---- */

static struct wf_stride run_around(int rank, struct wf_wish wish,
				   const struct wf_row *below,
				   const struct wf_row *above)
{
	struct wf_stride run = { rank, 1, 1 };

	if (below && below->last.color == wish.color) {
		run.first -= below->tail;
		run.n += below->tail;
	}
	if (above && above->first.color == wish.color)
		run.n += above->head;
	return run;
}

/* Each begins with the bottom, and the last one has no more than the others. */
static bool is_cycle(const struct wf_row *all)
{
	return all->facts & WF_ROW_CYCLE && all->facts & WF_ROW_DROPS &&
	       all->first.color == all->bottom && all->last.color <= all->top;
}

static struct wf_stride in_cycle(const struct wf_row *all, int32_t color)
{
	int stride = all->top - all->bottom + 1;
	int first = color - all->bottom;

	return (struct wf_stride){
		first, stride, (all->ranks - first + stride - 1) / stride };
}

static struct wf_stride of_only(const struct wf_row *all)
{
	int stride = all->stride ? all->stride : 1;

	return (struct wf_stride){
		all->first_at, stride,
		(all->last_at - all->first_at) / stride + 1 };
}

bool wf_row_finds(int rank, struct wf_wish wish, const struct wf_row *below,
		  const struct wf_row *above, struct wf_stride *found_p)
{
	struct wf_row all = wf_row_of(rank, wish);

	if (below)
		all = join(below, &all);
	if (above)
		all = join(&all, above);
	if (all.facts & (WF_ROW_UP | WF_ROW_DOWN) &&
	    all.facts & WF_ROW_RUN_KEYS)
		*found_p = run_around(rank, wish, below, above);
	else if (is_cycle(&all) && all.facts & WF_ROW_KEYS)
		*found_p = in_cycle(&all, wish.color);
	else if (all.facts & WF_ROW_ONE && all.facts & WF_ROW_KEYS)
		*found_p = of_only(&all);
	else
		return false;
	if (wish.color == WEFT_UNDEFINED)
		found_p->n = 0;
	return true;
}
