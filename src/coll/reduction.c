/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of reductions: see reduction.h. */
#include "coll/reduction.h"

#include "coll/across_call.h"
#include "type/op.h"
#include "type/type.h"

/* Fills in the key; false: something is wrong, see refuse(). */
static inline bool read_given(const struct weft_job *job,
			      const struct wf_reduction *given,
			      struct wf_coll_key *key)
{
	const struct weft_type *type = given->out.type;
	size_t n = given->out.count;
	const char *why;

	return wf_type_serves(job, type) && given->op &&
	       wf_combination_find(job, given->op, type, &key->with, &why) &&
	       given->out.base != WEFT_IN_PLACE &&
	       !__builtin_mul_overflow(n, key->with.width, &key->bytes) &&
	       key->bytes <= INT64_MAX &&
	       (!key->bytes || (given->in && given->out.base));
}

int wf_reduction_find(struct weft_job *job, const char *call, const char *name,
		      const struct weft_type *type, const struct weft_op *op,
		      struct wf_combination *with)
{
	const char *why = NULL;

	if (!wf_type_serves(job, type))
		return wf_type_refuse(job, call, name, type);
	if (!op)
		return wf_job_fail_null(job, call, "op");
	if (wf_combination_find(job, op, type, with, &why))
		return WEFT_OK;
	if (why)
		return wf_job_fail_for(job, WEFT_ARGUMENT_OP, WEFT_ERR_ARG,
				       "%s: %s", call, why);
	return wf_job_fail_for(job, WEFT_ARGUMENT_OP, WEFT_ERR_ARG,
			       "%s: %s is not defined for %s", call,
			       weft_op_name(op), weft_type_name(type));
}

int wf_reduction_count(struct weft_job *job, const char *call, size_t count,
		       int n, size_t *all_p)
{
	if (count <= PTRDIFF_MAX &&
	    !__builtin_mul_overflow(count, (size_t)n, all_p) &&
	    *all_p <= PTRDIFF_MAX)
		return WEFT_OK;
	return wf_job_fail_for(job, WEFT_ARGUMENT_COUNT, WEFT_ERR_RANGE,
			       "%s: the count is %td: below 0, or with %d "
			       "ranks above 2^63", call, (ptrdiff_t)count, n);
}

/* What read_given() has found. */
static int refuse(struct weft_job *job, const char *call,
		  const struct wf_reduction *given)
{
	const struct weft_type *type = given->out.type;
	size_t n = given->out.count;
	struct wf_combination with = { .kernel = NULL };
	int status = wf_reduction_find(job, call, "out.type", type, given->op,
				       &with);

	if (status)
		return status;
	if (n > PTRDIFF_MAX)
		return wf_type_refuse_count(job, call, n, type);
	if (n && with.width && (!given->in || !given->out.base))
		return wf_job_fail_for(job, WEFT_ARGUMENT_BUFFER,
				       WEFT_ERR_ARG, "%s: %s is NULL with %zu "
				       "elements", call,
				       given->in ? "out.base" : "in", n);
	if (given->out.base == WEFT_IN_PLACE)
		return wf_job_fail_for(job, WEFT_ARGUMENT_BUFFER,
				       WEFT_ERR_ARG, "%s: out.base is "
				       "WEFT_IN_PLACE, which only in may be",
				       call);
	return wf_type_refuse_count(job, call, n, type);
}

int wf_reduction_check(struct weft_job *job, const char *call,
		       const struct wf_reduction *given,
		       struct wf_coll_key *key)
{
	return read_given(job, given, key) ? WEFT_OK :
					     refuse(job, call, given);
}

/* Rank 0 gets nothing of an exclusive scan: its memory is to stay as it is. */
static bool gets(const struct weft_comm *comm, const struct wf_reduction *given)
{
	return given->by != WF_COLL_EXSCAN || comm->rank;
}

static void fill_call(const struct weft_comm *comm,
		      const struct wf_reduction *given, struct wf_coll_call *c)
{
	bool in_place = given->in == WEFT_IN_PLACE;

	c->op = given->op;
	c->give = c->get = given->out;
	if (!in_place)
		c->give.base = (void *)given->in;
	c->give_bytes = c->most = c->key.bytes;
	c->get_bytes = gets(comm, given) ? c->key.bytes : 0;
}

/* An intercommunicator has no order of all ranks to scan. */
static enum wf_across_kind kind_across(enum wf_coll_op by)
{
	switch (by) {
	case WF_COLL_ALLREDUCE: return WF_ACROSS_ALLREDUCE;
	case WF_COLL_REDUCE: return WF_ACROSS_REDUCE;
	default: return WF_ACROSS_NONE;
	}
}

static void read_across(const struct wf_reduction *given,
			struct wf_across_call *across)
{
	across->kind = kind_across(given->by);
	across->in = given->in;
	across->recv = given->out;
	across->op = given->op;
	across->root = given->root;
}

int wf_reduction_read(struct weft_comm *comm, const void *args,
		      struct wf_coll_call *c)
{
	const struct wf_reduction *given = args;

	if (c->across) {
		read_across(given, c->across);
		return WEFT_OK;
	}
	c->key.by = wf_coll_choose(given->by);
	if (!read_given(comm->job, given, &c->key))
		return refuse(comm->job, c->key.call, given);
	fill_call(comm, given, c);
	return WEFT_OK;
}

static int run_packed(struct weft_comm *comm, const char *call,
		      const struct wf_reduction *given)
{
	struct wf_coll_call c = { .key.call = call };
	int status = wf_reduction_read(comm, given, &c);

	return status ? status : wf_call_run(comm, &c);
}

int wf_reduction_run(struct weft_comm *comm, const char *call,
		     const struct wf_reduction *given)
{
	struct wf_coll_key key = {
		.call = call, .by = wf_coll_choose(given->by)
	};

	if (!read_given(comm->job, given, &key)) {
		comm->job->uneven = true;	/* as end_call() of call.c */
		return refuse(comm->job, call, given);
	}
	if (!given->out.type->dense && key.bytes)
		return run_packed(comm, call, given);
	return wf_coll_run(comm, &key, key.bytes,
			   given->in == WEFT_IN_PLACE ? given->out.base :
							given->in,
			   given->out.base);
}

/* Compared with other ranks' calls, or on an intercommunicator. */
static int call_specially(struct weft_comm *comm, const char *call,
			  const struct wf_reduction *given)
{
	int status = comm->across ?
		wf_across_block_held(comm, call, wf_reduction_read, given) :
		wf_call_block_held(comm, call, wf_reduction_read, given);

	return wf_comm_leave_held(comm, status);
}

int wf_reduction_call(struct weft_comm *comm, const char *call,
		      const struct wf_reduction *given)
{
	int status = wf_comm_enter_by(comm, call);

	if (status)
		return status;
	wf_comm_hold(comm);		/* another thread may free it */
	if (comm->special)
		return call_specially(comm, call, given);
	status = wf_reduction_run(comm, call, given);
	return wf_comm_leave_held(comm, status);
}
