/* SPDX-License-Identifier: BSD-3-Clause */
/* Alltoall of any number of elements for each rank: the calls. */
#include <stdlib.h>
#include "base/zeroed.h"
#include "coll/pairs.h"
#include "coll/transfer.h"

struct args {
	const struct weft_vec *send, *recv;
};

/* In place the memory of what comes is that of what is given, too. */
static struct wf_vec_arg arg_of(struct weft_comm *comm,
				const struct wf_coll_call *c,
				const struct args *given, bool gives)
{
	bool sent = gives && !c->apart;

	return (struct wf_vec_arg){
		.job = comm->job, .call = c->key.call,
		.name = sent ? "send" : "recv",
		.vec = sent ? given->send : given->recv,
		.n = comm->size, .each = "rank"
	};
}

static int read_side(const struct wf_vec_arg *a, struct wf_coll_call *c,
		     bool gives)
{
	struct wf_extent *extent = c->pairs->at + (gives ? 0 : a->n);
	struct wf_vec_arg read = *a;
	int status = wf_vec_extents(&read, extent);

	if (!status)
		status = wf_vec_sum(a, extent, NULL);
	if (!status)
		(gives ? &c->give : &c->get)->base = a->vec->base;
	return status;
}

/* By a packed copy, part behind part; those given are there already. */
static void add_parts(const struct wf_vec_arg *a, struct wf_coll_call *c,
		      bool gives)
{
	struct wf_extent *extent = c->pairs->at + (gives ? 0 : a->n);

	wf_vec_parts(a, c->parts + c->ngiven);
	wf_vec_pack(extent, a->n);
	*(gives ? &c->ngiven : &c->ngot) = a->n;
}

/* What comes takes the place of what is given: that goes as a copy. */
static int stage(const struct wf_vec_arg *send, const struct wf_vec_arg *recv,
		 struct wf_coll_call *c)
{
	bool gives = c->apart || !wf_vec_is_dense(send->vec, send->n);
	bool gets = !wf_vec_is_dense(recv->vec, recv->n);

	if (!gives && !gets)
		return WEFT_OK;
	c->parts = wf_zeroed(2 * (size_t)send->n, sizeof(*c->parts));
	if (!c->parts)
		return WEFT_ERR_NOMEM;
	if (gives)
		add_parts(send, c, true);
	if (gets)
		add_parts(recv, c, false);
	return WEFT_OK;
}

/* Of what a rank has for itself both sides are its own. */
static int check_own(struct weft_comm *comm, const struct wf_coll_call *c)
{
	struct wf_extent give = wf_pair_extent(&c->key, true, comm->rank);
	struct wf_extent get = wf_pair_extent(&c->key, false, comm->rank);

	if (give.bytes == get.bytes)
		return WEFT_OK;
	return wf_job_fail_for(comm->job, WEFT_ARGUMENT_COUNT, WEFT_ERR_ARG,
			       "%s: send has %llu bytes for this rank, and "
			       "recv %llu", c->key.call,
			       (unsigned long long)give.bytes,
			       (unsigned long long)get.bytes);
}

/* Once both sides are known, others can hear of a lack of memory. */
static int read_sides(struct weft_comm *comm, const struct args *given,
		      struct wf_coll_call *c)
{
	const struct wf_vec_arg send = arg_of(comm, c, given, true);
	const struct wf_vec_arg recv = arg_of(comm, c, given, false);
	int status = read_side(&recv, c, false);

	if (!status)
		status = read_side(&send, c, true);
	if (status)
		return status;
	c->key.pairs = c->pairs;
	status = check_own(comm, c);
	return status ? status : stage(&send, &recv, c);
}

static int read_args(struct weft_comm *comm, const void *args,
		     struct wf_coll_call *c)
{
	const struct args *given = args;
	struct wf_vec_arg recv;
	int status;

	if (c->across) {
		*c->across = (struct wf_across_call){
			.kind = WF_ACROSS_ALLTOALL, .varies = true,
			.sends = given->send, .recvs = given->recv
		};
		return WEFT_OK;
	}
	c->key.by = wf_coll_choose(WF_COLL_PAIRS);
	c->key.with.width = 1;
	c->own_sizes = true;
	c->apart = given->send && given->send->base == WEFT_IN_PLACE;
	recv = arg_of(comm, c, given, false);
	status = wf_vec_check_base(&recv, "send->base");
	if (status)
		return status;
	c->pairs = wf_pair_extents_make(comm->size);
	return c->pairs ? read_sides(comm, given, c) : WEFT_ERR_NOMEM;
}

int weft_alltoallv(struct weft_comm *comm, const struct weft_vec *send,
		   const struct weft_vec *recv)
{
	const struct args args = { send, recv };

	return wf_call_block(comm, "weft_alltoallv", read_args, &args);
}

int weft_ialltoallv(struct weft_comm *comm, const struct weft_vec *send,
		    const struct weft_vec *recv, struct weft_request **req_p)
{
	const struct args args = { send, recv };

	return wf_call_once(comm, "weft_ialltoallv", read_args, &args, req_p);
}

int weft_alltoallv_init(struct weft_comm *comm, const struct weft_vec *send,
			const struct weft_vec *recv,
			struct weft_request **req_p)
{
	const struct args args = { send, recv };

	return wf_call_init(comm, "weft_alltoallv_init", read_args, &args,
			    req_p);
}
