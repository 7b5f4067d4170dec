/* SPDX-License-Identifier: BSD-3-Clause */
/* What a reduction does with two vectors, without any other rank. */
#include "coll/reduction.h"

#include <stdlib.h>

/* By a kernel, which takes packed ones. */
static int reduce_packed(struct weft_job *job,
			 const struct wf_reduction *given,
			 const struct wf_coll_key *key)
{
	const struct weft_part *out = &given->out;
	size_t bytes = (size_t)key->bytes;
	char *copy = bytes <= SIZE_MAX / 2 ? malloc(2 * bytes) : NULL;

	if (!copy)
		return wf_job_fail(job, WEFT_ERR_NOMEM, "%s: no memory for "
				   "packed copies of %zu bytes", key->call,
				   bytes);
	wf_gather(out->type, given->in, 0, copy, bytes);
	wf_gather(out->type, out->base, 0, copy + bytes, bytes);
	wf_combine(&key->with, copy, copy + bytes, copy + bytes, out->count);
	wf_scatter(out->type, out->base, 0, copy + bytes, bytes);
	free(copy);
	wf_job_reduced(job, key->bytes);
	return WEFT_OK;
}

static int reduce(struct weft_job *job, const struct wf_reduction *given)
{
	static const char call[] = "weft_reduce_local";
	struct wf_coll_key key = { .call = call };
	int status = wf_reduction_check(job, call, given, &key);

	if (status)
		return status;
	if (given->in == WEFT_IN_PLACE)
		return wf_job_fail_for(job, WEFT_ARGUMENT_BUFFER, WEFT_ERR_ARG,
				       "%s: in is WEFT_IN_PLACE, but there are "
				       "two operands", call);
	if (!key.bytes)
		return WEFT_OK;
	if (!given->out.type->dense && key.with.kernel)
		return reduce_packed(job, given, &key);
	/* the function may free its operation, and the type */
	wf_combination_hold(&key.with);
	wf_combine_lying(&key.with, given->in, given->out.base,
			 given->out.count);
	wf_combination_drop(&key.with);
	wf_job_reduced(job, key.bytes);
	return WEFT_OK;
}

int weft_reduce_local(struct weft_job *job, const void *in,
		      struct weft_part out, const struct weft_op *op)
{
	const struct wf_reduction given = { in, out, op };
	int status = job ? wf_job_enter(job) : WEFT_ERR_ARG;

	if (status)
		return status;
	status = reduce(job, &given);
	wf_job_leave(job);
	return status;
}
