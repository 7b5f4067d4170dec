/* SPDX-License-Identifier: BSD-3-Clause */
/* The allreduce of statuses that ends a collective constructor: see agree.h. */
#include "coll/agree.h"

#include "coll/coll.h"

static int tell_other(struct weft_comm *comm, const char *call, int worst)
{
	int status = wf_job_enter(comm->job);

	if (status)
		return status;
	wf_job_fail(comm->job, worst, "%s: another rank of the communicator "
		    "failed with %s", call, weft_status_name(worst));
	wf_job_leave(comm->job);
	return worst;
}

int wf_agree(struct weft_comm *comm, const char *call, int status)
{
	int64_t worst = status;
	int reduced = wf_job_enter(comm->job);

	if (!reduced) {
		reduced = wf_allreduce(comm, WEFT_IN_PLACE, &worst, 1,
				       &weft_type_int64, &weft_op_min);
		wf_job_leave(comm->job);
	}
	if (status || !(reduced || worst))
		return status;
	if (reduced)
		return reduced;
	return tell_other(comm, call, (int)worst);
}
