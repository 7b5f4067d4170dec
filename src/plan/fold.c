/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Folds: see fold.h.  Indices that follow each other are combined by one call
 * of the kernel, or of the program's function.
 */
#include "plan/fold.h"

#include <stdlib.h>
#include <string.h>
#include <weft/status.h>
#include "type/element.h"
#include "type/op_made.h"

enum {
	BATCH = 4096			/* bytes for a kernel: some elements */
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

int wf_fold_make(const struct wf_fold_shape *of, struct wf_fold **fold_p)
{
	size_t bytes = of->at ? of->n * sizeof(*of->at) : 0;
	struct wf_fold *fold = malloc(sizeof(*fold) + bytes);

	if (!fold)
		return WEFT_ERR_NOMEM;
	fold->of = *of;
	fold->left = NULL;
	if (make_room(fold)) {
		free(fold);
		return WEFT_ERR_NOMEM;
	}
	if (of->at) {
		memcpy(fold->at, of->at, bytes);
		fold->of.at = fold->at;
	}
	wf_fold_rewind(fold);
	wf_combination_hold(&fold->of.with);
	*fold_p = fold;
	return WEFT_OK;
}

void wf_fold_free(struct wf_fold *fold)
{
	if (!fold)
		return;
	wf_combination_drop(&fold->of.with);
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

/* Of n indices the first ones, as long as each is one more. */
static size_t run_of(const uint32_t *at, size_t n)
{
	size_t run = 1;

	while (run < n && at[run] == (uint64_t)at[run - 1] + 1)
		run++;
	return run;
}

void wf_fold_take(struct wf_fold *fold, char *data, uint64_t bytes)
{
	size_t n = bytes ? bytes / fold->of.with.width : 0, run;
	const uint32_t *at = fold->of.at ? fold->of.at + fold->from : NULL;

	for (size_t i = 0; i < n; i += run) {
		run = at ? run_of(at + i, n - i) : n;
		combine(fold, at ? at[i] : 0, data + i * fold->of.with.width,
			run);
	}
	fold->from += n;
	fold->next++;
}
