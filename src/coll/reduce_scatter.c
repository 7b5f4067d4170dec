/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduce-scatter, of equal parts or of any: the calls. */
#include <stdlib.h>
#include "coll/across_call.h"
#include "coll/reduction.h"

struct args {
	const void *in;
	const struct weft_op *op;
	struct weft_part part;		/* of the own rank, as of any other, */
	bool by_counts;			/* or: */
	const struct weft_vec *vec;
};

static int refuse_count(struct weft_comm *comm, const char *call,
			const struct weft_vec *vec, int rank)
{
	if (vec->int_counts && vec->int_counts[rank] < 0)
		return wf_job_fail_for(comm->job, WEFT_ARGUMENT_COUNT,
				       WEFT_ERR_ARG, "%s: out->int_counts[%d] "
				       "is %d, negative", call, rank,
				       vec->int_counts[rank]);
	if (vec->counts && vec->counts[rank] > PTRDIFF_MAX)
		return wf_job_fail_for(comm->job, WEFT_ARGUMENT_COUNT,
				       WEFT_ERR_RANGE, "%s: out->counts[%d] "
				       "is %td, negative", call, rank,
				       (ptrdiff_t)vec->counts[rank]);
	return wf_job_fail_for(comm->job, WEFT_ARGUMENT_COUNT, WEFT_ERR_RANGE,
			       "%s: the counts up to rank %d exceed 2^63 "
			       "elements", call, rank);
}

/* All ranks', and the own one. */
static int sum_counts(struct weft_comm *comm, const char *call,
		      const struct weft_vec *vec, size_t *ends)
{
	size_t all = 0;

	for (int r = 0; r < comm->size; r++) {
		size_t n = vec->counts ? vec->counts[r] :
					 (size_t)vec->int_counts[r];

		if ((vec->int_counts && vec->int_counts[r] < 0) ||
		    __builtin_add_overflow(all, n, &all) || all > INT64_MAX)
			return refuse_count(comm, call, vec, r);
		ends[r] = all;
	}
	return WEFT_OK;
}

static int check_vec(struct weft_comm *comm, const char *call,
		     const struct weft_vec *vec)
{
	if (!vec)
		return wf_job_fail_null(comm->job, call, "out");
	if (!vec->counts == !vec->int_counts)
		return wf_job_fail_for(comm->job, WEFT_ARGUMENT_COUNT,
				       WEFT_ERR_ARG, "%s: set either "
				       "out->counts or out->int_counts", call);
	if (vec->types || vec->displs || vec->int_displs)
		return wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: out has one "
				   "type, and no displacements: its types, "
				   "displs and int_displs are NULL", call);
	return WEFT_OK;
}

/* In elements at first: the type is not known to be good. */
static int read_counts(struct weft_comm *comm, const struct weft_vec *vec,
		       struct wf_coll_call *c)
{
	int status = check_vec(comm, c->key.call, vec);

	if (status)
		return status;
	c->ends = malloc((size_t)comm->size * sizeof(*c->ends));
	if (!c->ends)
		return WEFT_ERR_NOMEM;
	return sum_counts(comm, c->key.call, vec, c->ends);
}

/* What the reduction of all parts together would be given. */
static int read_all(struct weft_comm *comm, const struct args *a,
		    struct wf_coll_call *c, struct weft_part *all)
{
	int status;

	*all = a->part;
	if (!a->by_counts)
		return wf_reduction_count(comm->job, c->key.call,
					  a->part.count, comm->size,
					  &all->count);
	status = read_counts(comm, a->vec, c);
	if (!status)
		*all = weft_part(a->vec->base, c->ends[comm->size - 1],
				 a->vec->type);
	return status;
}

static size_t own_count(const struct weft_comm *comm, const struct args *a,
			const struct wf_coll_call *c)
{
	if (!a->by_counts)
		return a->part.count;
	return c->ends[comm->rank] - (comm->rank ? c->ends[comm->rank - 1] : 0);
}

static int read_args(struct weft_comm *comm, const void *args,
		     struct wf_coll_call *c)
{
	const struct args *a = args;
	struct wf_reduction given = {
		.in = a->in, .op = a->op, .by = WF_COLL_REDUCE_SCATTER
	};
	int status;

	if (c->across) {
		*c->across = (struct wf_across_call){
			.kind = WF_ACROSS_REDUCE_SCATTER,
			.varies = a->by_counts, .in = a->in, .op = a->op,
			.recv = a->part, .recvs = a->vec
		};
		return WEFT_OK;
	}
	c->key.by = wf_coll_choose(given.by);
	status = read_all(comm, a, c, &given.out);
	if (status)
		return status;
	/* without a part of its own it needs no memory for one */
	if (a->in != WEFT_IN_PLACE && !own_count(comm, a, c))
		given.out.base = (void *)a->in;
	status = wf_reduction_read(comm, &given, c);
	if (status)
		return status;
	for (int r = 0; c->ends && r < comm->size; r++)
		c->ends[r] *= c->key.with.width;
	c->key.ends = c->ends;
	if (!c->ends)
		c->key.bytes /= (uint64_t)comm->size;
	c->get_bytes = wf_coll_before(&c->key, comm->rank + 1) -
		       wf_coll_before(&c->key, comm->rank);
	return WEFT_OK;
}

int weft_reduce_scatter(struct weft_comm *comm, const void *in,
			const struct weft_vec *out, const struct weft_op *op)
{
	const struct args args = {
		.in = in, .op = op, .by_counts = true, .vec = out
	};

	return wf_call_block(comm, "weft_reduce_scatter", read_args, &args);
}

int weft_ireduce_scatter(struct weft_comm *comm, const void *in,
			 const struct weft_vec *out, const struct weft_op *op,
			 struct weft_request **req_p)
{
	const struct args args = {
		.in = in, .op = op, .by_counts = true, .vec = out
	};

	return wf_call_once(comm, "weft_ireduce_scatter", read_args, &args,
			    req_p);
}

int weft_reduce_scatter_init(struct weft_comm *comm, const void *in,
			     const struct weft_vec *out,
			     const struct weft_op *op,
			     struct weft_request **req_p)
{
	const struct args args = {
		.in = in, .op = op, .by_counts = true, .vec = out
	};

	return wf_call_init(comm, "weft_reduce_scatter_init", read_args, &args,
			    req_p);
}

int weft_reduce_scatter_block(struct weft_comm *comm, const void *in,
			      struct weft_part out, const struct weft_op *op)
{
	const struct args args = { .in = in, .op = op, .part = out };

	return wf_call_block(comm, "weft_reduce_scatter_block", read_args,
			     &args);
}

int weft_ireduce_scatter_block(struct weft_comm *comm, const void *in,
			       struct weft_part out, const struct weft_op *op,
			       struct weft_request **req_p)
{
	const struct args args = { .in = in, .op = op, .part = out };

	return wf_call_once(comm, "weft_ireduce_scatter_block", read_args,
			    &args, req_p);
}

int weft_reduce_scatter_block_init(struct weft_comm *comm, const void *in,
				   struct weft_part out,
				   const struct weft_op *op,
				   struct weft_request **req_p)
{
	const struct args args = { .in = in, .op = op, .part = out };

	return wf_call_init(comm, "weft_reduce_scatter_block_init", read_args,
			    &args, req_p);
}
