/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of calls that move elements: see transfer.h. */
#include "coll/transfer.h"

/* Of so many ranks together. */
static int check_size(struct weft_comm *comm, const char *call,
		      const struct weft_part *part, int ranks)
{
	uint64_t all;

	if (!__builtin_mul_overflow(part->count, wf_type_bytes(part->type),
				    &all) &&
	    !__builtin_mul_overflow(all, (uint64_t)ranks, &all) &&
	    all <= INT64_MAX)
		return WEFT_OK;
	return wf_job_fail_for(comm->job, WEFT_ARGUMENT_COUNT, WEFT_ERR_RANGE,
			       "%s: %zu elements of %zu bytes from each of %d "
			       "ranks exceed 2^63 bytes", call, part->count,
			       wf_type_bytes(part->type), ranks);
}

static int check(struct weft_comm *comm, const char *call, const char *name,
		 const struct weft_part *part, int ranks)
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
	if (part->base == WEFT_IN_PLACE)
		return wf_job_fail_for(comm->job, WEFT_ARGUMENT_BUFFER,
				       WEFT_ERR_ARG, "%s: %s.base is "
				       "WEFT_IN_PLACE, which it may not be "
				       "here", call, name);
	return check_size(comm, call, part, ranks);
}

int wf_transfer_check(struct weft_comm *comm, const char *call,
		      const char *name, const struct weft_part *part)
{
	return check(comm, call, name, part, 1);
}

int wf_transfer_check_all(struct weft_comm *comm, const char *call,
			  const char *name, const struct weft_part *part)
{
	return check(comm, call, name, part, comm->size);
}

int wf_transfer_check_equal(struct weft_comm *comm, const char *call,
			    const struct wf_transfer *given)
{
	const struct weft_part *send = &given->send, *recv = &given->recv;

	if (wf_part_bytes(send) == wf_part_bytes(recv))
		return WEFT_OK;
	return wf_job_fail_for(comm->job, WEFT_ARGUMENT_COUNT, WEFT_ERR_ARG,
			       "%s: send has %zu elements of %zu bytes, and "
			       "recv %llu bytes for each rank", call,
			       send->count, wf_type_bytes(send->type),
			       (unsigned long long)wf_part_bytes(recv));
}

struct weft_part wf_transfer_part(const struct weft_part *all, int rank)
{
	int64_t extent = wf_shape_extent(&all->type->shape);
	struct weft_part part = *all;

	/* As numbers: of zero bytes it may be NULL. */
	part.base = (void *)((uintptr_t)all->base + (uintptr_t)rank *
			     (uintptr_t)all->count * (uintptr_t)extent);
	return part;
}
