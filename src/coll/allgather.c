/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather: the call. */
#include "coll/coll.h"

#include "type/type.h"

static int check_part(struct weft_comm *comm, const char *call,
		      const char *name, const struct weft_part *part)
{
	if (!part->type)
		return wf_job_fail_for(comm->job, WEFT_ARGUMENT_TYPE,
				       WEFT_ERR_ARG, "%s: %s.type is NULL",
				       call, name);
	if (part->count && !part->base)
		return wf_job_fail_for(comm->job, WEFT_ARGUMENT_BUFFER,
				       WEFT_ERR_ARG, "%s: %s.base is NULL with "
				       "%zu elements", call, name,
				       part->count);
	return WEFT_OK;
}

/* Of all ranks together. */
static int check_recv(struct weft_comm *comm, const char *call,
		      const struct weft_part *recv)
{
	uint64_t all;

	if (recv->base == WEFT_IN_PLACE)
		return wf_job_fail_for(comm->job, WEFT_ARGUMENT_BUFFER,
				       WEFT_ERR_ARG, "%s: recv.base is "
				       "WEFT_IN_PLACE, which only send.base "
				       "may be", call);
	if (__builtin_mul_overflow(recv->count, recv->type->size, &all) ||
	    __builtin_mul_overflow(all, (uint64_t)comm->size, &all) ||
	    all > INT64_MAX)
		return wf_job_fail_for(comm->job, WEFT_ARGUMENT_COUNT,
				       WEFT_ERR_RANGE, "%s: %zu elements of "
				       "%zu bytes from each of %d ranks exceed "
				       "2^63 bytes", call, recv->count,
				       recv->type->size, comm->size);
	return WEFT_OK;
}

static int check_send(struct weft_comm *comm, const char *call,
		      const struct weft_part *send, uint64_t bytes)
{
	uint64_t sent;

	if (!__builtin_mul_overflow(send->count, send->type->size, &sent) &&
	    sent == bytes)
		return WEFT_OK;
	return wf_job_fail_for(comm->job, WEFT_ARGUMENT_COUNT, WEFT_ERR_ARG,
			       "%s: send has %zu elements of %zu bytes, and "
			       "recv %llu bytes for each rank", call,
			       send->count, send->type->size,
			       (unsigned long long)bytes);
}

int wf_allgather(struct weft_comm *comm, const char *call,
		 struct weft_part send, struct weft_part recv)
{
	struct wf_coll_key key = {
		.call = call, .build = wf_allgather_build, .with.width = 1
	};
	bool in_place = send.base == WEFT_IN_PLACE;
	int status = in_place ? WEFT_OK :
				check_part(comm, call, "send", &send);

	if (!status)
		status = check_part(comm, call, "recv", &recv);
	if (!status)
		status = check_recv(comm, call, &recv);
	if (status)
		return status;
	key.bytes = recv.count * recv.type->size;
	if (in_place)
		send.base = key.bytes ? (char *)recv.base + key.bytes *
					(uint64_t)comm->rank : recv.base;
	else
		status = check_send(comm, call, &send, key.bytes);
	if (status)
		return status;
	return wf_coll_run(comm, &key, key.bytes * (uint64_t)comm->size,
			   send.base, recv.base);
}

int weft_allgather(struct weft_comm *comm, struct weft_part send,
		   struct weft_part recv)
{
	int status = wf_comm_enter(comm);

	if (status)
		return status;
	wf_comm_hold(comm);
	status = wf_allgather(comm, "weft_allgather", send, recv);
	return wf_comm_leave_held(comm, status);
}
