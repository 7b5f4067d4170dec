/* SPDX-License-Identifier: BSD-3-Clause */
/* What a side of a neighbour exchange is given: see neighbor_side.h. */
#include "topo/neighbor_side.h"

#include <stdio.h>

static int check_types(const struct wf_vec_arg *a)
{
	if (!a->vec || !a->n || a->vec->types)
		return WEFT_OK;
	return wf_job_fail(a->job, WEFT_ERR_ARG, "%s: %s->types is NULL with "
			   "%d edges", a->call, a->name, a->n);
}

/* Where there are no edges nothing of it is looked at. */
static int check_part(const struct wf_side *side, const struct wf_vec_arg *a)
{
	const struct wf_part_arg part = {
		.job = a->job, .call = a->call, .name = a->name,
		.part = side->part, .each = a->each,
		.n = side->kind == WF_SIDE_ROW ? a->n : 1
	};

	return a->n ? wf_part_check(&part) : WEFT_OK;
}

/* Packed, or in a packed copy, blocks follow each other either way. */
static int part_extents(const struct wf_side *side, struct wf_vec_arg *a,
			struct wf_extent *extent)
{
	int status = check_part(side, a);
	uint64_t bytes, step;

	if (status || !a->n)
		return status;
	bytes = wf_part_bytes(side->part);
	step = side->kind == WF_SIDE_ROW ? bytes : 0;
	for (int i = 0; i < a->n; i++)
		extent[i] = (struct wf_extent){ (int64_t)(step * (uint64_t)i),
						bytes };
	a->gaps |= !side->part->type->dense;
	return WEFT_OK;
}

/* ---- several fields ---- */

static int check_batch(const struct wf_side *side, const struct wf_vec_arg *a)
{
	if (side->nfields < 0)
		return wf_job_fail_for(a->job, WEFT_ARGUMENT_COUNT,
				       WEFT_ERR_ARG, "%s: n is %d, negative",
				       a->call, side->nfields);
	if (side->nfields && !side->field)
		return wf_job_fail(a->job, WEFT_ERR_ARG, "%s: %s is NULL with "
				   "%d fields", a->call, a->name,
				   side->nfields);
	return WEFT_OK;
}

/* One field of it; extents are those of this one alone. */
static int field_extents(const struct wf_side *side, int i,
			 struct wf_vec_arg *a, struct wf_extent *extent)
{
	struct wf_vec_arg field = *a;
	char name[24];
	int status;

	snprintf(name, sizeof(name), "%s[%d]", a->name, i);
	field.name = name;
	field.vec = side->field[i];
	status = wf_vec_extents(&field, extent);
	a->gaps = field.gaps;
	return status || !a->n ? status : wf_side_check_base(&field);
}

static struct wf_staged_part field_part(const struct wf_side *side, int i,
					int edge)
{
	const struct wf_vec_arg field = { .vec = side->field[i] };

	return wf_vec_part(&field, edge);
}

/* Of all fields, along one edge; above 2^63 what exceeds it does not count. */
static uint64_t edge_bytes(const struct wf_side *side, int edge)
{
	uint64_t bytes = 0;

	for (int i = 0; i < side->nfields && bytes <= INT64_MAX; i++)
		bytes += field_part(side, i, edge).bytes;
	return bytes <= INT64_MAX ? bytes : (uint64_t)INT64_MAX + 1;
}

/*
 * A field alone is a vector; of several, which may be anywhere in memory, the
 * message of an edge has one behind the other, and is in a packed copy.
 */
static int batch_extents(const struct wf_side *side, struct wf_vec_arg *a,
			 struct wf_extent *extent)
{
	int status = check_batch(side, a);

	for (int i = 0; !status && i < side->nfields; i++)
		status = field_extents(side, i, a, extent);
	if (status || side->nfields == 1)
		return status;
	for (int i = 0; i < a->n; i++)
		extent[i].bytes = edge_bytes(side, i);
	a->gaps = side->nfields > 0;
	status = wf_vec_sum(a, extent, NULL);
	if (!status)
		wf_vec_pack(extent, a->n);
	return status;
}

int wf_side_other_extents(const struct wf_side *side, struct wf_vec_arg *a,
			  struct wf_extent *extent)
{
	int status;

	if (side->kind == WF_SIDE_BATCH)
		return batch_extents(side, a, extent);
	if (side->kind != WF_SIDE_TYPES)
		return part_extents(side, a, extent);
	status = check_types(a);
	if (!status)
		status = wf_vec_extents(a, extent);
	return status || !a->n ? status : wf_side_check_base(a);
}

/* ---- packed copies ---- */

size_t wf_side_most_parts(const struct wf_side *side, int n)
{
	size_t each = side->kind == WF_SIDE_BATCH ? (size_t)side->nfields : 1;

	return side->kind == WF_SIDE_SAME ? 1 : (size_t)n * each;
}

/* What all edges share is there once. */
static int row_parts(const struct wf_side *side, int n,
		     struct wf_staged_part *part)
{
	const struct weft_part *row = side->part;

	if (!n || row->type->dense)
		return 0;
	if (side->kind == WF_SIDE_SAME)
		n = 1;
	for (int i = 0; i < n; i++)
		part[i] = (struct wf_staged_part){
			.type = row->type, .bytes = wf_part_bytes(row),
			.base = wf_part_block(row, i).base
		};
	return n;
}

/* Edge by edge, as messages have them. */
static int batch_parts(const struct wf_side *side, int n,
		       struct wf_staged_part *part)
{
	for (int edge = 0; edge < n; edge++)
		for (int i = 0; i < side->nfields; i++)
			*part++ = field_part(side, i, edge);
	return n * side->nfields;
}

int wf_side_parts(const struct wf_side *side, struct wf_vec_arg *a,
		  struct wf_staged_part *part)
{
	if (side->kind > WF_SIDE_BATCH)
		return row_parts(side, a->n, part);
	if (side->kind == WF_SIDE_BATCH && side->nfields != 1)
		return batch_parts(side, a->n, part);
	a->vec = side->vec;
	if (wf_vec_is_dense(a->vec, a->n))
		return 0;
	wf_vec_parts(a, part);
	return a->n;
}
