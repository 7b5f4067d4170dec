/* SPDX-License-Identifier: BSD-3-Clause */
/* Gather and scatter of any number of elements of each rank: the calls. */
#include "coll/transfer_vec.h"

struct args {
	struct weft_part one;		/* of this rank */
	const struct weft_vec *all;	/* at the root */
	int root;
};

/* Others than the root know nothing but what they give or get themselves. */
static int read_sides(struct weft_comm *comm, const struct args *given,
		      struct wf_coll_call *c, bool gathers)
{
	struct weft_part *one = gathers ? &c->give : &c->get;
	struct weft_part *all = gathers ? &c->get : &c->give;
	const char *own = gathers ? "send" : "recv";
	int status;

	c->key.with.width = 1;
	c->key.root = given->root;
	c->most = UINT64_MAX;
	*one = given->one;
	status = wf_call_check_root(comm, c->key.call, given->root);
	if (status)
		return status;
	if (comm->rank != given->root) {
		status = wf_transfer_check(comm, c->key.call, own, one);
		if (!status)
			c->key.bytes = wf_part_bytes(one);
		return status;
	}
	status = wf_transfer_read_vec(comm, c, gathers ? "recv" : "send",
				      given->all, all);
	if (!status)
		status = wf_transfer_read_own(comm, c, own, all, one);
	if (!status)
		c->key.bytes = wf_transfer_vec_bytes(c, comm->rank);
	return status;
}

static int read_gatherv(struct weft_comm *comm, const void *args,
			struct wf_coll_call *c)
{
	int status;

	c->key.by = wf_coll_choose_varying(comm, WF_COLL_GATHER);
	status = read_sides(comm, args, c, true);
	if (status)
		return status;
	c->give_bytes = c->key.bytes;
	c->get_bytes = c->ends ? c->ends[comm->size - 1] : 0;
	return WEFT_OK;
}

static int read_scatterv(struct weft_comm *comm, const void *args,
			 struct wf_coll_call *c)
{
	int status;

	c->key.by = wf_coll_choose_varying(comm, WF_COLL_SCATTER);
	c->gives_parts = true;
	status = read_sides(comm, args, c, false);
	if (status)
		return status;
	c->give_bytes = c->ends ? c->ends[comm->size - 1] : 0;
	c->get_bytes = c->key.bytes;
	return WEFT_OK;
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
