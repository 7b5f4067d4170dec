/* SPDX-License-Identifier: BSD-3-Clause */
/* Allreduce and barrier: what they are called with. */
#include "coll/coll.h"

#include "type/op.h"
#include "type/type.h"

int weft_barrier(struct weft_comm *comm)
{
	const struct wf_coll_key key = {
		.build = wf_allreduce_build, .width = 1
	};
	int status = wf_comm_enter(comm);

	if (status)
		return status;
	status = wf_coll_run(comm, &key, 0, NULL, NULL);
	wf_job_leave(comm->job);
	return status;
}

static int find_kernel(struct weft_comm *comm, const struct weft_type *type,
		       const struct weft_op *op, struct wf_coll_key *key)
{
	if (!type || !op)
		return wf_job_fail(comm->job, WEFT_ERR_ARG, "weft_allreduce: "
				   "%s is NULL", type ? "op" : "type");
	key->kernel = wf_kernel_find(op, type);
	key->width = type->size;
	if (!key->kernel)
		return wf_job_fail(comm->job, WEFT_ERR_ARG,
				   "weft_allreduce: %s is not defined for %s",
				   weft_op_name(op), weft_type_name(type));
	return WEFT_OK;
}

static int check(struct weft_comm *comm, const void *in, const void *out,
		 size_t n, struct wf_coll_key *key)
{
	if (n && (!in || !out))
		return wf_job_fail(comm->job, WEFT_ERR_ARG, "weft_allreduce: "
				   "%s is NULL with %zu elements",
				   out ? "in" : "out", n);
	if (out == WEFT_IN_PLACE)
		return wf_job_fail(comm->job, WEFT_ERR_ARG, "weft_allreduce: "
				   "out is WEFT_IN_PLACE, which only in may "
				   "be");
	if (__builtin_mul_overflow(n, key->width, &key->bytes) ||
	    key->bytes > INT64_MAX)
		return wf_job_fail(comm->job, WEFT_ERR_RANGE,
				   "weft_allreduce: %zu elements of %zu bytes "
				   "exceed 2^63 bytes", n, key->width);
	return WEFT_OK;
}

int wf_allreduce(struct weft_comm *comm, const void *in, void *out, size_t n,
		 const struct weft_type *type, const struct weft_op *op)
{
	struct wf_coll_key key = { .build = wf_allreduce_build };
	int status = find_kernel(comm, type, op, &key);

	if (in == WEFT_IN_PLACE)
		in = out;
	if (!status)
		status = check(comm, in, out, n, &key);
	return status ? status :
		wf_coll_run(comm, &key, key.bytes, in, out);
}

int weft_allreduce(struct weft_comm *comm, const void *in, void *out,
		   size_t n, const struct weft_type *type,
		   const struct weft_op *op)
{
	int status = wf_comm_enter(comm);

	if (status)
		return status;
	status = wf_allreduce(comm, in, out, n, type, op);
	wf_job_leave(comm->job);
	return status;
}
