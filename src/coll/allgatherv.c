/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather of any number of elements from each rank: the calls. */
#include <stdlib.h>
#include "coll/transfer.h"
#include "plan/vec_arg.h"

struct args {
	struct weft_part send;
	const struct weft_vec *recv;
};

/* Packed, in the order of ranks; together they are less than 2^63. */
static int sum_bytes(const struct wf_vec_arg *a, const struct wf_extent *extent,
		     uint64_t *ends)
{
	uint64_t all = 0;

	for (int r = 0; r < a->n; r++) {
		all += extent[r].bytes;
		if (all > INT64_MAX)
			return wf_job_fail_for(a->job, WEFT_ARGUMENT_COUNT,
					       WEFT_ERR_RANGE, "%s: the ranks "
					       "of recv together exceed 2^63 "
					       "bytes", a->call);
		ends[r] = all;
	}
	return WEFT_OK;
}

/* One behind the other, in the order of ranks, without gaps? */
static bool is_row(const struct wf_vec_arg *a, const struct wf_extent *extent)
{
	int64_t next = extent[0].offset;

	if (a->gaps)
		return false;
	for (int r = 0; r < a->n; r++) {
		if (extent[r].bytes && extent[r].offset != next)
			return false;
		next += (int64_t)extent[r].bytes;
	}
	return true;
}

/* Of a row what is got is one part, else there is one for each rank. */
static int fill_got(const struct wf_vec_arg *a, const struct wf_extent *extent,
		    struct wf_coll_call *c)
{
	int64_t at = extent[0].offset;

	if (is_row(a, extent)) {
		/* as numbers: without bytes it may be NULL */
		c->get.base = (void *)((uintptr_t)a->vec->base + (uintptr_t)at);
		c->get.type = &weft_type_byte;
		return WEFT_OK;
	}
	c->parts = calloc((size_t)a->n + 1, sizeof(*c->parts));
	if (!c->parts)
		return WEFT_ERR_NOMEM;
	c->nparts = a->n;
	wf_vec_parts(a, extent, c->parts + 1);
	return WEFT_OK;
}

/* What is in place, where it is. */
static void give_own(const struct wf_coll_call *c, int me,
		     struct weft_part *give)
{
	if (c->parts)
		*give = weft_part(c->parts[me + 1].base, 0,
				  c->parts[me + 1].type);
	else
		*give = weft_part((uintptr_t)c->get.base +
				  (uintptr_t)wf_coll_before(&c->key, me), 0,
				  &weft_type_byte);
}

static int check_own(struct weft_comm *comm, const char *call,
		     const struct weft_part *send, uint64_t bytes)
{
	int status = wf_transfer_check(comm, call, "send", send);

	if (status || wf_part_bytes(send) == bytes)
		return status;
	return wf_job_fail_for(comm->job, WEFT_ARGUMENT_COUNT, WEFT_ERR_ARG,
			       "%s: send has %zu elements of %zu bytes, and "
			       "recv %llu bytes for this rank", call,
			       send->count, wf_type_bytes(send->type),
			       (unsigned long long)bytes);
}

static int read_recv(struct wf_vec_arg *a, struct wf_extent *extent,
		     struct wf_coll_call *c)
{
	int status = wf_vec_extents(a, extent);

	if (!status)
		status = sum_bytes(a, extent, c->ends);
	if (!status)
		status = fill_got(a, extent, c);
	if (status)
		return status;
	c->key.ends = c->ends;
	c->key.bytes = c->get_bytes = c->most = c->ends[a->n - 1];
	return WEFT_OK;
}

static int check_base(struct weft_comm *comm, const char *call,
		      const struct weft_vec *recv)
{
	if (!recv || recv->base != WEFT_IN_PLACE)
		return WEFT_OK;
	return wf_job_fail_for(comm->job, WEFT_ARGUMENT_BUFFER, WEFT_ERR_ARG,
			       "%s: recv->base is WEFT_IN_PLACE, which only "
			       "send.base may be", call);
}

static int read_args(struct weft_comm *comm, const void *args,
		     struct wf_coll_call *c)
{
	const struct args *given = args;
	struct wf_vec_arg a = {
		.job = comm->job, .call = c->key.call, .name = "recv",
		.vec = given->recv, .n = comm->size, .each = "rank"
	};
	struct wf_extent *extent = malloc((size_t)comm->size * sizeof(*extent));
	bool in_place = given->send.base == WEFT_IN_PLACE;
	int status = check_base(comm, a.call, a.vec);

	c->key.by = wf_coll_choose(WF_COLL_ALLGATHER);
	c->key.with.width = 1;
	c->ends = malloc((size_t)comm->size * sizeof(*c->ends));
	if (!status && (!extent || !c->ends))
		status = WEFT_ERR_NOMEM;
	if (!status)
		status = read_recv(&a, extent, c);
	if (!status) {
		c->give_bytes = extent[comm->rank].bytes;
		c->give = given->send;
		if (in_place)
			give_own(c, comm->rank, &c->give);
		else
			status = check_own(comm, a.call, &c->give,
					   c->give_bytes);
	}
	free(extent);
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
