/* SPDX-License-Identifier: BSD-3-Clause */
/* Gather and scatter: the calls. */
#include "coll/transfer.h"

/*
 * The part of one rank is `one`, and that of all is `all` at the root alone,
 * where `one` may be in place.
 */
static int check(struct weft_comm *comm, const char *call,
		 const struct wf_transfer *given, bool gathers)
{
	const struct weft_part *one = gathers ? &given->send : &given->recv;
	const struct weft_part *all = gathers ? &given->recv : &given->send;
	bool is_root = comm->rank == given->root;
	int status = wf_call_check_root(comm, call, given->root);

	if (!status && (!is_root || one->base != WEFT_IN_PLACE))
		status = wf_transfer_check_all(comm, call,
					       gathers ? "send" : "recv", one);
	if (!status && is_root)
		status = wf_transfer_check_all(comm, call,
					       gathers ? "recv" : "send", all);
	if (!status && is_root && one->base != WEFT_IN_PLACE)
		status = wf_transfer_check_equal(comm, call, given);
	return status;
}

/* What the root has of itself in place is where it is among all. */
static struct weft_part own_part(const struct weft_comm *comm,
				 const struct weft_part *one,
				 const struct weft_part *all)
{
	return one->base == WEFT_IN_PLACE ? wf_part_block(all, comm->rank) :
					    *one;
}

static void fill_key(const struct weft_comm *comm, struct wf_coll_call *c,
		     uint64_t bytes, int root)
{
	c->key.with.width = 1;
	c->key.bytes = bytes;
	c->key.root = root;
	c->most = bytes * (uint64_t)comm->size;
}

static int read_gather(struct weft_comm *comm, const void *args,
		       struct wf_coll_call *c)
{
	const struct wf_transfer *given = args;
	int status;

	if (c->across) {
		wf_transfer_read_across(given, WF_ACROSS_GATHER, c->across);
		return WEFT_OK;
	}
	status = check(comm, c->key.call, given, true);
	if (status)
		return status;
	c->key.by = wf_coll_choose(WF_COLL_GATHER);
	c->give = own_part(comm, &given->send, &given->recv);
	c->give_bytes = wf_part_bytes(&c->give);
	fill_key(comm, c, c->give_bytes, given->root);
	if (comm->rank != given->root)
		return WEFT_OK;
	c->get = given->recv;
	c->get_bytes = c->most;
	return WEFT_OK;
}

static int read_scatter(struct weft_comm *comm, const void *args,
			struct wf_coll_call *c)
{
	const struct wf_transfer *given = args;
	int status;

	if (c->across) {
		wf_transfer_read_across(given, WF_ACROSS_SCATTER, c->across);
		return WEFT_OK;
	}
	status = check(comm, c->key.call, given, false);
	if (status)
		return status;
	c->key.by = wf_coll_choose(WF_COLL_SCATTER);
	c->get = own_part(comm, &given->recv, &given->send);
	c->get_bytes = wf_part_bytes(&c->get);
	fill_key(comm, c, c->get_bytes, given->root);
	if (comm->rank != given->root)
		return WEFT_OK;
	c->give = given->send;
	c->give_bytes = c->most;
	return WEFT_OK;
}

int weft_gather(struct weft_comm *comm, struct weft_part send,
		struct weft_part recv, int root)
{
	const struct wf_transfer given = { send, recv, root };

	return wf_call_block(comm, "weft_gather", read_gather, &given);
}

int weft_igather(struct weft_comm *comm, struct weft_part send,
		 struct weft_part recv, int root,
		 struct weft_request **req_p)
{
	const struct wf_transfer given = { send, recv, root };

	return wf_call_once(comm, "weft_igather", read_gather, &given, req_p);
}

int weft_gather_init(struct weft_comm *comm, struct weft_part send,
		     struct weft_part recv, int root,
		     struct weft_request **req_p)
{
	const struct wf_transfer given = { send, recv, root };

	return wf_call_init(comm, "weft_gather_init", read_gather, &given,
			    req_p);
}

int weft_scatter(struct weft_comm *comm, struct weft_part send,
		 struct weft_part recv, int root)
{
	const struct wf_transfer given = { send, recv, root };

	return wf_call_block(comm, "weft_scatter", read_scatter, &given);
}

int weft_iscatter(struct weft_comm *comm, struct weft_part send,
		  struct weft_part recv, int root,
		  struct weft_request **req_p)
{
	const struct wf_transfer given = { send, recv, root };

	return wf_call_once(comm, "weft_iscatter", read_scatter, &given, req_p);
}

int weft_scatter_init(struct weft_comm *comm, struct weft_part send,
		      struct weft_part recv, int root,
		      struct weft_request **req_p)
{
	const struct wf_transfer given = { send, recv, root };

	return wf_call_init(comm, "weft_scatter_init", read_scatter, &given,
			    req_p);
}
