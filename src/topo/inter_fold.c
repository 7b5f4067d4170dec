/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions on intercommunicators: each rank that has a result gets the packed
 * vector of each rank of the remote group, and combines them in the order of
 * these, from the last one on, so that the bits are the same everywhere.
 * Memory: as many vectors as the remote group has ranks, where there is a
 * result.
 *
 * A reduce-scatter moves whole vectors, too: the counts that cut what a group
 * gives are known to the other one alone.
 */
#include <stdlib.h>
#include "base/zeroed.h"
#include "coll/reduction.h"
#include "plan/composite.h"
#include "topo/inter.h"

struct fold {
	struct wf_composite all;
	struct weft_request *part;	/* the exchange */
	struct wf_combination with;
	struct weft_part out;		/* where the result goes, */
	uint64_t skip, bytes;		/* which is so much of a vector, */
	uint64_t vector;		/* packed */
	int n;				/* of them; 0: there is no result */
	char *came;
};

/* ---- the request ---- */

static void finish(struct wf_composite *c)
{
	struct fold *f = wf_container(c, struct fold, all);
	char *last = f->came + (uint64_t)(f->n - 1) * f->vector;

	if (c->status)
		return;
	for (char *one = last; one != f->came;) {
		one -= f->vector;
		wf_combine(&f->with, one, last, last,
			   f->vector / f->with.width);
	}
	wf_scatter(f->out.type, f->out.base, 0, last + f->skip, f->bytes);
	wf_job_reduced(c->base.comm->job, f->bytes);
}

static void free_fold(struct fold *f)
{
	wf_combination_drop(&f->with);
	free(f->came);
	free(f);
}

static void destroy(struct wf_composite *c)
{
	free_fold(wf_container(c, struct fold, all));
}

static const struct wf_composite_kind kind = {
	.finish = finish, .destroy = destroy
};

/* ---- arguments ---- */

/* Of a reduce-scatter: this rank's, and all of its group. */
static int read_counts(const struct wf_inter_call *c, struct weft_part *all,
		       struct fold *f)
{
	const struct weft_vec *vec = c->given->recvs;
	struct weft_comm *comm = c->comm;
	int me = wf_across_rank(comm), n = comm->across->local->size;
	size_t ends = 0;

	if (!vec)
		return wf_job_fail_null(comm->job, c->name, "out");
	if (!vec->counts == !vec->int_counts)
		return wf_job_fail_for(comm->job, WEFT_ARGUMENT_COUNT,
				       WEFT_ERR_ARG, "%s: set either "
				       "out->counts or out->int_counts",
				       c->name);
	for (int r = 0; r < n; r++) {
		size_t count = vec->counts ? vec->counts[r] :
					     (size_t)vec->int_counts[r];

		if (r == me) {
			f->skip = ends;
			f->bytes = count;
		}
		if (__builtin_add_overflow(ends, count, &ends) ||
		    ends > INT64_MAX)
			return wf_job_fail_for(comm->job, WEFT_ARGUMENT_COUNT,
					       WEFT_ERR_RANGE, "%s: the counts "
					       "up to rank %d are negative, or "
					       "exceed 2^63 elements", c->name,
					       r);
	}
	*all = weft_part(vec->base, ends, vec->type);
	return WEFT_OK;
}

/* The vector that is given and got, and which elements of it are the own. */
static int read_vector(const struct wf_inter_call *c, struct weft_part *all,
		       struct fold *f)
{
	const struct wf_across_call *g = c->given;
	*all = g->recv;
	f->skip = 0;
	f->bytes = all->count;
	if (g->kind != WF_ACROSS_REDUCE_SCATTER)
		return WEFT_OK;
	if (g->varies)
		return read_counts(c, all, f);
	f->skip = f->bytes * (uint64_t)wf_across_rank(c->comm);
	return wf_reduction_count(c->comm->job, c->name, g->recv.count,
				  c->comm->across->local->size, &all->count);
}

static bool gives(const struct wf_across_call *g)
{
	return g->kind != WF_ACROSS_REDUCE || g->root >= 0;
}

static bool gets(const struct wf_across_call *g)
{
	return g->kind != WF_ACROSS_REDUCE || g->root == WEFT_ROOT;
}

/* Memory that this rank does not have to give is not looked at. */
static int check(const struct wf_inter_call *c, const struct weft_part *all,
		 struct fold *f)
{
	const struct wf_across_call *g = c->given;
	struct weft_job *job = c->comm->job;
	struct wf_reduction given = { .in = g->in, .out = *all, .op = g->op };
	struct wf_coll_key key = { .call = c->name };
	int status;

	if (gives(g) && g->in == WEFT_IN_PLACE)
		return wf_job_fail_for(job, WEFT_ARGUMENT_BUFFER, WEFT_ERR_ARG,
				       "%s: in is WEFT_IN_PLACE, and nothing "
				       "is on intercommunicators", c->name);
	if (!gives(g))
		given.in = given.out.base;
	if (!gets(g) || !f->bytes)
		given.out.base = (void *)given.in;
	status = wf_reduction_check(job, c->name, &given, &key);
	f->with = key.with;
	f->vector = key.bytes;
	f->skip *= key.with.width;
	f->bytes *= key.with.width;
	return status;
}

/* ---- the call ---- */

static int no_memory(const struct wf_inter_call *c)
{
	return wf_job_fail(c->comm->job, WEFT_ERR_NOMEM, "%s: no memory for "
			   "the vectors of %d ranks", c->name,
			   wf_remote_size(c->comm));
}

static int make_room(const struct wf_inter_call *c, struct fold *f)
{
	uint64_t n = (uint64_t)wf_remote_size(c->comm), all;
	size_t width = f->with.width ? f->with.width : 1;

	if (__builtin_mul_overflow(f->vector, n, &all) || all > INT64_MAX)
		return no_memory(c);
	f->came = malloc(all + 1);
	if (!f->came || wf_combination_reserve(&f->with, f->vector / width))
		return no_memory(c);
	f->n = wf_remote_size(c->comm);
	return WEFT_OK;
}

static int read_args(const struct wf_inter_call *c, struct fold *f,
		     struct wf_inter_sides *s)
{
	const struct wf_across_call *g = c->given;
	int status = g->kind == WF_ACROSS_REDUCE ? wf_inter_check_root(c) :
						   WEFT_OK;

	if (status || (!gives(g) && !gets(g)))
		return status;
	status = read_vector(c, &s->send, f);
	f->out = s->send;
	if (!status)
		status = check(c, &s->send, f);
	if (!status && gets(g))
		status = make_room(c, f);
	s->send.base = (void *)g->in;
	return status;
}

/* What comes is packed: bytes, as many as are given. */
static int fill_sides(const struct wf_inter_call *c, const struct fold *f,
		      struct wf_inter_sides *s)
{
	const struct wf_across_call *g = c->given;
	int root = g->kind == WF_ACROSS_REDUCE ? g->root : WEFT_PROC_NULL;
	int status = wf_inter_sides_of_root(c, root, &s->send, s);

	if (root >= 0)
		s->sides.send.vec = &s->one;
	else if (gives(g))
		s->sides.send = (struct wf_side){
			.kind = WF_SIDE_SAME, .part = &s->send
		};
	s->recv = weft_part(f->came, f->vector, &weft_type_byte);
	if (gets(g))
		s->sides.recv = (struct wf_side){
			.kind = WF_SIDE_ROW, .part = &s->recv
		};
	return status;
}

static int prepare(const struct wf_inter_call *c, struct fold *f,
		   struct wf_inter_sides *s)
{
	const struct wf_combination none = { .op = NULL };
	int status = c->refused ? c->refused : read_args(c, f, s);

	if (status) {
		f->with = none;		/* it may be wrong */
		return status;
	}
	wf_combination_hold(&f->with);
	return fill_sides(c, f, s);
}

static void aim(const struct wf_inter_call *c, struct fold *f)
{
	f->all.kind = &kind;
	f->all.call = c->name;
	f->all.part = &f->part;
	f->all.n = 1;
	if (c->form == WF_MARK_INIT)
		wf_composite_persist(&f->all, c->comm);
	else
		wf_composite_begin(&f->all, c->comm);
}

/* Where nothing comes the exchange is all. */
static int begin(const struct wf_inter_call *c, struct fold *f,
		 const struct wf_sides *sides, struct weft_request **req_p)
{
	int status = wf_inter_exchange(c, sides, &f->part);

	if (!status && f->n && f->vector) {
		aim(c, f);
		*req_p = &f->all.base;
		return WEFT_OK;
	}
	if (!status)
		*req_p = f->part;
	free_fold(f);
	return status;
}

int wf_inter_fold(const struct wf_inter_call *c, struct weft_request **req_p)
{
	struct wf_inter_sides s = { .counts = NULL };
	struct fold *f = wf_zeroed(1, sizeof(*f));
	int status = f ? prepare(c, f, &s) : no_memory(c);

	if (status)
		wf_inter_sides_refuse(&s, status);
	status = f ? begin(c, f, &s.sides, req_p) :
		     wf_inter_exchange(c, &s.sides, req_p);
	wf_inter_sides_fini(&s);
	return status;
}
