/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments with a count and a place for each rank: see transfer_vec.h. */
#include "coll/transfer_vec.h"

#include <stdlib.h>
#include "base/zeroed.h"
#include "plan/vec_arg.h"

/* Where all begins, of the first rank that has any of it. */
static int64_t begin_of(const struct wf_vec_arg *a,
			const struct wf_extent *extent)
{
	int r = 0;

	while (r < a->n - 1 && !extent[r].bytes)
		r++;
	return extent[r].offset;
}

/* One behind the other, in the order of ranks, without gaps? */
static bool is_row(const struct wf_vec_arg *a, const struct wf_extent *extent)
{
	int64_t next = begin_of(a, extent);

	if (a->gaps)
		return false;
	for (int r = 0; r < a->n; r++) {
		if (extent[r].bytes && extent[r].offset != next)
			return false;
		next += (int64_t)extent[r].bytes;
	}
	return true;
}

/* The parts of all ranks lie between two places, one for the own part. */
static int fill_parts(const struct wf_vec_arg *a, struct wf_coll_call *c,
		      bool gathers)
{
	c->ngiven = gathers ? 1 : a->n;
	c->ngot = gathers ? a->n : 1;
	c->parts = wf_zeroed((size_t)a->n + 1, sizeof(*c->parts));
	if (!c->parts)
		return WEFT_ERR_NOMEM;
	wf_vec_parts(a, c->parts + gathers);
	return WEFT_OK;
}

/* Of a row of bytes. */
static struct weft_part row_of(const struct wf_vec_arg *a,
			       const struct wf_extent *extent)
{
	/* as numbers: without bytes it may be NULL */
	return weft_part((uintptr_t)a->vec->base +
			 (uintptr_t)begin_of(a, extent), 0, &weft_type_byte);
}

static int read_all(struct wf_vec_arg *a, struct wf_extent *extent,
		    struct wf_coll_call *c, bool gathers)
{
	struct weft_part *all = gathers ? &c->get : &c->give;
	int status = wf_vec_check_base(a, gathers ? "send.base" : "recv.base");

	if (!status)
		status = wf_vec_extents(a, extent);
	if (!status)
		status = wf_vec_sum(a, extent, c->ends);
	if (status)
		return status;
	c->key.ends = c->ends;
	if (!is_row(a, extent))
		return fill_parts(a, c, gathers);
	*all = row_of(a, extent);
	return WEFT_OK;
}

/* Of what is in place, where it is among all. */
static struct weft_part in_place(const struct wf_coll_call *c, int me,
				 bool gathers)
{
	const struct weft_part *all = gathers ? &c->get : &c->give;

	if (c->parts)
		return weft_part(c->parts[me + gathers].base, 0,
				 c->parts[me + gathers].type);
	return weft_part((uintptr_t)all->base +
			 (uintptr_t)wf_coll_before(&c->key, me), 0,
			 &weft_type_byte);
}

static int check_own(struct weft_comm *comm, const char *call, bool gathers,
		     const struct weft_part *own, uint64_t bytes)
{
	const char *name = gathers ? "send" : "recv";
	int status = wf_transfer_check(comm, call, name, own);

	if (status || wf_part_bytes(own) == bytes)
		return status;
	return wf_job_fail_for(comm->job, WEFT_ARGUMENT_COUNT, WEFT_ERR_ARG,
			       "%s: %s has %zu elements of %zu bytes, and %s "
			       "%llu bytes for this rank", call, name,
			       own->count, wf_type_bytes(own->type),
			       gathers ? "recv" : "send",
			       (unsigned long long)bytes);
}

static int read_own(struct weft_comm *comm, struct wf_coll_call *c,
		    bool gathers)
{
	struct weft_part *own = gathers ? &c->give : &c->get;
	int me = comm->rank, status = WEFT_OK;
	uint64_t bytes = wf_coll_before(&c->key, me + 1) -
			 wf_coll_before(&c->key, me);

	if (own->base == WEFT_IN_PLACE)
		*own = in_place(c, me, gathers);
	else
		status = check_own(comm, c->key.call, gathers, own, bytes);
	if (status)
		return status;
	c->give_bytes = gathers ? bytes : c->ends[comm->size - 1];
	c->get_bytes = gathers ? c->ends[comm->size - 1] : bytes;
	if (c->parts)
		c->parts[gathers ? 0 : comm->size] = (struct wf_staged_part){
			.type = own->type, .base = own->base, .bytes = bytes
		};
	return WEFT_OK;
}

int wf_transfer_read_vec(struct weft_comm *comm, struct wf_coll_call *c,
			 const struct weft_vec *all, bool gathers)
{
	struct wf_vec_arg a = {
		.job = comm->job, .call = c->key.call,
		.name = gathers ? "recv" : "send", .vec = all,
		.n = comm->size, .each = "rank"
	};
	struct wf_extent *extent = malloc((size_t)a.n * sizeof(*extent));
	int status = WEFT_OK;

	c->ends = malloc((size_t)a.n * sizeof(*c->ends));
	if (!extent || !c->ends)
		status = WEFT_ERR_NOMEM;
	if (!status)
		status = read_all(&a, extent, c, gathers);
	if (!status)
		status = read_own(comm, c, gathers);
	free(extent);
	return status;
}
