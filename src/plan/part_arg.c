/* SPDX-License-Identifier: BSD-3-Clause */
/* One part of a call, checked: see part_arg.h. */
#include "plan/part_arg.h"

#include <stdio.h>
#include <weft/coll.h>
#include "type/type.h"

static int check_size(const struct wf_part_arg *a)
{
	const struct weft_part *part = a->part;
	uint64_t all;

	if (!__builtin_mul_overflow(part->count, wf_type_bytes(part->type),
				    &all) &&
	    !__builtin_mul_overflow(all, (uint64_t)a->n, &all) &&
	    all <= INT64_MAX)
		return WEFT_OK;
	return wf_job_fail_for(a->job, WEFT_ARGUMENT_COUNT, WEFT_ERR_RANGE,
			       "%s: %zu elements of %zu bytes for each of %d "
			       "%ss exceed 2^63 bytes", a->call, part->count,
			       wf_type_bytes(part->type), a->n, a->each);
}

int wf_part_check(const struct wf_part_arg *a)
{
	const struct weft_part *part = a->part;
	char type[16];

	if (!wf_type_serves(a->job, part->type)) {
		snprintf(type, sizeof(type), "%s.type", a->name);
		return wf_type_refuse(a->job, a->call, type, part->type);
	}
	if (part->count > PTRDIFF_MAX && wf_type_bytes(part->type))
		return wf_type_refuse_count(a->job, a->call, part->count,
					    part->type);
	if (part->count && !wf_type_lies_at(part->type, part->base))
		return wf_job_fail_for(a->job, WEFT_ARGUMENT_BUFFER,
				       WEFT_ERR_ARG, "%s: %s.base is NULL with "
				       "%zu elements", a->call, a->name,
				       part->count);
	if (part->base == WEFT_IN_PLACE)
		return wf_job_fail_for(a->job, WEFT_ARGUMENT_BUFFER,
				       WEFT_ERR_ARG, "%s: %s.base is "
				       "WEFT_IN_PLACE, which it may not be "
				       "here", a->call, a->name);
	return check_size(a);
}

struct weft_part wf_part_block(const struct weft_part *row, int i)
{
	int64_t extent = wf_shape_extent(&row->type->shape);
	struct weft_part part = *row;

	/* As numbers: of zero bytes it may be NULL. */
	part.base = (void *)((uintptr_t)row->base + (uintptr_t)i *
			     (uintptr_t)row->count * (uintptr_t)extent);
	return part;
}
