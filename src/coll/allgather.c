/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather: the calls. */
#include "coll/transfer.h"

/* What is in place is given from where it is. */
static int read_args(struct weft_comm *comm, const void *args,
		     struct wf_coll_call *c)
{
	const struct wf_transfer *given = args;
	bool in_place = given->send.base == WEFT_IN_PLACE;
	const char *call = c->key.call;
	int status;

	if (c->across) {
		wf_transfer_read_across(given, WF_ACROSS_ALLGATHER, c->across);
		return WEFT_OK;
	}
	status = in_place ? WEFT_OK :
		 wf_transfer_check(comm, call, "send", &given->send);
	if (!status)
		status = wf_transfer_check_all(comm, call, "recv",
					       &given->recv);
	if (!status && !in_place)
		status = wf_transfer_check_equal(comm, call, given);
	if (status)
		return status;
	c->key.by = wf_coll_choose(WF_COLL_ALLGATHER);
	c->key.with.width = 1;
	c->key.bytes = c->give_bytes = wf_part_bytes(&given->recv);
	c->get_bytes = c->most = c->key.bytes * (uint64_t)comm->size;
	c->get = given->recv;
	c->give = in_place ? wf_part_block(&given->recv, comm->rank) :
			     given->send;
	return WEFT_OK;
}

int wf_allgather(struct weft_comm *comm, const char *call,
		 struct weft_part send, struct weft_part recv)
{
	const struct wf_transfer given = { send, recv, 0 };
	struct wf_coll_call c = { .key.call = call };
	int status = read_args(comm, &given, &c);

	return status ? status : wf_call_run(comm, &c);
}

int wf_allgather_refuse(struct weft_comm *comm, const char *call, int status)
{
	const struct wf_coll_key key = {
		.call = call, .by = wf_coll_choose(WF_COLL_ALLGATHER)
	};

	return wf_coll_refuse(comm, &key, status);
}

int weft_allgather(struct weft_comm *comm, struct weft_part send,
		   struct weft_part recv)
{
	const struct wf_transfer given = { send, recv, 0 };

	return wf_call_block(comm, "weft_allgather", read_args, &given);
}

int weft_iallgather(struct weft_comm *comm, struct weft_part send,
		    struct weft_part recv, struct weft_request **req_p)
{
	const struct wf_transfer given = { send, recv, 0 };

	return wf_call_once(comm, "weft_iallgather", read_args, &given, req_p);
}

int weft_allgather_init(struct weft_comm *comm, struct weft_part send,
			struct weft_part recv, struct weft_request **req_p)
{
	const struct wf_transfer given = { send, recv, 0 };

	return wf_call_init(comm, "weft_allgather_init", read_args, &given,
			    req_p);
}
