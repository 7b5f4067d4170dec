/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of calls that move elements: see transfer.h. */
#include "coll/transfer.h"

static int check(struct weft_comm *comm, const char *call, const char *name,
		 const struct weft_part *part, int ranks)
{
	const struct wf_part_arg a = {
		.job = comm->job, .call = call, .name = name, .part = part,
		.n = ranks, .each = "rank"
	};

	return wf_part_check(&a);
}

int wf_transfer_check(struct weft_comm *comm, const char *call,
		      const char *name, const struct weft_part *part)
{
	return check(comm, call, name, part, 1);
}

int wf_transfer_check_all(struct weft_comm *comm, const char *call,
			  const char *name, const struct weft_part *part)
{
	return check(comm, call, name, part, comm->size);
}

int wf_transfer_check_equal(struct weft_comm *comm, const char *call,
			    const struct wf_transfer *given)
{
	const struct weft_part *send = &given->send, *recv = &given->recv;

	if (wf_part_bytes(send) == wf_part_bytes(recv))
		return WEFT_OK;
	return wf_job_fail_for(comm->job, WEFT_ARGUMENT_COUNT, WEFT_ERR_ARG,
			       "%s: send has %zu elements of %zu bytes, and "
			       "recv %llu bytes for each rank", call,
			       send->count, wf_type_bytes(send->type),
			       (unsigned long long)wf_part_bytes(recv));
}
