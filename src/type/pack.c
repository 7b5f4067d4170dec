/* SPDX-License-Identifier: BSD-3-Clause */
/* Packing for the program: the calls. */
#include <weft/pack.h>

#include "job/job.h"
#include "type/element.h"
#include "type/type_made.h"

size_t weft_pack_size(size_t count, const struct weft_type *type)
{
	size_t bytes;

	return __builtin_mul_overflow(count, weft_type_size(type), &bytes) ?
	       SIZE_MAX : bytes;
}

/* Elements and their packed bytes, which begin at *at_p. */
struct packing {
	struct weft_job *job;
	const char *call, *part;
	const struct weft_part *elements;
	const void *packed;
	size_t bytes, *at_p;
	size_t moved;			/* bytes of the elements */
};

static int check(struct packing *p)
{
	const struct weft_part *e = p->elements;

	if (!p->at_p)
		return wf_job_fail_null(p->job, p->call, "at_p");
	if (!wf_type_serves(p->job, e->type))
		return wf_type_refuse(p->job, p->call, p->part, e->type);
	p->moved = weft_pack_size(e->count, e->type);
	if (p->moved && !e->base)
		return wf_job_fail_for(p->job, WEFT_ARGUMENT_BUFFER,
				       WEFT_ERR_ARG, "%s: base is NULL with "
				       "%zu elements", p->call, e->count);
	if (p->moved && !p->packed)
		return wf_job_fail_null(p->job, p->call, "packed");
	if (*p->at_p <= p->bytes && p->moved <= p->bytes - *p->at_p)
		return WEFT_OK;
	return wf_job_fail_for(p->job, WEFT_ARGUMENT_COUNT, WEFT_ERR_RANGE,
			       "%s: %zu elements of %zu bytes do not fit "
			       "behind %zu of %zu packed bytes", p->call,
			       e->count, wf_type_bytes(e->type), *p->at_p,
			       p->bytes);
}

int weft_pack(struct weft_job *job, struct weft_part from, void *packed,
	      size_t bytes, size_t *at_p)
{
	struct packing p = {
		job, "weft_pack", "from.type", &from, packed, bytes, at_p, 0
	};
	int status = job ? wf_job_ask(job) : WEFT_ERR_ARG;

	if (status)
		return status;
	status = check(&p);
	if (!status && p.moved) {
		wf_gather(from.type, from.base, 0, (char *)packed + *at_p,
			  p.moved);
		*at_p += p.moved;
	}
	wf_job_leave(job);
	return status;
}

int weft_unpack(struct weft_job *job, const void *packed, size_t bytes,
		size_t *at_p, struct weft_part to)
{
	struct packing p = {
		job, "weft_unpack", "to.type", &to, packed, bytes, at_p, 0
	};
	int status = job ? wf_job_ask(job) : WEFT_ERR_ARG;

	if (status)
		return status;
	status = check(&p);
	if (!status && p.moved) {
		wf_scatter(to.type, to.base, 0, (const char *)packed + *at_p,
			   p.moved);
		*at_p += p.moved;
	}
	wf_job_leave(job);
	return status;
}
