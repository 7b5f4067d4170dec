/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broadcast: the calls.  A call that is refused is not made: the others wait
 * for this rank until it calls again, also where it lacked memory.
 */
#include "base/handle.h"
#include "coll/tree.h"

#include <weft/coll.h>
#include "plan/plan_staged.h"
#include "type/type.h"

struct call {
	const char *name;
	struct weft_comm *comm;
	struct weft_part data;
	int root;
	uint64_t bytes;
	struct wf_staged *staged;	/* NULL: elements are packed */
};

static int check_data(struct call *c)
{
	const struct weft_part *data = &c->data;
	struct weft_job *job = c->comm->job;

	if (!wf_type_serves(job, data->type))
		return wf_type_refuse(job, c->name, "data.type", data->type);
	if (data->count && !data->base && wf_type_bytes(data->type))
		return wf_job_fail_for(job, WEFT_ARGUMENT_BUFFER, WEFT_ERR_ARG,
				       "%s: data.base is NULL with %zu "
				       "elements", c->name, data->count);
	if (data->base == WEFT_IN_PLACE)
		return wf_job_fail_for(job, WEFT_ARGUMENT_BUFFER, WEFT_ERR_ARG,
				       "%s: data.base is WEFT_IN_PLACE, "
				       "which it always is", c->name);
	if (__builtin_mul_overflow(data->count, wf_type_bytes(data->type),
				   &c->bytes) ||
	    c->bytes > INT64_MAX)
		return wf_job_fail_for(job, WEFT_ARGUMENT_COUNT, WEFT_ERR_RANGE,
				       "%s: %zu elements of %zu bytes exceed "
				       "2^63 bytes", c->name, data->count,
				       wf_type_bytes(data->type));
	return WEFT_OK;
}

static int check(struct call *c)
{
	if (c->root < 0 || c->root >= c->comm->size)
		return wf_job_fail_for(c->comm->job, WEFT_ARGUMENT_ROOT,
				       WEFT_ERR_RANGE, "%s: the root is %d, "
				       "and ranks are 0 to %d", c->name,
				       c->root, c->comm->size - 1);
	return check_data(c);
}

static int lacks_memory(const struct call *c, int status)
{
	return wf_job_fail(c->comm->job, status, "%s: no memory for it: the "
			   "call was not made", c->name);
}

static int stage(struct call *c)
{
	if (c->data.type->dense || !c->bytes)
		return WEFT_OK;
	return wf_staged_make_one(c->comm->job, &c->data, c->bytes,
				  c->comm->rank == c->root, &c->staged);
}

static void start(const struct wf_tree *tree, const struct call *c,
		  struct wf_run *run)
{
	void *data = c->staged ? c->staged->packed : c->data.base;

	wf_bcast_aim(tree, run->plan, c->root, c->bytes);
	run->buffer[WF_BUFFER_SEND] = data;
	run->buffer[WF_BUFFER_RECV] = data;
	run->staged = c->staged;
	wf_run_gather(run);
	wf_run_start(run, WEFT_OK);
}

static int bcast(struct call *c)
{
	struct wf_tree *tree;
	int status = check(c);

	if (status)
		return status;
	status = wf_tree_of(c->comm, &tree);
	if (!status)
		status = stage(c);
	if (status)
		return lacks_memory(c, status);
	start(tree, c, &tree->own->run);
	status = wf_run_wait(&tree->own->run);
	if (status)
		wf_job_fail(c->comm->job, status, "%s", tree->own->run.error);
	if (c->staged)
		wf_run_unstage(&tree->own->run);
	return status;
}

static int ibcast(struct call *c, struct weft_request **req_p)
{
	struct wf_run_request *req;
	struct wf_tree *tree;
	int status = check(c);

	if (!status && !req_p)
		status = wf_job_fail(c->comm->job, WEFT_ERR_ARG,
				     "%s: req_p is NULL", c->name);
	if (status)
		return status;
	status = wf_tree_of(c->comm, &tree);
	if (!status)
		status = stage(c);
	if (!status)
		status = wf_tree_request(tree, &req);
	if (status) {
		wf_staged_free(c->staged);
		return lacks_memory(c, status);
	}
	start(tree, c, &req->run);
	*req_p = &req->base;
	return WEFT_OK;
}

int weft_bcast(struct weft_comm *comm, struct weft_part data, int root)
{
	struct call c = {
		.name = "weft_bcast", .comm = comm, .data = data, .root = root
	};
	int status = wf_comm_enter(comm);

	if (status)
		return status;
	wf_comm_hold(comm);		/* another thread may free it */
	status = bcast(&c);
	return wf_comm_leave_held(comm, status);
}

int weft_ibcast(struct weft_comm *comm, struct weft_part data, int root,
		struct weft_request **req_p)
{
	struct call c = {
		.name = "weft_ibcast", .comm = comm, .data = data, .root = root
	};
	int status = wf_comm_enter(comm);

	wf_no_handle(req_p);
	if (status)
		return status;
	status = ibcast(&c, req_p);
	return wf_comm_leave(comm, status);
}
