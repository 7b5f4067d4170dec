/* SPDX-License-Identifier: BSD-3-Clause */
/* What a neighbour reduction is given where it receives: neighbor_fold.h. */
#include "topo/neighbor_fold.h"

#include <stdlib.h>
#include <weft/coll.h>
#include "coll/reduction.h"
#include "type/op_made.h"

/* ---- checks ---- */

/* An index may lead anywhere, but elements of a unit are combined at once. */
static int check_unit(const struct wf_folded *folded,
		      const struct wf_vec_arg *a)
{
	const struct wf_made_op *made = wf_op_made(folded->op);

	if (!made || made->unit == 1 || !folded->to->at)
		return WEFT_OK;
	return wf_job_fail_for(a->job, WEFT_ARGUMENT_OP, WEFT_ERR_ARG,
			       "%s: op combines units of %zu elements, which "
			       "recv->at would take apart: give NULL there, or "
			       "make one type of a unit", a->call, made->unit);
}

static int check_base(const struct weft_fold *to, const struct wf_vec_arg *a)
{
	ptrdiff_t extent = wf_shape_extent(&to->type->shape), span;
	size_t size = wf_type_bytes(to->type), bytes;

	if (to->base == WEFT_IN_PLACE || (!to->base && to->n && size))
		return wf_job_fail_for(a->job, WEFT_ARGUMENT_BUFFER,
				       WEFT_ERR_ARG, "%s: recv->base is %s, "
				       "but has %zu elements", a->call,
				       to->base ? "WEFT_IN_PLACE" : "NULL",
				       to->n);
	if (!__builtin_mul_overflow(to->n, size, &bytes) &&
	    bytes <= PTRDIFF_MAX &&
	    !__builtin_mul_overflow(to->n, extent, &span))
		return WEFT_OK;
	return wf_job_fail_for(a->job, WEFT_ARGUMENT_COUNT, WEFT_ERR_RANGE,
			       "%s: recv->n is %zu, elements of %zu bytes, "
			       "which exceed 2^63 bytes", a->call, to->n, size);
}

static int check(const struct wf_folded *folded, const struct wf_vec_arg *a)
{
	struct wf_combination with = { .kernel = NULL };
	int status = wf_reduction_find(a->job, a->call, "recv->type",
				       folded->to->type, folded->op, &with);

	if (!status)
		status = check_unit(folded, a);
	if (!status)
		status = check_base(folded->to, a);
	if (status || folded->to->counts)
		return status;
	return wf_job_fail_for(a->job, WEFT_ARGUMENT_COUNT, WEFT_ERR_ARG,
			       "%s: recv->counts is NULL with %d in-edges",
			       a->call, a->n);
}

static int refuse_index(const struct weft_fold *to, const struct wf_vec_arg *a,
			int edge, size_t j)
{
	return wf_job_fail(a->job, WEFT_ERR_RANGE, "%s: recv->at[%zu] is %lu, "
			   "of in-edge %d, but recv->n is %zu", a->call, j,
			   (unsigned long)to->at[j], edge, to->n);
}

/* Where each of an edge goes; the first of them is the j-th of all. */
static int check_indices(const struct weft_fold *to,
			 const struct wf_vec_arg *a, int edge, size_t j)
{
	size_t count = to->counts[edge];

	if (to->at) {
		for (size_t end = j + count; j < end; j++)
			if (to->at[j] >= to->n)
				return refuse_index(to, a, edge, j);
		return WEFT_OK;
	}
	if (count <= to->n)
		return WEFT_OK;
	return wf_job_fail_for(a->job, WEFT_ARGUMENT_COUNT, WEFT_ERR_RANGE,
			       "%s: recv->counts[%d] is %zu, but recv->n is "
			       "%zu and recv->at is NULL", a->call, edge, count,
			       to->n);
}

/* Behind the one before, of a size that fits. */
static int measure(const struct weft_fold *to, const struct wf_vec_arg *a,
		   int edge, struct wf_extent *extent)
{
	size_t count = to->counts[edge], size = wf_type_bytes(to->type);

	if (!__builtin_mul_overflow(count, size, &extent->bytes) &&
	    extent->bytes <= INT64_MAX)
		return WEFT_OK;
	return wf_job_fail_for(a->job, WEFT_ARGUMENT_COUNT, WEFT_ERR_RANGE,
			       "%s: recv->counts[%d] is %zu, elements of %zu "
			       "bytes, which exceed 2^63 bytes", a->call, edge,
			       count, size);
}

int wf_folded_extents(const struct wf_folded *folded, struct wf_vec_arg *a,
		      struct wf_extent *extent)
{
	const struct weft_fold *to = folded->to;
	size_t from = 0;
	int status;

	if (!folded->op)
		return wf_job_fail_null(a->job, a->call, "op");
	if (!a->n)
		return WEFT_OK;
	if (!to)
		return wf_job_fail_null(a->job, a->call, a->name);
	status = check(folded, a);
	for (int i = 0; !status && i < a->n; i++)
		status = measure(to, a, i, &extent[i]);
	if (!status)
		status = wf_vec_sum(a, extent, NULL);
	for (int i = 0; !status && i < a->n; i++) {
		status = check_indices(to, a, i, from);
		from += to->counts[i];
	}
	if (!status)
		wf_vec_pack(extent, a->n);
	a->gaps = true;
	return status;
}

/* ---- the fold ---- */

void wf_folded_parts(const struct wf_folded *folded, int n,
		     struct wf_staged_part *part)
{
	const struct weft_fold *to = folded->to;

	for (int i = 0; i < n; i++)
		part[i] = (struct wf_staged_part){
			.type = to->type,
			.bytes = to->counts[i] * wf_type_bytes(to->type)
		};
}

/* Where n elements go that come along edges with another end; to be freed. */
static uint32_t *wired_indices(const struct weft_fold *to,
			       const struct wf_wired *wired, size_t n)
{
	uint32_t *at = malloc((n + 1) * sizeof(*at));
	size_t from = 0, done = 0;
	int edge = 0;

	for (int i = 0; at && i < wired->n; i++, edge++) {
		while (edge < wired->at[i])
			from += to->counts[edge++];
		for (size_t k = to->counts[edge]; k; k--)
			at[done++] = to->at[from++];
	}
	return at;
}

int wf_folded_make(const struct wf_folded *folded, struct weft_job *job,
		   const struct wf_wired *wired, struct wf_fold **fold_p)
{
	const struct weft_fold *to = folded->to;
	struct wf_fold_shape shape = {
		.type = to->type, .base = to->base, .at = to->at
	};
	uint32_t *at = NULL;
	const char *why;
	int status;

	wf_combination_find(job, folded->op, to->type, &shape.with, &why);
	for (int i = 0; i < wired->n; i++) {
		size_t count = to->counts[wf_wired_at(wired, i)];

		shape.n += count;
		if (count > shape.most)
			shape.most = count;
	}
	if (wired->at && to->at) {
		at = wired_indices(to, wired, shape.n);
		if (!at)
			return WEFT_ERR_NOMEM;
		shape.at = at;
	}
	status = wf_fold_make(&shape, fold_p);
	free(at);
	return status;
}
