/* SPDX-License-Identifier: BSD-3-Clause */
/* Combinations by operations of the program: see combination.h. */
#include "type/combination.h"

#include <string.h>
#include "type/op_made.h"
#include "type/type_made.h"

/* What is wrong with objects of a job; NULL: nothing. */
static const char *find_wrong(const struct weft_job *job,
			      const struct wf_made_op *op)
{
	if (op->job != job)
		return "op is of another job";
	if (op->freed)
		return "op was given to weft_op_free()";
	return NULL;
}

bool wf_combination_find_made(const struct weft_job *job,
			      const struct weft_op *op,
			      const struct weft_type *type,
			      struct wf_combination *with, const char **why_p)
{
	const struct wf_made_op *made = wf_op_made(op);

	if (!made)
		return false;
	with->op = op;
	with->type = type;
	*why_p = find_wrong(job, made);
	return !*why_p;
}

void wf_combination_hold(const struct wf_combination *with)
{
	if (!with->op)
		return;
	wf_op_made(with->op)->refs++;
	wf_type_hold(with->type);
}

void wf_combination_drop(const struct wf_combination *with)
{
	if (!with->op)
		return;
	wf_op_drop(wf_op_made(with->op));
	wf_type_unhold(with->type);
}

int wf_combination_reserve(const struct wf_combination *with, size_t n)
{
	return with->op && !with->type->dense ?
	       wf_op_reserve(wf_op_made(with->op), with->type, n) : WEFT_OK;
}

/* right = left op right */
static void call(const struct wf_combination *with, const void *left,
		 void *right, size_t n)
{
	const struct wf_made_op *made = wf_op_made(with->op);

	if (with->type->dense)
		wf_op_call(made, with->type, left, right, n);
	else
		wf_op_call_packed(made, with->type, left, right, n);
}

void wf_combine_lying(const struct wf_combination *with, const void *left,
		      void *right, size_t n)
{
	if (with->kernel)
		with->kernel(left, right, right, n);
	else
		wf_op_call(wf_op_made(with->op), with->type, left, right, n);
}

void wf_combine_by_op(const struct wf_combination *with, const void *left,
		      void *right, void *out, size_t n)
{
	size_t bytes = n * with->width;

	if (out == left) {
		call(with, left, right, n);
		memcpy(out, right, bytes);
		return;
	}
	if (out != right)
		memcpy(out, right, bytes);
	call(with, left, out, n);
}
