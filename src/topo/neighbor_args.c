/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arguments of a neighbour exchange, checked and turned into extents in
 * bytes: of the memory of the program where its elements are packed, else of a
 * packed copy, edge behind edge.
 */
#include "topo/neighbor_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include "type/type.h"

/* One vector of a call, and how errors name it. */
struct vec_arg {
	struct weft_job *job;
	const char *call, *name;
	const struct weft_vec *vec;
	int n;				/* edges */
	bool dense;			/* they are packed as they lie; */
	int64_t packed;			/* else bytes of a copy, so far */
};

static int check_arrays(const struct vec_arg *a)
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

/* Their types are told once where all have the same. */
static int check_types(const struct vec_arg *a)
{
	int n = a->vec->types ? a->n : a->n > 0;
	char name[40];

	for (int i = 0; i < n; i++) {
		const struct weft_type *type = type_of(a->vec, i);

		if (wf_type_serves(a->job, type))
			continue;
		if (a->vec->types)
			snprintf(name, sizeof(name), "%s->types[%d]", a->name,
				 i);
		else
			snprintf(name, sizeof(name), "%s->type", a->name);
		return wf_type_refuse(a->job, a->call, name, type);
	}
	return WEFT_OK;
}

/* Else all edges go by a packed copy. */
static bool is_dense(const struct weft_vec *v, int n)
{
	bool dense = true;

	for (int i = 0; i < n && dense; i++) {
		dense = type_of(v, i)->dense;
		if (!v->types)
			break;
	}
	return dense;
}

/* Where an edge begins, in bytes from the base; false: beyond the numbers. */
static bool find_offset(const struct weft_vec *v, int i, int64_t *offset_p)
{
	int64_t displ = v->displs ? v->displs[i] : v->int_displs[i];
	int64_t unit = v->types ? 1 : wf_shape_extent(&v->type->shape);

	return !__builtin_mul_overflow(displ, unit, offset_p);
}

/* Of all edges together a packed copy may have so many. */
static bool place(struct vec_arg *a, int i, struct wf_extent *e)
{
	int64_t end;

	if (!find_offset(a->vec, i, &e->offset) ||
	    __builtin_add_overflow(e->offset, (int64_t)e->bytes, &end))
		return false;
	if (a->dense)
		return true;
	e->offset = a->packed;
	return !__builtin_add_overflow(a->packed, (int64_t)e->bytes,
				       &a->packed);
}

static int fill_one(struct vec_arg *a, int i, struct wf_extent *e)
{
	const struct weft_vec *v = a->vec;
	size_t size = wf_type_bytes(type_of(v, i));
	uint64_t count;

	if (v->int_counts && v->int_counts[i] < 0)
		return wf_job_fail_for(a->job, WEFT_ARGUMENT_COUNT,
				       WEFT_ERR_ARG, "%s: %s->int_counts[%d] "
				       "is %d, negative", a->call, a->name, i,
				       v->int_counts[i]);
	count = v->counts ? v->counts[i] : (uint64_t)v->int_counts[i];
	if (__builtin_mul_overflow(count, size, &e->bytes) ||
	    e->bytes > INT64_MAX || !place(a, i, e))
		return wf_job_fail(a->job, WEFT_ERR_RANGE, "%s: edge %d of "
				   "%s exceeds 2^63 bytes: %llu elements of "
				   "%zu bytes at displacement %lld", a->call,
				   i, a->name, (unsigned long long)count,
				   size, (long long)
				   (v->displs ? v->displs[i] :
						v->int_displs[i]));
	if (e->bytes && !v->base)
		return wf_job_fail(a->job, WEFT_ERR_ARG, "%s: %s->base is "
				   "NULL, edge %d has %llu bytes", a->call,
				   a->name, i, (unsigned long long)e->bytes);
	return WEFT_OK;
}

static int fill(struct vec_arg *a, struct wf_extent *extent)
{
	int status = check_arrays(a);

	if (!status)
		status = check_types(a);
	if (!status)
		a->dense = is_dense(a->vec, a->n);
	for (int i = 0; !status && i < a->n; i++)
		status = fill_one(a, i, &extent[i]);
	return status;
}

int wf_neighbor_extents(struct wf_graph *graph, const char *call,
			const struct weft_vec *send,
			const struct weft_vec *recv)
{
	struct vec_arg a = {
		.job = graph->comm->job, .call = call, .name = "send",
		.vec = send, .n = graph->nout
	};
	int status = fill(&a, graph->extent);

	if (status)
		return status;
	a.name = "recv";
	a.vec = recv;
	a.n = graph->nin;
	a.packed = 0;
	return fill(&a, graph->extent + graph->nout);
}

/* ---- packed copies ---- */

static int stage(struct weft_job *job, const struct weft_vec *vec,
		 const struct wf_extent *extent, int n,
		 struct wf_staged **staged_p)
{
	struct wf_staged_part *part;
	int64_t offset = 0;
	int status;

	*staged_p = NULL;
	if (is_dense(vec, n))
		return WEFT_OK;
	part = calloc((size_t)n, sizeof(*part));
	if (!part)
		return WEFT_ERR_NOMEM;
	for (int i = 0; i < n; i++) {
		find_offset(vec, i, &offset);
		part[i] = (struct wf_staged_part){
			.type = type_of(vec, i),
			/* as numbers: without bytes it may be NULL */
			.base = (char *)((uintptr_t)vec->base +
					 (uintptr_t)offset),
			.bytes = extent[i].bytes
		};
	}
	status = wf_staged_make(job, part, n, staged_p);
	free(part);
	if (!status)
		(*staged_p)->by_edge = true;
	return status;
}

int wf_neighbor_stage(struct wf_graph *graph, const struct weft_vec *send,
		      const struct weft_vec *recv,
		      struct wf_neighbor_buffers *to)
{
	struct weft_job *job = graph->comm->job;
	int status = stage(job, send, graph->extent, graph->nout, &to->given);

	to->got = NULL;
	if (!status)
		status = stage(job, recv, graph->extent + graph->nout,
			       graph->nin, &to->got);
	if (status) {
		wf_staged_free(to->given);
		to->given = NULL;
	}
	to->send = to->given ? to->given->packed : send->base;
	to->recv = to->got ? to->got->packed : recv->base;
	return status;
}
