/* SPDX-License-Identifier: BSD-3-Clause */
/* The allreduce of statuses that ends a collective constructor: see agree.h. */
#include "coll/agree.h"

#include "coll/coll.h"

int wf_agree_within(struct weft_comm *comm, const char *call, int status)
{
	int64_t worst = status;
	int reduced = wf_allreduce(comm, WEFT_IN_PLACE, &worst, 1,
				   &weft_type_int64, &weft_op_min);

	if (status || reduced)
		return status ? status : reduced;
	if (worst)
		wf_job_fail(comm->job, (int)worst, "%s: another rank of the "
			    "communicator failed with %s", call,
			    weft_status_name((int)worst));
	return (int)worst;
}

int wf_agree(struct weft_comm *comm, const char *call, int status)
{
	int entered = wf_job_enter(comm->job);

	if (entered)
		return status ? status : entered;
	status = wf_agree_within(comm, call, status);
	wf_job_leave(comm->job);
	return status;
}
