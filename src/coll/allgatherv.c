/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather of any number of elements from each rank: the calls. */
#include "coll/transfer_vec.h"

struct args {
	struct weft_part send;
	const struct weft_vec *recv;
};

static int read_args(struct weft_comm *comm, const void *args,
		     struct wf_coll_call *c)
{
	const struct args *given = args;
	int status;

	if (c->across) {
		*c->across = (struct wf_across_call){
			.kind = WF_ACROSS_ALLGATHER, .varies = true,
			.send = given->send, .recvs = given->recv
		};
		return WEFT_OK;
	}
	c->key.by = wf_coll_choose(WF_COLL_ALLGATHER);
	c->key.with.width = 1;
	c->give = given->send;
	status = wf_transfer_read_vec(comm, c, given->recv, true);
	c->key.bytes = c->most = c->get_bytes;
	return status;
}

int weft_allgatherv(struct weft_comm *comm, struct weft_part send,
		    const struct weft_vec *recv)
{
	const struct args args = { send, recv };

	return wf_call_block(comm, "weft_allgatherv", read_args, &args);
}

int weft_iallgatherv(struct weft_comm *comm, struct weft_part send,
		     const struct weft_vec *recv, struct weft_request **req_p)
{
	const struct args args = { send, recv };

	return wf_call_once(comm, "weft_iallgatherv", read_args, &args, req_p);
}

int weft_allgatherv_init(struct weft_comm *comm, struct weft_part send,
			 const struct weft_vec *recv,
			 struct weft_request **req_p)
{
	const struct args args = { send, recv };

	return wf_call_init(comm, "weft_allgatherv_init", read_args, &args,
			    req_p);
}
