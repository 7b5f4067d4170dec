/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arguments of a neighbour exchange, checked and turned into extents in
 * bytes.
 */
#include "topo/neighbor_plan.h"
#include "type/type.h"

/* One vector of a call, and how errors name it. */
struct vec_arg {
	struct weft_job *job;
	const char *call, *name;
	const struct weft_vec *vec;
	int n;				/* edges */
};

static int check_arrays(const struct vec_arg *a)
{
	const struct weft_vec *v = a->vec;

	if (!v)
		return wf_job_fail(a->job, WEFT_ERR_ARG, "%s: %s is NULL",
				   a->call, a->name);
	if (!a->n)
		return WEFT_OK;
	if (v->types)
		return wf_job_fail(a->job, WEFT_ERR_UNSUPPORTED,
				   "%s: %s->types is set; one type per edge "
				   "is not supported", a->call, a->name);
	if (!v->type)
		return wf_job_fail_for(a->job, WEFT_ARGUMENT_TYPE, WEFT_ERR_ARG,
				       "%s: %s->type is NULL", a->call,
				       a->name);
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

static int fill_one(const struct vec_arg *a, int i, struct wf_extent *e)
{
	const struct weft_vec *v = a->vec;
	size_t size = v->type->size;
	int64_t displ = v->displs ? v->displs[i] : v->int_displs[i], end;
	uint64_t count;

	if (v->int_counts && v->int_counts[i] < 0)
		return wf_job_fail_for(a->job, WEFT_ARGUMENT_COUNT,
				       WEFT_ERR_ARG, "%s: %s->int_counts[%d] "
				       "is %d, negative", a->call, a->name, i,
				       v->int_counts[i]);
	count = v->counts ? v->counts[i] : (uint64_t)v->int_counts[i];
	if (__builtin_mul_overflow(count, size, &e->bytes) ||
	    e->bytes > INT64_MAX ||
	    __builtin_mul_overflow(displ, (int64_t)size, &e->offset) ||
	    __builtin_add_overflow(e->offset, (int64_t)e->bytes, &end))
		return wf_job_fail(a->job, WEFT_ERR_RANGE, "%s: edge %d of "
				   "%s exceeds 2^63 bytes: %llu elements of "
				   "%zu bytes at displacement %lld", a->call,
				   i, a->name, (unsigned long long)count,
				   size, (long long)displ);
	if (e->bytes && !v->base)
		return wf_job_fail(a->job, WEFT_ERR_ARG, "%s: %s->base is "
				   "NULL, edge %d has %llu bytes", a->call,
				   a->name, i, (unsigned long long)e->bytes);
	return WEFT_OK;
}

static int fill(const struct vec_arg *a, struct wf_extent *extent)
{
	int status = check_arrays(a);

	for (int i = 0; !status && i < a->n; i++)
		status = fill_one(a, i, &extent[i]);
	return status;
}

int wf_neighbor_extents(struct wf_graph *graph, const char *call,
			const struct weft_vec *send,
			const struct weft_vec *recv)
{
	struct vec_arg a = {
		graph->comm->job, call, "send", send, graph->nout
	};
	int status = fill(&a, graph->extent);

	if (status)
		return status;
	a.name = "recv";
	a.vec = recv;
	a.n = graph->nin;
	return fill(&a, graph->extent + graph->nout);
}
