/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather: the call. */
#include "coll/coll.h"

#include "type/type.h"

static int check_part(struct weft_comm *comm, const char *call,
		      const char *name, const struct weft_part *part)
{
	char type[16];

	if (!wf_type_serves(comm->job, part->type)) {
		snprintf(type, sizeof(type), "%s.type", name);
		return wf_type_refuse(comm->job, call, type, part->type);
	}
	if (part->count && !part->base && wf_type_bytes(part->type))
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
	if (__builtin_mul_overflow(recv->count, wf_type_bytes(recv->type),
				   &all) ||
	    __builtin_mul_overflow(all, (uint64_t)comm->size, &all) ||
	    all > INT64_MAX)
		return wf_job_fail_for(comm->job, WEFT_ARGUMENT_COUNT,
				       WEFT_ERR_RANGE, "%s: %zu elements of "
				       "%zu bytes from each of %d ranks exceed "
				       "2^63 bytes", call, recv->count,
				       wf_type_bytes(recv->type), comm->size);
	return WEFT_OK;
}

static int check_send(struct weft_comm *comm, const char *call,
		      const struct weft_part *send, uint64_t bytes)
{
	uint64_t sent;

	if (!__builtin_mul_overflow(send->count, wf_type_bytes(send->type),
				    &sent) && sent == bytes)
		return WEFT_OK;
	return wf_job_fail_for(comm->job, WEFT_ARGUMENT_COUNT, WEFT_ERR_ARG,
			       "%s: send has %zu elements of %zu bytes, and "
			       "recv %llu bytes for each rank", call,
			       send->count, wf_type_bytes(send->type),
			       (unsigned long long)bytes);
}

/* Between packed copies, of those that need one. */
struct copies {
	struct wf_staged *send, *recv;	/* NULL: elements are packed */
};

static int make_copy(struct weft_comm *comm, const struct weft_part *part,
		     uint64_t bytes, bool given, struct wf_staged **staged_p)
{
	if (part->type->dense || !bytes)
		return WEFT_OK;
	return wf_staged_make_one(comm->job, part, bytes, given, staged_p);
}

static void free_copies(const struct copies *copies)
{
	wf_staged_free(copies->send);
	wf_staged_free(copies->recv);
}

/* What is in place is gathered to where it is in the copy. */
static int run_packed(struct weft_comm *comm, const struct wf_coll_key *key,
		      const struct weft_part *send,
		      const struct weft_part *recv)
{
	uint64_t all = key->bytes * (uint64_t)comm->size;
	uint64_t own = key->bytes * (uint64_t)comm->rank;
	bool in_place = send->base == WEFT_IN_PLACE;
	struct copies copies = { NULL, NULL };
	int status = make_copy(comm, recv, all, false, &copies.recv);
	char *to = copies.recv ? copies.recv->packed : recv->base;
	const char *from = in_place ? to + own : send->base;

	if (!status && !in_place)
		status = make_copy(comm, send, key->bytes, true, &copies.send);
	if (status) {
		free_copies(&copies);
		return wf_coll_refuse(comm, key->call, status);
	}
	if (in_place) {
		wf_gather(recv->type, recv->base, own, to + own, key->bytes);
	} else if (copies.send) {
		wf_staged_gather(copies.send);
		from = copies.send->packed;
	}
	status = wf_coll_run(comm, key, all, from, to);
	if (!status && copies.recv)
		wf_staged_scatter(copies.recv, all);
	free_copies(&copies);
	return status;
}

static bool is_packed(const struct weft_part *send,
		      const struct weft_part *recv)
{
	return recv->type->dense &&
	       (send->base == WEFT_IN_PLACE || send->type->dense);
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
	key.bytes = recv.count * wf_type_bytes(recv.type);
	if (!in_place)
		status = check_send(comm, call, &send, key.bytes);
	if (status)
		return status;
	if (key.bytes && !is_packed(&send, &recv))
		return run_packed(comm, &key, &send, &recv);
	if (in_place)
		send.base = key.bytes ? (char *)recv.base + key.bytes *
					(uint64_t)comm->rank : recv.base;
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
