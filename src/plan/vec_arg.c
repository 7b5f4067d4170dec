/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a call, checked: see vec_arg.h. */
#include "plan/vec_arg.h"

#include <stdio.h>
#include <weft/coll.h>
#include "type/type.h"

/* Bytes of an element, packed, and what a displacement counts. */
struct unit {
	size_t size;
	int64_t displ;
};

static inline int check_arrays(const struct wf_vec_arg *a)
{
	const struct weft_vec *v = a->vec;

	if (!v)
		return wf_job_fail(a->job, WEFT_ERR_ARG, "%s: %s is NULL",
				   a->call, a->name);
	if (!a->n)
		return WEFT_OK;
	if (!v->counts == !v->int_counts)
		return wf_job_fail_for(a->job, WEFT_ARGUMENT_COUNT,
				       WEFT_ERR_ARG, "%s: set either "
				       "%s->counts or %s->int_counts", a->call,
				       a->name, a->name);
	if (!v->displs == !v->int_displs)
		return wf_job_fail(a->job, WEFT_ERR_ARG, "%s: set either "
				   "%s->displs or %s->int_displs", a->call,
				   a->name, a->name);
	return WEFT_OK;
}

static const struct weft_type *type_of(const struct weft_vec *v, int i)
{
	return v->types ? v->types[i] : v->type;
}

static int refuse_type(const struct wf_vec_arg *a, int i)
{
	char name[40];

	if (a->vec->types)
		snprintf(name, sizeof(name), "%s->types[%d]", a->name, i);
	else
		snprintf(name, sizeof(name), "%s->type", a->name);
	return wf_type_refuse(a->job, a->call, name, type_of(a->vec, i));
}

static inline uint64_t count_of(const struct weft_vec *v, int i)
{
	return v->counts ? v->counts[i] : (uint64_t)v->int_counts[i];
}

static inline int64_t displ_of(const struct wf_vec_arg *a, int i)
{
	const struct weft_vec *v = a->vec;

	return v->displs ? v->displs[i] : v->int_displs[i];
}

/* Apart from fill_one(), which is part of the loops that call it. */
static int refuse_range(const struct wf_vec_arg *a, int i, size_t size)
	__attribute__((noinline));

static int refuse_range(const struct wf_vec_arg *a, int i, size_t size)
{
	const struct weft_vec *v = a->vec;

	if (v->counts && v->counts[i] > PTRDIFF_MAX)
		return wf_job_fail_for(a->job, WEFT_ARGUMENT_COUNT,
				       WEFT_ERR_RANGE, "%s: %s->counts[%d] is "
				       "%td, negative", a->call, a->name, i,
				       (ptrdiff_t)v->counts[i]);
	return wf_job_fail(a->job, WEFT_ERR_RANGE, "%s: %s %d of %s exceeds "
			   "2^63 bytes: %llu elements of %zu bytes at "
			   "displacement %lld", a->call, a->each, i, a->name,
			   (unsigned long long)count_of(v, i), size,
			   (long long)displ_of(a, i));
}

/* From NULL on there are elements at addresses alone. */
static int check_null(const struct wf_vec_arg *a, int i,
		      const struct wf_extent *e) __attribute__((noinline));

static int check_null(const struct wf_vec_arg *a, int i,
		      const struct wf_extent *e)
{
	if ((a->vec->types && e->offset >= WF_FIRST_ADDRESS) ||
	    wf_type_lies_at(type_of(a->vec, i), NULL))
		return WEFT_OK;
	return wf_job_fail(a->job, WEFT_ERR_ARG, "%s: %s->base is NULL, %s %d "
			   "has %llu bytes", a->call, a->name, a->each, i,
			   (unsigned long long)e->bytes);
}

static inline int fill_one(const struct wf_vec_arg *a, int i, struct unit unit,
			   struct wf_extent *e)
{
	const struct weft_vec *v = a->vec;
	uint64_t count;
	int64_t end;

	if (v->int_counts && v->int_counts[i] < 0)
		return wf_job_fail_for(a->job, WEFT_ARGUMENT_COUNT,
				       WEFT_ERR_ARG, "%s: %s->int_counts[%d] "
				       "is %d, negative", a->call, a->name, i,
				       v->int_counts[i]);
	count = count_of(v, i);
	if (__builtin_mul_overflow(count, unit.size, &e->bytes) ||
	    e->bytes > INT64_MAX ||
	    __builtin_mul_overflow(displ_of(a, i), unit.displ, &e->offset) ||
	    __builtin_add_overflow(e->offset, (int64_t)e->bytes, &end))
		return refuse_range(a, i, unit.size);
	if (e->bytes && !v->base)
		return check_null(a, i, e);
	return WEFT_OK;
}

int wf_vec_check_base(const struct wf_vec_arg *a, const char *only)
{
	if (!a->vec || a->vec->base != WEFT_IN_PLACE)
		return WEFT_OK;
	return wf_job_fail_for(a->job, WEFT_ARGUMENT_BUFFER, WEFT_ERR_ARG,
			       "%s: %s->base is WEFT_IN_PLACE, which only %s "
			       "may be", a->call, a->name, only);
}

int wf_vec_sum(const struct wf_vec_arg *a, const struct wf_extent *extent,
	       uint64_t *ends)
{
	uint64_t all = 0;

	for (int i = 0; i < a->n; i++) {
		all += extent[i].bytes;
		if (all > INT64_MAX)
			return wf_job_fail_for(a->job, WEFT_ARGUMENT_COUNT,
					       WEFT_ERR_RANGE, "%s: the %ss of "
					       "%s together exceed 2^63 bytes",
					       a->call, a->each, a->name);
		if (ends)
			ends[i] = all;
	}
	return WEFT_OK;
}

void wf_vec_pack(struct wf_extent *extent, int n)
{
	int64_t at = 0;

	for (int i = 0; i < n; i++) {
		extent[i].offset = at;
		at += (int64_t)extent[i].bytes;
	}
}

/* Of all together a packed copy may have so many. */
static int pack_extents(const struct wf_vec_arg *a, struct wf_extent *extent)
{
	int status = wf_vec_sum(a, extent, NULL);

	if (!status)
		wf_vec_pack(extent, a->n);
	return status;
}

static struct unit unit_of(const struct weft_vec *v,
			   const struct weft_type *type)
{
	return (struct unit){
		wf_type_bytes(type),
		v->types ? 1 : wf_shape_extent(&type->shape)
	};
}

/* Of any types: one with gaps, and all parts go by a packed copy. */
static int fill_by_types(struct wf_vec_arg *a, struct wf_extent *extent)
{
	bool gaps = false;
	int status = WEFT_OK;

	for (int i = 0; !status && i < a->n; i++) {
		const struct weft_type *type = type_of(a->vec, i);

		if (!wf_type_serves(a->job, type))
			return refuse_type(a, i);
		gaps |= !type->dense;
		status = fill_one(a, i, unit_of(a->vec, type), &extent[i]);
	}
	a->gaps |= gaps;
	return !status && gaps ? pack_extents(a, extent) : status;
}

/* Mostly there is one type, without gaps. */
int wf_vec_extents(struct wf_vec_arg *a, struct wf_extent *extent)
{
	const struct weft_type *type;
	int status = check_arrays(a);

	if (status || !a->n)
		return status;
	type = a->vec->type;
	if (a->vec->types || !wf_type_serves(a->job, type) || !type->dense)
		return fill_by_types(a, extent);
	for (int i = 0; !status && i < a->n; i++)
		status = fill_one(a, i, (struct unit){ wf_type_bytes(type),
			(int64_t)wf_type_bytes(type) }, &extent[i]);
	return status;
}

/* ---- packed copies ---- */

bool wf_vec_is_dense(const struct weft_vec *v, int n)
{
	bool dense = true;

	for (int i = 0; i < (v->types || !n ? n : 1); i++)
		dense &= type_of(v, i)->dense;
	return dense;
}

struct wf_staged_part wf_vec_part(const struct wf_vec_arg *a, int i)
{
	const struct weft_type *type = type_of(a->vec, i);
	struct unit unit = unit_of(a->vec, type);

	return (struct wf_staged_part){
		.type = type, .bytes = count_of(a->vec, i) * unit.size,
		/* as numbers: without bytes it may be NULL */
		.base = (char *)((uintptr_t)a->vec->base + (uintptr_t)
				 (displ_of(a, i) * unit.displ))
	};
}

void wf_vec_parts(const struct wf_vec_arg *a, struct wf_staged_part *part)
{
	for (int i = 0; i < a->n; i++)
		part[i] = wf_vec_part(a, i);
}
