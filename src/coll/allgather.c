/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather: the call. */
#include "coll/coll.h"

#include "type/type.h"

static int check(struct weft_comm *comm, const char *call, const void *in,
		 const void *out, size_t n, const struct weft_type *type)
{
	uint64_t all;

	if (!type)
		return wf_job_fail_for(comm->job, WEFT_ARGUMENT_TYPE,
				       WEFT_ERR_ARG, "%s: type is NULL", call);
	if (n && (!in || !out))
		return wf_job_fail_for(comm->job, WEFT_ARGUMENT_BUFFER,
				       WEFT_ERR_ARG, "%s: %s is NULL with %zu "
				       "elements", call, out ? "in" : "out", n);
	if (out == WEFT_IN_PLACE)
		return wf_job_fail_for(comm->job, WEFT_ARGUMENT_BUFFER,
				       WEFT_ERR_ARG, "%s: out is "
				       "WEFT_IN_PLACE, which only in may be",
				       call);
	if (__builtin_mul_overflow(n, type->size, &all) ||
	    __builtin_mul_overflow(all, (uint64_t)comm->size, &all) ||
	    all > INT64_MAX)
		return wf_job_fail_for(comm->job, WEFT_ARGUMENT_COUNT,
				       WEFT_ERR_RANGE, "%s: %zu elements of "
				       "%zu bytes from each of %d ranks exceed "
				       "2^63 bytes", call, n, type->size,
				       comm->size);
	return WEFT_OK;
}

int wf_allgather(struct weft_comm *comm, const char *call, const void *in,
		 void *out, size_t n, const struct weft_type *type)
{
	struct wf_coll_key key = {
		.call = call, .build = wf_allgather_build, .width = 1
	};
	int status = check(comm, call, in, out, n, type);

	if (status)
		return status;
	key.bytes = n * type->size;
	if (in == WEFT_IN_PLACE && n)
		in = (char *)out + key.bytes * (uint64_t)comm->rank;
	return wf_coll_run(comm, &key, key.bytes * (uint64_t)comm->size, in,
			   out);
}

int weft_allgather(struct weft_comm *comm, const void *in, void *out,
		   size_t n, const struct weft_type *type)
{
	int status = wf_comm_enter(comm);

	if (status)
		return status;
	wf_comm_hold(comm);
	status = wf_allgather(comm, "weft_allgather", in, out, n, type);
	return wf_comm_leave_held(comm, status);
}
