/* SPDX-License-Identifier: BSD-3-Clause */
/* What a reduction does with two vectors, without any other rank. */
#include "coll/reduction.h"

/* By a kernel, which takes packed ones: some at a time. */
static void reduce_packed(const struct wf_reduction *given,
			  const struct wf_combination *with)
{
	enum { BATCH = 1024 };		/* bytes, more than an element has */
	_Alignas(64) char left[BATCH], right[BATCH];
	const struct weft_part *out = &given->out;
	size_t some = BATCH / with->width * with->width;
	size_t all = out->count * with->width;

	for (size_t from = 0; from < all; from += some) {
		size_t bytes = all - from < some ? all - from : some;

		wf_gather(out->type, given->in, from, left, bytes);
		wf_gather(out->type, out->base, from, right, bytes);
		wf_combine(with, left, right, right, bytes / with->width);
		wf_scatter(out->type, out->base, from, right, bytes);
	}
}

/* As they lie: packed ones, or by a function of the program. */
static void reduce_lying(const struct wf_reduction *given,
			 const struct wf_combination *with)
{
	/* it may free its operation, and the type */
	wf_combination_hold(with);
	wf_combine_lying(with, given->in, given->out.base, given->out.count);
	wf_combination_drop(with);
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
	if (given->out.type->dense || !key.with.kernel)
		reduce_lying(given, &key.with);
	else
		reduce_packed(given, &key.with);
	wf_job_reduced(job, key.bytes);
	return WEFT_OK;
}

int weft_reduce_local(struct weft_job *job, const void *in,
		      struct weft_part out, const struct weft_op *op)
{
	const struct wf_reduction given = { .in = in, .out = out, .op = op };
	int status = job ? wf_job_enter(job) : WEFT_ERR_ARG;

	if (status)
		return status;
	status = reduce(job, &given);
	wf_job_leave(job);
	return status;
}
