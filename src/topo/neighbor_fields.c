/* SPDX-License-Identifier: BSD-3-Clause */
/* Several fields along each edge: see neighbor_fields.h. */
#include "topo/neighbor_fields.h"

#include <stdio.h>
#include "topo/neighbor_side.h"

static int check(const struct wf_fields *fields, const struct wf_vec_arg *a)
{
	if (fields->n < 0)
		return wf_job_fail_for(a->job, WEFT_ARGUMENT_COUNT,
				       WEFT_ERR_ARG, "%s: n is %d, negative",
				       a->call, fields->n);
	if (fields->n && !fields->field)
		return wf_job_fail(a->job, WEFT_ERR_ARG, "%s: %s is NULL with "
				   "%d fields", a->call, a->name, fields->n);
	return WEFT_OK;
}

/* One of them; extents are those of this one alone. */
static int field_extents(const struct wf_fields *fields, int i,
			 struct wf_vec_arg *a, struct wf_extent *extent)
{
	struct wf_vec_arg field = *a;
	char name[24];
	int status;

	snprintf(name, sizeof(name), "%s[%d]", a->name, i);
	field.name = name;
	field.vec = fields->field[i];
	status = wf_vec_extents(&field, extent);
	a->gaps = field.gaps;
	return status || !a->n ? status : wf_side_check_base(&field);
}

static struct wf_staged_part field_part(const struct wf_fields *fields, int i,
					int edge)
{
	const struct wf_vec_arg field = { .vec = fields->field[i] };

	return wf_vec_part(&field, edge);
}

/* Of all fields, along one edge; above 2^63 what exceeds it does not count. */
static uint64_t edge_bytes(const struct wf_fields *fields, int edge)
{
	uint64_t bytes = 0;

	for (int i = 0; i < fields->n && bytes <= INT64_MAX; i++)
		bytes += field_part(fields, i, edge).bytes;
	return bytes <= INT64_MAX ? bytes : (uint64_t)INT64_MAX + 1;
}

int wf_fields_extents(const struct wf_fields *fields, struct wf_vec_arg *a,
		      struct wf_extent *extent)
{
	int status = check(fields, a);

	for (int i = 0; !status && i < fields->n; i++)
		status = field_extents(fields, i, a, extent);
	if (status)
		return status;
	for (int i = 0; i < a->n; i++)
		extent[i].bytes = edge_bytes(fields, i);
	a->gaps = fields->n > 0;
	status = wf_vec_sum(a, extent, NULL);
	if (!status)
		wf_vec_pack(extent, a->n);
	return status;
}

void wf_fields_parts(const struct wf_fields *fields, int n,
		     struct wf_staged_part *part)
{
	for (int edge = 0; edge < n; edge++)
		for (int i = 0; i < fields->n; i++)
			*part++ = field_part(fields, i, edge);
}
