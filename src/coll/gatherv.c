/* SPDX-License-Identifier: BSD-3-Clause */
/* Gather and scatter of any number of elements of each rank: the calls. */
#include "coll/transfer_vec.h"

struct args {
	struct weft_part one;		/* of this rank */
	const struct weft_vec *all;	/* at the root */
	int root;
};

/* Others than the root know nothing but what they give or get themselves. */
static int read_own(struct weft_comm *comm, struct wf_coll_call *c,
		    bool gathers)
{
	struct weft_part *own = gathers ? &c->give : &c->get;
	int status = wf_transfer_check(comm, c->key.call,
				       gathers ? "send" : "recv", own);

	if (!status)
		*(gathers ? &c->give_bytes : &c->get_bytes) =
			wf_part_bytes(own);
	return status;
}

static int read_sides(struct weft_comm *comm, const struct args *given,
		      struct wf_coll_call *c, bool gathers)
{
	int status = wf_call_check_root(comm, c->key.call, given->root);

	*(gathers ? &c->give : &c->get) = given->one;
	if (!status)
		status = comm->rank == given->root ?
			 wf_transfer_read_vec(comm, c, given->all, gathers) :
			 read_own(comm, c, gathers);
	c->key.with.width = 1;
	c->own_sizes = true;
	c->key.root = given->root;
	c->key.bytes = gathers ? c->give_bytes : c->get_bytes;
	c->most = UINT64_MAX;
	return status;
}

static int read_across(const struct args *given, bool gathers,
		       struct wf_across_call *across)
{
	across->kind = gathers ? WF_ACROSS_GATHER : WF_ACROSS_SCATTER;
	across->varies = true;
	*(gathers ? &across->send : &across->recv) = given->one;
	*(gathers ? &across->recvs : &across->sends) = given->all;
	across->root = given->root;
	return WEFT_OK;
}

static int read_gatherv(struct weft_comm *comm, const void *args,
			struct wf_coll_call *c)
{
	if (c->across)
		return read_across(args, true, c->across);
	c->key.by = wf_coll_choose_varying(comm, WF_COLL_GATHER);
	return read_sides(comm, args, c, true);
}

static int read_scatterv(struct weft_comm *comm, const void *args,
			 struct wf_coll_call *c)
{
	if (c->across)
		return read_across(args, false, c->across);
	c->key.by = wf_coll_choose_varying(comm, WF_COLL_SCATTER);
	return read_sides(comm, args, c, false);
}

int weft_gatherv(struct weft_comm *comm, struct weft_part send,
		 const struct weft_vec *recv, int root)
{
	const struct args args = { send, recv, root };

	return wf_call_block(comm, "weft_gatherv", read_gatherv, &args);
}

int weft_igatherv(struct weft_comm *comm, struct weft_part send,
		  const struct weft_vec *recv, int root,
		  struct weft_request **req_p)
{
	const struct args args = { send, recv, root };

	return wf_call_once(comm, "weft_igatherv", read_gatherv, &args, req_p);
}

int weft_gatherv_init(struct weft_comm *comm, struct weft_part send,
		      const struct weft_vec *recv, int root,
		      struct weft_request **req_p)
{
	const struct args args = { send, recv, root };

	return wf_call_init(comm, "weft_gatherv_init", read_gatherv, &args,
			    req_p);
}

int weft_scatterv(struct weft_comm *comm, const struct weft_vec *send,
		  struct weft_part recv, int root)
{
	const struct args args = { recv, send, root };

	return wf_call_block(comm, "weft_scatterv", read_scatterv, &args);
}

int weft_iscatterv(struct weft_comm *comm, const struct weft_vec *send,
		   struct weft_part recv, int root,
		   struct weft_request **req_p)
{
	const struct args args = { recv, send, root };

	return wf_call_once(comm, "weft_iscatterv", read_scatterv, &args,
			    req_p);
}

int weft_scatterv_init(struct weft_comm *comm, const struct weft_vec *send,
		       struct weft_part recv, int root,
		       struct weft_request **req_p)
{
	const struct args args = { recv, send, root };

	return wf_call_init(comm, "weft_scatterv_init", read_scatterv, &args,
			    req_p);
}
