/* SPDX-License-Identifier: BSD-3-Clause */
/* What a side of a neighbour exchange is given: see neighbor_side.h. */
#include "topo/neighbor_side.h"

#include <string.h>

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

static int types_extents(struct wf_vec_arg *a, struct wf_extent *extent)
{
	int status = check_types(a);

	if (!status)
		status = wf_vec_extents(a, extent);
	return status || !a->n ? status : wf_side_check_base(a);
}

/* The only one: the name that it has in the array. */
static int field_extents(struct wf_vec_arg *a, struct wf_extent *extent)
{
	int status;

	a->name = strcmp(a->name, "send") ? "recv[0]" : "send[0]";
	status = wf_vec_extents(a, extent);
	return status || !a->n ? status : wf_side_check_base(a);
}

int wf_side_other_extents(const struct wf_side *side, struct wf_vec_arg *a,
			  struct wf_extent *extent)
{
	if (side->kind <= WF_SIDE_ROW)
		return part_extents(side, a, extent);
	if (side->kind == WF_SIDE_FIELD)
		return field_extents(a, extent);
	if (side->kind == WF_SIDE_TYPES)
		return types_extents(a, extent);
	if (side->kind == WF_SIDE_REFUSED)
		return side->refused;
	if (side->kind == WF_SIDE_FOLD)
		return wf_folded_extents(side->folded, a, extent);
	if (side->kind == WF_SIDE_PACKETS)
		return wf_packets_extents(side->packets, a, extent);
	return wf_fields_extents(side->fields, a, extent);
}

/* ---- packed copies ---- */

/* Packets, of which only Dists know, have no edges of nobody. */
bool wf_side_is_copied(const struct wf_side *side, int n)
{
	if (!n)
		return false;
	if (side->kind == WF_SIDE_ROW || side->kind == WF_SIDE_SAME)
		return !side->part->type->dense;
	if (side->kind <= WF_SIDE_TYPES)
		return !wf_vec_is_dense(side->vec, n);
	return side->kind == WF_SIDE_FOLD || side->fields->n;
}

size_t wf_side_most_parts(const struct wf_side *side, int n)
{
	if (side->kind == WF_SIDE_FIELDS)
		return (size_t)n * (size_t)side->fields->n;
	return side->kind == WF_SIDE_SAME ? 1 : (size_t)n;
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

static int vec_parts(const struct weft_vec *vec, struct wf_vec_arg *a,
		     struct wf_staged_part *part)
{
	a->vec = vec;
	if (wf_vec_is_dense(vec, a->n))
		return 0;
	wf_vec_parts(a, part);
	return a->n;
}

int wf_side_parts(const struct wf_side *side, struct wf_vec_arg *a,
		  struct wf_staged_part *part)
{
	if (side->kind == WF_SIDE_ROW || side->kind == WF_SIDE_SAME)
		return row_parts(side, a->n, part);
	if (side->kind <= WF_SIDE_TYPES)
		return vec_parts(side->vec, a, part);
	if (side->kind == WF_SIDE_FOLD) {
		wf_folded_parts(side->folded, a->n, part);
		return a->n;
	}
	if (side->kind == WF_SIDE_PACKETS)
		return wf_packets_parts(side->packets, a->n, part);
	wf_fields_parts(side->fields, a->n, part);
	return a->n * side->fields->n;
}
