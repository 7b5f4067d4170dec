/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast: the calls. */
#include "coll/transfer.h"

struct args {
	struct weft_part data;
	int root;
};

static int read_args(struct weft_comm *comm, const void *given,
		     struct wf_coll_call *c)
{
	const struct args *args = given;
	uint64_t bytes;
	int status;

	if (c->across) {
		*c->across = (struct wf_across_call){
			.kind = WF_ACROSS_BCAST, .send = args->data,
			.recv = args->data, .root = args->root
		};
		return WEFT_OK;
	}
	status = wf_call_check_root(comm, c->key.call, args->root);
	if (!status)
		status = wf_transfer_check(comm, c->key.call, "data",
					   &args->data);
	if (status)
		return status;
	bytes = wf_part_bytes(&args->data);
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

int wf_bcast_held(struct weft_comm *comm, const char *call,
		  struct weft_part data, int root)
{
	const struct args args = { data, root };

	return wf_call_block_held(comm, call, read_args, &args);
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
