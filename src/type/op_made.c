/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that the program makes: their life, and the call of one. */
#include "type/op_made.h"

#include <stdlib.h>
#include "base/handle.h"
#include "base/options.h"
#include "base/zeroed.h"
#include "job/job.h"
#include "type/type.h"

/* ---- the call ---- */

/* Of n elements: all, or, to expose functions that ignore n, any units. */
static size_t piece_of(const struct wf_made_op *made, size_t n)
{
	size_t units = (n - 1) / made->unit + 1, some;

	if (made->job->config.check < 2)
		return n;
	some = made->unit *
	       (1 + (size_t)wf_random_below(&made->job->random, units));
	return some < n ? some : n;
}

void wf_op_call(const struct wf_made_op *made, const struct weft_type *type,
		const void *left, void *right, size_t n)
{
	ptrdiff_t extent = wf_shape_extent(&type->shape);
	const char *in = left;
	char *inout = right;

	wf_job_begin_op(made->job);
	while (n) {
		size_t some = piece_of(made, n);

		made->call(in, inout, some, type, made->arg);
		if (wf_job_is_child(made->job))
			weft_job_abort(made->job, 1, "it has returned from an "
				       "operation of the program");
		in += (ptrdiff_t)some * extent;
		inout += (ptrdiff_t)some * extent;
		n -= some;
	}
	wf_job_end_op(made->job);
}

/* ---- life ---- */

void wf_op_drop(struct wf_made_op *made)
{
	if (--made->refs)
		return;
	wf_list_del(&made->link);
	free(made->image);
	free(made);
}

void wf_ops_drop(struct weft_job *job)
{
	struct wf_list *at;

	while ((at = wf_list_first(&job->ops))) {
		struct wf_made_op *made = wf_container(at, struct wf_made_op,
						       link);

		made->refs = 1;
		wf_op_drop(made);
	}
}

void weft_op_options_init(struct weft_op_options *options, size_t size)
{
	wf_options_init(options, size);
}

static int read_options(struct weft_job *job,
			const struct weft_op_options *options,
			struct weft_op_options *known_p)
{
	static const char call[] = "weft_op_create";
	char why[160] = "";

	if (!options)
		return wf_job_fail_null(job, call, "options");
	if (!wf_options_read(options, known_p, sizeof(*known_p),
			     "weft_op_options_init", why, sizeof(why)))
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: %s", call, why);
	if (!known_p->call)
		return wf_job_fail_null(job, call, "options->call");
	return WEFT_OK;
}

static int create(struct weft_job *job, const struct weft_op_options *options,
		  struct weft_op **op_p)
{
	struct weft_op_options o;
	struct wf_made_op *made;
	int status = read_options(job, options, &o);

	if (status)
		return status;
	made = wf_zeroed(1, sizeof(*made));
	if (!made)
		return wf_job_fail(job, WEFT_ERR_NOMEM, "weft_op_create: no "
				   "memory for an operation");
	made->op = (struct weft_op){
		.kind = WF_OP_MADE, .commute = o.commutes, .name = "user"
	};
	made->job = job;
	made->call = o.call;
	made->arg = o.arg;
	made->unit = o.unit ? o.unit : 1;
	made->refs = 1;
	wf_list_add_tail(&job->ops, &made->link);
	*op_p = &made->op;
	return WEFT_OK;
}

int weft_op_create(struct weft_job *job, const struct weft_op_options *options,
		   struct weft_op **op_p)
{
	int status = job && op_p ? wf_job_ask(job) :
		wf_job_refuse(job, "weft_op_create", job ? "op_p" : "job");

	wf_no_handle(op_p);
	if (status)
		return status;
	status = create(job, options, op_p);
	wf_job_leave(job);
	return status;
}

static int refuse_freed(const struct wf_made_op *made, const char *call)
{
	return wf_job_fail_for(made->job, WEFT_ARGUMENT_OP, WEFT_ERR_ARG,
			       "%s: the operation was given to weft_op_free()",
			       call);
}

int weft_op_free(struct weft_op **op_p)
{
	struct wf_made_op *made = op_p && *op_p ? wf_op_made(*op_p) : NULL;
	struct weft_job *job;
	int status;

	if (!made)
		return op_p && !*op_p ? WEFT_OK : WEFT_ERR_ARG;
	job = made->job;
	status = wf_job_ask(job);
	if (status)
		return status;
	if (made->freed) {
		status = refuse_freed(made, "weft_op_free");
	} else {
		made->freed = true;
		wf_op_drop(made);
		*op_p = NULL;
	}
	wf_job_leave(job);
	return status;
}

/* ---- a pointer of the program ---- */

void *weft_op_userdata(const struct weft_op *op)
{
	const struct wf_made_op *made = op ? wf_op_made(op) : NULL;

	return made ? __atomic_load_n(&made->userdata, __ATOMIC_RELAXED) : NULL;
}

int weft_op_set_userdata(struct weft_op *op, void *userdata)
{
	struct wf_made_op *made = op ? wf_op_made(op) : NULL;
	int status = made ? wf_job_ask(made->job) : WEFT_ERR_ARG;

	if (status)
		return status;
	if (made->freed)
		status = refuse_freed(made, "weft_op_set_userdata");
	else
		__atomic_store_n(&made->userdata, userdata, __ATOMIC_RELAXED);
	wf_job_leave(made->job);
	return status;
}
