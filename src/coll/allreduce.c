/* SPDX-License-Identifier: BSD-3-Clause */
/* Allreduce and barrier: the calls. */
#include "coll/across_call.h"
#include "coll/reduction.h"

static int read_barrier(struct weft_comm *comm, const void *args,
			struct wf_coll_call *c)
{
	(void)comm;
	(void)args;
	if (c->across) {
		c->across->kind = WF_ACROSS_BARRIER;
		return WEFT_OK;
	}
	c->key.by = wf_coll_choose(WF_COLL_ALLREDUCE);
	c->key.with.width = 1;
	return WEFT_OK;
}

int weft_barrier(struct weft_comm *comm)
{
	return wf_call_block(comm, "weft_barrier", read_barrier, NULL);
}

int weft_ibarrier(struct weft_comm *comm, struct weft_request **req_p)
{
	return wf_call_once(comm, "weft_ibarrier", read_barrier, NULL, req_p);
}

int weft_barrier_init(struct weft_comm *comm, struct weft_request **req_p)
{
	return wf_call_init(comm, "weft_barrier_init", read_barrier, NULL,
			    req_p);
}

int weft_allreduce(struct weft_comm *comm, const void *in,
		   struct weft_part out, const struct weft_op *op)
{
	const struct wf_reduction given = {
		in, out, op, WF_COLL_ALLREDUCE, 0
	};

	return wf_reduction_call(comm, "weft_allreduce", &given);
}

int weft_iallreduce(struct weft_comm *comm, const void *in,
		    struct weft_part out, const struct weft_op *op,
		    struct weft_request **req_p)
{
	const struct wf_reduction given = {
		in, out, op, WF_COLL_ALLREDUCE, 0
	};

	return wf_call_once(comm, "weft_iallreduce", wf_reduction_read, &given,
			    req_p);
}

int weft_allreduce_init(struct weft_comm *comm, const void *in,
			struct weft_part out, const struct weft_op *op,
			struct weft_request **req_p)
{
	const struct wf_reduction given = {
		in, out, op, WF_COLL_ALLREDUCE, 0
	};

	return wf_call_init(comm, "weft_allreduce_init", wf_reduction_read,
			    &given, req_p);
}
