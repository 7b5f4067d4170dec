/* SPDX-License-Identifier: BSD-3-Clause */
/* Allreduce and barrier: the calls. */
#include "coll/reduction.h"

int weft_barrier(struct weft_comm *comm)
{
	const struct wf_coll_key key = {
		.call = "weft_barrier", .build = wf_allreduce_build,
		.with.width = 1
	};
	int status = wf_comm_enter(comm);

	if (status)
		return status;
	wf_comm_hold(comm);
	status = wf_coll_run(comm, &key, 0, NULL, NULL);
	return wf_comm_leave_held(comm, status);
}

int weft_allreduce(struct weft_comm *comm, const void *in,
		   struct weft_part out, const struct weft_op *op)
{
	struct wf_reduction given = { in, out, op };

	return wf_reduction_call(comm, "weft_allreduce", wf_allreduce_build,
				 &given);
}
