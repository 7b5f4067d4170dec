/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast: the calls. */
#include "coll/call.h"
#include "type/type.h"

struct args {
	struct weft_part data;
	int root;
};

static int check_data(struct weft_comm *comm, const char *name,
		      const struct weft_part *data, uint64_t *bytes_p)
{
	struct weft_job *job = comm->job;

	if (!wf_type_serves(job, data->type))
		return wf_type_refuse(job, name, "data.type", data->type);
	if (data->count && !data->base && wf_type_bytes(data->type))
		return wf_job_fail_for(job, WEFT_ARGUMENT_BUFFER, WEFT_ERR_ARG,
				       "%s: data.base is NULL with %zu "
				       "elements", name, data->count);
	if (data->base == WEFT_IN_PLACE)
		return wf_job_fail_for(job, WEFT_ARGUMENT_BUFFER, WEFT_ERR_ARG,
				       "%s: data.base is WEFT_IN_PLACE, "
				       "which it always is", name);
	if (__builtin_mul_overflow(data->count, wf_type_bytes(data->type),
				   bytes_p) ||
	    *bytes_p > INT64_MAX)
		return wf_job_fail_for(job, WEFT_ARGUMENT_COUNT, WEFT_ERR_RANGE,
				       "%s: %zu elements of %zu bytes exceed "
				       "2^63 bytes", name, data->count,
				       wf_type_bytes(data->type));
	return WEFT_OK;
}

static int read_args(struct weft_comm *comm, const void *given,
		     struct wf_coll_call *c)
{
	const struct args *args = given;
	uint64_t bytes = 0;
	int status = wf_call_check_root(comm, c->key.call, args->root);

	if (!status)
		status = check_data(comm, c->key.call, &args->data, &bytes);
	if (status)
		return status;
	c->key.by = wf_coll_choose(WF_COLL_BCAST);
	c->key.bytes = c->most = bytes;
	c->key.root = args->root;
	c->give = c->get = args->data;
	if (comm->rank == args->root)
		c->give_bytes = bytes;
	else
		c->get_bytes = bytes;
	return WEFT_OK;
}

int weft_bcast(struct weft_comm *comm, struct weft_part data, int root)
{
	const struct args args = { data, root };

	return wf_call_block(comm, "weft_bcast", read_args, &args);
}

int weft_ibcast(struct weft_comm *comm, struct weft_part data, int root,
		struct weft_request **req_p)
{
	const struct args args = { data, root };

	return wf_call_once(comm, "weft_ibcast", read_args, &args, req_p);
}

int weft_bcast_init(struct weft_comm *comm, struct weft_part data, int root,
		    struct weft_request **req_p)
{
	const struct args args = { data, root };

	return wf_call_init(comm, "weft_bcast_init", read_args, &args, req_p);
}
