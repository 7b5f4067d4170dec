/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduce to a root: the calls. */
#include "coll/across_call.h"
#include "coll/reduction.h"

static int check_in(struct weft_comm *comm, const char *call,
		    const struct wf_reduction *given)
{
	if (given->in != WEFT_IN_PLACE || comm->rank == given->root)
		return WEFT_OK;
	return wf_job_fail_for(comm->job, WEFT_ARGUMENT_BUFFER, WEFT_ERR_ARG,
			       "%s: in is WEFT_IN_PLACE, which only the root "
			       "may give, which is %d", call, given->root);
}

/* At the others out says how many elements of which type, and no more. */
static int read_args(struct weft_comm *comm, const void *args,
		     struct wf_coll_call *c)
{
	struct wf_reduction given = *(const struct wf_reduction *)args;
	const char *call = c->key.call;
	int status;

	if (c->across)
		return wf_reduction_read(comm, args, c);
	status = wf_call_check_root(comm, call, given.root);
	if (!status)
		status = check_in(comm, call, &given);
	if (status)
		return status;
	if (comm->rank != given.root)
		given.out.base = (void *)given.in;
	status = wf_reduction_read(comm, &given, c);
	c->key.root = given.root;
	if (comm->rank != given.root)
		c->get_bytes = 0;
	return status;
}

int weft_reduce(struct weft_comm *comm, const void *in, struct weft_part out,
		const struct weft_op *op, int root)
{
	const struct wf_reduction given = {
		in, out, op, WF_COLL_REDUCE, root
	};

	return wf_call_block(comm, "weft_reduce", read_args, &given);
}

int weft_ireduce(struct weft_comm *comm, const void *in, struct weft_part out,
		 const struct weft_op *op, int root,
		 struct weft_request **req_p)
{
	const struct wf_reduction given = {
		in, out, op, WF_COLL_REDUCE, root
	};

	return wf_call_once(comm, "weft_ireduce", read_args, &given, req_p);
}

int weft_reduce_init(struct weft_comm *comm, const void *in,
		     struct weft_part out, const struct weft_op *op, int root,
		     struct weft_request **req_p)
{
	const struct wf_reduction given = {
		in, out, op, WF_COLL_REDUCE, root
	};

	return wf_call_init(comm, "weft_reduce_init", read_args, &given,
			    req_p);
}
