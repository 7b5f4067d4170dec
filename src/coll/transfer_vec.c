/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments with a count and a place for each rank: see transfer_vec.h. */
#include "coll/transfer_vec.h"

#include <stdlib.h>
#include <string.h>
#include "plan/vec_arg.h"

/* Packed, in the order of ranks; together they are less than 2^63. */
static int sum_bytes(const struct wf_vec_arg *a, const struct wf_extent *extent,
		     uint64_t *ends)
{
	uint64_t all = 0;

	for (int r = 0; r < a->n; r++) {
		all += extent[r].bytes;
		if (all > INT64_MAX)
			return wf_job_fail_for(a->job, WEFT_ARGUMENT_COUNT,
					       WEFT_ERR_RANGE, "%s: the ranks "
					       "of %s together exceed 2^63 "
					       "bytes", a->call, a->name);
		ends[r] = all;
	}
	return WEFT_OK;
}

/* One behind the other, in the order of ranks, without gaps? */
static bool is_row(const struct wf_vec_arg *a, const struct wf_extent *extent)
{
	int64_t next = extent[0].offset;

	if (a->gaps)
		return false;
	for (int r = 0; r < a->n; r++) {
		if (extent[r].bytes && extent[r].offset != next)
			return false;
		next += (int64_t)extent[r].bytes;
	}
	return true;
}

/* Of a row there is one part, else one for each rank. */
static int fill(const struct wf_vec_arg *a, const struct wf_extent *extent,
		struct wf_coll_call *c, struct weft_part *row)
{
	int64_t at = extent[0].offset;

	if (is_row(a, extent)) {
		/* as numbers: without bytes it may be NULL */
		row->base = (void *)((uintptr_t)a->vec->base + (uintptr_t)at);
		row->type = &weft_type_byte;
		return WEFT_OK;
	}
	c->parts = calloc((size_t)a->n + 2, sizeof(*c->parts));
	if (!c->parts)
		return WEFT_ERR_NOMEM;
	wf_vec_parts(a, extent, c->parts + 1);
	return WEFT_OK;
}

static int check_base(const struct wf_vec_arg *a)
{
	if (!a->vec || a->vec->base != WEFT_IN_PLACE)
		return WEFT_OK;
	return wf_job_fail_for(a->job, WEFT_ARGUMENT_BUFFER, WEFT_ERR_ARG,
			       "%s: %s->base is WEFT_IN_PLACE, which only %s."
			       "base may be", a->call, a->name,
			       strcmp(a->name, "recv") ? "recv" : "send");
}

int wf_transfer_read_vec(struct weft_comm *comm, struct wf_coll_call *c,
			 const char *name, const struct weft_vec *vec,
			 struct weft_part *row)
{
	struct wf_vec_arg a = {
		.job = comm->job, .call = c->key.call, .name = name,
		.vec = vec, .n = comm->size, .each = "rank"
	};
	struct wf_extent *extent = malloc((size_t)a.n * sizeof(*extent));
	int status = check_base(&a);

	c->ends = malloc((size_t)a.n * sizeof(*c->ends));
	if (!status && (!extent || !c->ends))
		status = WEFT_ERR_NOMEM;
	if (!status)
		status = wf_vec_extents(&a, extent);
	if (!status)
		status = sum_bytes(&a, extent, c->ends);
	if (!status)
		status = fill(&a, extent, c, row);
	if (!status)
		c->key.ends = c->ends;
	free(extent);
	return status;
}

/* Where it is among all. */
static struct weft_part in_place(const struct wf_coll_call *c, int me,
				 const struct weft_part *row)
{
	if (c->parts)
		return weft_part(c->parts[me + 1].base, 0,
				 c->parts[me + 1].type);
	return weft_part((uintptr_t)row->base +
			 (uintptr_t)wf_coll_before(&c->key, me), 0,
			 &weft_type_byte);
}

int wf_transfer_read_own(struct weft_comm *comm, const struct wf_coll_call *c,
			 const char *name, const struct weft_part *row,
			 struct weft_part *own)
{
	uint64_t bytes = wf_transfer_vec_bytes(c, comm->rank);
	int status;

	if (own->base == WEFT_IN_PLACE) {
		*own = in_place(c, comm->rank, row);
		return WEFT_OK;
	}
	status = wf_transfer_check(comm, c->key.call, name, own);
	if (status || wf_part_bytes(own) == bytes)
		return status;
	return wf_job_fail_for(comm->job, WEFT_ARGUMENT_COUNT, WEFT_ERR_ARG,
			       "%s: %s has %zu elements of %zu bytes, and %s "
			       "%llu bytes for this rank", c->key.call, name,
			       own->count, wf_type_bytes(own->type),
			       strcmp(name, "recv") ? "recv" : "send",
			       (unsigned long long)bytes);
}
