/* SPDX-License-Identifier: BSD-3-Clause */
/* Alltoall: the calls. */
#include "coll/transfer.h"

/* In place what is given is copied first: what comes takes its place. */
static int read_args(struct weft_comm *comm, const void *args,
		     struct wf_coll_call *c)
{
	const struct wf_transfer *given = args;
	const char *call = c->key.call;
	int status;

	if (c->across) {
		wf_transfer_read_across(given, WF_ACROSS_ALLTOALL, c->across);
		return WEFT_OK;
	}
	status = wf_transfer_check_all(comm, call, "recv", &given->recv);
	c->apart = given->send.base == WEFT_IN_PLACE;
	if (!status && !c->apart)
		status = wf_transfer_check_all(comm, call, "send",
					       &given->send);
	if (!status && !c->apart)
		status = wf_transfer_check_equal(comm, call, given);
	if (status)
		return status;
	c->key.with.width = 1;
	c->key.bytes = wf_part_bytes(&given->recv);
	c->key.by = wf_coll_choose_alltoall(comm, c->key.bytes);
	c->most = c->give_bytes = c->get_bytes =
		c->key.bytes * (uint64_t)comm->size;
	c->get = given->recv;
	c->give = c->apart ? given->recv : given->send;
	return WEFT_OK;
}

int weft_alltoall(struct weft_comm *comm, struct weft_part send,
		  struct weft_part recv)
{
	const struct wf_transfer given = { send, recv, 0 };

	return wf_call_block(comm, "weft_alltoall", read_args, &given);
}

int weft_ialltoall(struct weft_comm *comm, struct weft_part send,
		   struct weft_part recv, struct weft_request **req_p)
{
	const struct wf_transfer given = { send, recv, 0 };

	return wf_call_once(comm, "weft_ialltoall", read_args, &given, req_p);
}

int weft_alltoall_init(struct weft_comm *comm, struct weft_part send,
		       struct weft_part recv, struct weft_request **req_p)
{
	const struct wf_transfer given = { send, recv, 0 };

	return wf_call_init(comm, "weft_alltoall_init", read_args, &given,
			    req_p);
}
