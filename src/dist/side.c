/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A side of a Dist: its arrays, and those that follow from them; see side.h.
 * Each takes time and memory of the items, messages and roots.
 */
#include "dist/side.h"

#include <stdlib.h>
#include <weft/status.h>
#include "base/zeroed.h"
#include "dist/sweep.h"

/* ---- arrays ---- */

struct wf_dist_array *wf_dist_array_new(size_t n)
{
	struct wf_dist_array *a = malloc(sizeof(*a) + n * sizeof(a->at[0]));

	if (!a)
		return NULL;
	a->refs = 1;
	a->is_identity = false;
	a->n = (uint32_t)n;
	return a;
}

struct wf_dist_array *wf_dist_array_hold(struct wf_dist_array *array)
{
	if (array)
		array->refs++;
	return array;
}

void wf_dist_array_drop(struct wf_dist_array *array)
{
	if (array && !--array->refs)
		free(array);
}

/* ---- sides ---- */

struct wf_dist_side *wf_dist_side_new(void)
{
	struct wf_dist_side *side = wf_zeroed(1, sizeof(*side));

	if (side)
		side->refs = 1;
	return side;
}

struct wf_dist_side *wf_dist_side_copy(const struct wf_dist_side *of)
{
	struct wf_dist_side *side = wf_dist_side_new();

	for (int i = 0; side && i < WF_SIDE_GIVEN; i++)
		side->array[i] = wf_dist_array_hold(of->array[i]);
	return side;
}

/* With the identity. */
static void compare(struct wf_dist_array *array)
{
	array->is_identity = wf_sweep_is_identity(array->at, array->n);
}

void wf_dist_side_put(struct wf_dist_side *side, enum wf_side_array which,
		      struct wf_dist_array *array)
{
	wf_dist_array_drop(side->array[which]);
	side->array[which] = array;
	if (array && which >= WF_SIDE_GIVEN)
		compare(array);
}

void wf_dist_side_drop(struct wf_dist_side *side)
{
	if (!side || --side->refs)
		return;
	for (int i = 0; i < WF_SIDE_ARRAYS; i++)
		wf_dist_array_drop(side->array[i]);
	free(side);
}

/* ---- what follows; NULL: no memory ---- */

static const uint32_t *given(const struct wf_dist_side *side,
			     enum wf_side_array which)
{
	const struct wf_dist_array *a = side->array[which];

	return a ? a->at : NULL;
}

static uint32_t place_of(const uint32_t *items2content, uint32_t item)
{
	return items2content ? items2content[item] : item;
}

static struct wf_dist_array *content2msgs(struct wf_dist_side *side)
{
	const uint32_t *offs = given(side, WF_MSGS2CONTENT);
	struct wf_dist_array *a = wf_dist_array_new(wf_dist_side_nitems(side));

	for (uint32_t m = 0; a && m < wf_dist_side_nmsgs(side); m++)
		for (uint32_t c = offs[m]; c < offs[m + 1]; c++)
			a->at[c] = m;
	return a;
}

/* Of each item what its content place has. */
static struct wf_dist_array *by_item(struct wf_dist_side *side,
				     const struct wf_dist_array *content)
{
	const uint32_t *places = given(side, WF_ITEMS2CONTENT);
	struct wf_dist_array *a = wf_dist_array_new(content->n);

	for (uint32_t i = 0; a && i < a->n; i++)
		a->at[i] = content->at[place_of(places, i)];
	return a;
}

static struct wf_dist_array *items2msgs(struct wf_dist_side *side)
{
	const struct wf_dist_array *content;

	if (wf_dist_side_get(side, WF_CONTENT2MSGS, &content))
		return NULL;
	return by_item(side, content);
}

static struct wf_dist_array *items2ranks(struct wf_dist_side *side)
{
	const uint32_t *ranks = given(side, WF_MSGS2RANKS);
	const struct wf_dist_array *msgs;
	struct wf_dist_array *a = NULL;

	if (!wf_dist_side_get(side, WF_ITEMS2MSGS, &msgs))
		a = wf_dist_array_new(msgs->n);
	for (uint32_t i = 0; a && i < a->n; i++)
		a->at[i] = ranks[msgs->at[i]];
	return a;
}

static struct wf_dist_array *content2items(struct wf_dist_side *side)
{
	const uint32_t *places = given(side, WF_ITEMS2CONTENT);
	struct wf_dist_array *a = wf_dist_array_new(wf_dist_side_nitems(side));

	for (uint32_t i = 0; a && i < a->n; i++)
		a->at[places[i]] = i;
	return a;
}

static struct wf_dist_array *content2srcs(struct wf_dist_side *side)
{
	const uint32_t *places = given(side, WF_ITEMS2CONTENT);
	const uint32_t *roots = given(side, WF_ROOTS2ITEMS);
	const struct wf_dist_array *items;
	struct wf_dist_array *a;

	if (!roots)
		return wf_dist_side_get(side, WF_CONTENT2ITEMS, &items) ?
		       NULL : wf_dist_array_hold(side->array[WF_CONTENT2ITEMS]);
	a = wf_dist_array_new(wf_dist_side_nitems(side));
	for (uint32_t r = 0; a && r < wf_dist_side_nroots(side); r++)
		for (uint32_t i = roots[r]; i < roots[r + 1]; i++)
			a->at[place_of(places, i)] = r;
	return a;
}

static struct wf_dist_array *fold_at(struct wf_dist_side *side)
{
	const uint32_t *places = given(side, WF_ITEMS2CONTENT);
	const uint32_t *roots = given(side, WF_ROOTS2ITEMS);
	struct wf_dist_array *a = wf_dist_array_new(wf_dist_side_nitems(side));

	if (!a)
		return NULL;
	side->in_order = true;
	for (uint32_t r = 0; r < wf_dist_side_nroots(side); r++)
		for (uint32_t i = roots[r]; i < roots[r + 1]; i++) {
			uint32_t place = place_of(places, i);

			a->at[place] = i > roots[r] ? r : r | WF_FOLD_FIRST;
			if (i > roots[r] && place < place_of(places, i - 1))
				side->in_order = false;
		}
	return a;
}

static bool is_unset(const struct wf_dist_side *side, enum wf_side_array which)
{
	switch (which) {
	case WF_CONTENT2ITEMS:
		return !side->array[WF_ITEMS2CONTENT];
	case WF_CONTENT2SRCS:
		return !side->array[WF_ITEMS2CONTENT] &&
		       !side->array[WF_ROOTS2ITEMS];
	case WF_FOLD_AT:
		return !side->array[WF_ROOTS2ITEMS];
	default:
		return which < WF_SIDE_GIVEN;
	}
}

int wf_dist_side_get(struct wf_dist_side *side, enum wf_side_array which,
		     const struct wf_dist_array **array_p)
{
	static struct wf_dist_array *(*const make[])(struct wf_dist_side *) = {
		[WF_CONTENT2MSGS] = content2msgs,
		[WF_ITEMS2MSGS] = items2msgs,
		[WF_ITEMS2RANKS] = items2ranks,
		[WF_CONTENT2ITEMS] = content2items,
		[WF_CONTENT2SRCS] = content2srcs,
		[WF_FOLD_AT] = fold_at
	};
	struct wf_dist_array **a = &side->array[which];

	if (!*a && !is_unset(side, which)) {
		*a = make[which](side);
		if (!*a)
			return WEFT_ERR_NOMEM;
		compare(*a);
	}
	*array_p = *a;
	return WEFT_OK;
}

/* ---- for exchanges ---- */

static int ends(struct wf_dist_side *side, enum wf_side_array which,
		struct wf_dist_ends *ends_p)
{
	const struct wf_dist_array *at;
	int status = wf_dist_side_get(side, which, &at);

	if (!status)
		*ends_p = (struct wf_dist_ends){
			given(side, WF_MSGS2CONTENT),
			at && !at->is_identity ? at->at : NULL
		};
	return status;
}

int wf_dist_side_send(struct wf_dist_side *side, struct wf_dist_ends *ends_p)
{
	return ends(side, WF_CONTENT2SRCS, ends_p);
}

int wf_dist_side_recv(struct wf_dist_side *side, struct wf_dist_ends *ends_p)
{
	return ends(side, WF_CONTENT2ITEMS, ends_p);
}

int wf_dist_side_fold(struct wf_dist_side *side, struct wf_dist_fold *fold_p)
{
	const struct wf_dist_array *at;
	int status = wf_dist_side_get(side, WF_FOLD_AT, &at);

	if (status)
		return status;
	*fold_p = (struct wf_dist_fold){
		.offs = given(side, WF_MSGS2CONTENT),
		.at = at ? at->at : NULL,
		.items2content = given(side, WF_ITEMS2CONTENT),
		.roots2items = given(side, WF_ROOTS2ITEMS),
		.in_order = !at || side->in_order
	};
	return WEFT_OK;
}
