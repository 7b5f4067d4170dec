/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Folds: see fold.h.  Indices that follow each other are combined by one call
 * of the kernel, or of the program's function.
 */
#include "plan/fold.h"

#include <stdlib.h>
#include <string.h>
#include <weft/status.h>
#include "base/assert.h"
#include "type/element.h"
#include "type/op_made.h"
#include "type/packets.h"
#include "type/type_made.h"

enum {
	BATCH = 4096,			/* bytes for a kernel: some elements */
	SOME = 64,			/* in another order than they come */
	LONG_RUN = 8			/* packets, for a kernel of vectors */
};

/* Whole units, so that the function finds each in one piece. */
static size_t some_of(const struct wf_fold_shape *of)
{
	size_t fit = BATCH / of->with.width;

	if (of->with.op)
		return wf_op_batch(wf_op_made(of->with.op), of->type,
				   of->most);
	return of->most < fit ? of->most : fit;
}

/* Elements with gaps are combined in a packed copy, some at a time. */
static int make_room(struct wf_fold *fold)
{
	const struct wf_fold_shape *of = &fold->of;

	if (of->type->dense || !of->with.width || !of->most)
		return WEFT_OK;
	if (wf_combination_reserve(&of->with, of->most))
		return WEFT_ERR_NOMEM;
	fold->some = some_of(of);
	fold->left = malloc(fold->some * of->with.width);
	return fold->left ? WEFT_OK : WEFT_ERR_NOMEM;
}

static void take_packets(struct wf_fold *fold)
{
	const struct wf_fold_packets *packets = fold->of.packets;

	if (!packets) {
		fold->packets.width = 1;
		return;
	}
	fold->packets = *packets;
	fold->of.packets = &fold->packets;
	/* What is combined one by one is so from the first one on. */
	WF_ASSERT(!packets->each || packets->identity);
	if (!packets->identity)
		return;
	WF_ASSERT(fold->of.with.width <= WF_FOLD_IDENTITY);
	memcpy(fold->identity, packets->identity, fold->of.with.width);
	fold->packets.identity = fold->identity;
}

int wf_fold_make(const struct wf_fold_shape *of, struct wf_fold **fold_p)
{
	bool copied = of->at && !of->packets;
	size_t bytes = copied ? of->n * sizeof(*of->at) : 0;
	struct wf_fold *fold = malloc(sizeof(*fold) + bytes);

	if (!fold)
		return WEFT_ERR_NOMEM;
	fold->of = *of;
	fold->left = NULL;
	memset(&fold->packets, 0, sizeof(fold->packets));
	if (make_room(fold)) {
		free(fold);
		return WEFT_ERR_NOMEM;
	}
	if (copied) {
		memcpy(fold->at, of->at, bytes);
		fold->of.at = fold->at;
	}
	take_packets(fold);
	fold->next = 0;
	fold->from = 0;
	wf_combination_hold(&fold->of.with);
	wf_type_hold(fold->of.type);
	*fold_p = fold;
	return WEFT_OK;
}

void wf_fold_free(struct wf_fold *fold)
{
	if (!fold)
		return;
	wf_combination_drop(&fold->of.with);
	wf_type_unhold(fold->of.type);
	free(fold->left);
	free(fold);
}

/* ---- combining ---- */

/* n elements that lie side by side, from one of the program's on. */
static void combine(const struct wf_fold *fold, size_t first, char *data,
		    size_t n)
{
	const struct wf_fold_shape *of = &fold->of;
	ptrdiff_t extent = wf_shape_extent(&of->type->shape);
	char *base = of->base + (ptrdiff_t)first * extent;

	if (!fold->left) {
		wf_combine(&of->with, base, data, base, n);
		return;
	}
	while (n) {
		size_t some = n < fold->some ? n : fold->some;
		size_t bytes = some * of->with.width;

		wf_gather(of->type, base, 0, fold->left, bytes);
		wf_combine(&of->with, fold->left, data, data, some);
		wf_scatter(of->type, base, 0, data, bytes);
		base += (ptrdiff_t)some * extent;
		data += bytes;
		n -= some;
	}
}

/* Of what has been filled once as much is copied behind it, and so on. */
static void fill(char *to, const void *with, size_t width, size_t bytes)
{
	if (bytes)
		memcpy(to, with, width);
	for (size_t done = width, n; done < bytes; done += n) {
		n = done < bytes - done ? done : bytes - done;
		memcpy(to + done, to, n);
	}
}

/* Each element of the program becomes the identity. */
static void clear(const struct wf_fold *fold)
{
	const struct wf_fold_shape *of = &fold->of;
	ptrdiff_t extent = wf_shape_extent(&of->type->shape);
	size_t n = fold->packets.n * fold->packets.width;

	if (of->type->dense) {
		fill(of->base, fold->identity, of->with.width,
		     n * of->with.width);
		return;
	}
	for (size_t i = 0; i < n; i++)
		wf_scatter(of->type, of->base + (ptrdiff_t)i * extent, 0,
			   fold->identity, of->with.width);
}

void wf_fold_rewind(struct wf_fold *fold)
{
	fold->next = 0;
	fold->from = 0;
	if (fold->packets.identity)
		clear(fold);
}

/* The packet is the first one there, and nothing was: it replaces. */
static bool replaces(const struct wf_fold *fold, uint32_t at)
{
	return fold->of.packets && !fold->packets.identity &&
	       at & WF_FOLD_FIRST;
}

/* Of n indices the first ones, as long as each is one more. */
static size_t run_of(const struct wf_fold *fold, const uint32_t *at, size_t n)
{
	uint32_t bits = fold->of.packets ? WF_FOLD_FIRST : 0;
	size_t run = 1;

	if (replaces(fold, at[0]))
		return 1;
	while (run < n && !replaces(fold, at[run]) &&
	       (at[run] & ~bits) == (at[run - 1] & ~bits) + UINT64_C(1))
		run++;
	return run;
}

/* Side by side here and there, n packets, or elements. */
static void take_run(const struct wf_fold *fold, uint32_t at, char *data,
		     size_t n)
{
	const struct wf_fold_shape *of = &fold->of;
	size_t width = fold->packets.width;
	size_t first = of->packets ? at & ~WF_FOLD_FIRST : at;

	first *= width;
	if (replaces(fold, at))
		wf_scatter(of->type, of->base + (ptrdiff_t)first *
			   wf_shape_extent(&of->type->shape), 0, data,
			   n * width * of->with.width);
	else
		combine(fold, first, data, n * width);
}

static void take_each(const struct wf_fold *fold, const uint32_t *at,
		      const char *data, size_t n)
{
	fold->packets.each(fold->of.base, at, ~WF_FOLD_FIRST, data, n);
}

/* Of n indices those before the first long run, if taken one by one. */
static size_t apart(const struct wf_fold *fold, const uint32_t *at, size_t n)
{
	size_t i = 0, run;

	while (fold->packets.each && i < n) {
		run = run_of(fold, at + i, n - i);
		if (run >= LONG_RUN)
			break;
		i += run;
	}
	return i;
}

static void take_listed(const struct wf_fold *fold, const uint32_t *at,
			char *data, size_t n)
{
	size_t unit = fold->packets.width * fold->of.with.width, run;

	for (size_t i = 0; i < n; i += run) {
		run = apart(fold, at + i, n - i);
		if (run) {
			take_each(fold, at + i, data + i * unit, run);
			continue;
		}
		run = run_of(fold, at + i, n - i);
		take_run(fold, at[i], data + i * unit, run);
	}
}

void wf_fold_take(struct wf_fold *fold, char *data, uint64_t bytes)
{
	size_t unit = fold->packets.width * fold->of.with.width;
	size_t n = bytes ? bytes / unit : 0;
	const uint32_t *at = fold->of.at ? fold->of.at + fold->from : NULL;

	if (at)
		take_listed(fold, at, data, n);
	else if (n)
		take_run(fold, 0, data, n);
	fold->from += n;
	fold->next++;
}

/* Some at a time, in their order. */
static void take_each_ordered(const struct wf_fold *fold, const char *data)
{
	const struct wf_packets from = {
		(char *)data, fold->of.with.width, fold->packets.order
	};
	_Alignas(16) char some[SOME * WF_FOLD_IDENTITY];
	uint32_t at[SOME];

	for (size_t i = 0, n; i < fold->of.n; i += n) {
		n = fold->of.n - i < SOME ? fold->of.n - i : SOME;
		for (size_t k = 0; k < n; k++)
			at[k] = fold->of.at[fold->packets.order[i + k]];
		wf_packets_gather(&from, i * from.unit, some, n * from.unit);
		take_each(fold, at, some, n);
	}
}

void wf_fold_take_ordered(struct wf_fold *fold, char *data)
{
	size_t unit = fold->packets.width * fold->of.with.width;

	if (fold->packets.each) {
		take_each_ordered(fold, data);
		return;
	}
	for (size_t i = 0; unit && i < fold->of.n; i++) {
		uint32_t place = fold->packets.order[i];

		take_run(fold, fold->of.at[place], data + place * unit, 1);
	}
}
