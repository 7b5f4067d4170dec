/* SPDX-License-Identifier: BSD-3-Clause */
/* The allreduce of statuses that ends a collective constructor: see agree.h. */
#include "coll/agree.h"

#include "coll/reduction.h"

int wf_agree(struct weft_comm *comm, const char *call, int status)
{
	struct weft_job *job = comm->job;
	struct wf_failure failure;
	int64_t worst = status;
	const struct wf_reduction statuses = {
		WEFT_IN_PLACE, weft_part(&worst, 1, &weft_type_int64),
		&weft_op_min, WF_COLL_ALLREDUCE, 0
	};
	int reduced;

	failure = *wf_failure(job);
	reduced = wf_reduction_run(comm, call, &statuses);
	if (status) {
		*wf_failure(job) = failure;
		return status;
	}
	if (reduced)
		return reduced;
	if (worst)
		wf_job_fail(job, (int)worst, "%s: another rank of the "
			    "communicator failed with %s", call,
			    weft_status_name((int)worst));
	return (int)worst;
}
