/* SPDX-License-Identifier: BSD-3-Clause */
/* Packing for the program: the calls, for both forms. */
#include <weft/pack.h>

#include "job/job.h"
#include "type/element.h"
#include "type/external.h"
#include "type/signature.h"
#include "type/type_made.h"

static size_t product(size_t count, size_t each)
{
	size_t bytes;

	return __builtin_mul_overflow(count, each, &bytes) ? SIZE_MAX : bytes;
}

size_t weft_pack_size(size_t count, const struct weft_type *type)
{
	return product(count, weft_type_size(type));
}

size_t weft_pack_external_size(size_t count, const struct weft_type *type)
{
	return product(count, type ? wf_signature_of(type).external : 0);
}

/* Elements and their packed bytes, which begin at *at_p. */
struct packing {
	struct weft_job *job;
	const char *call, *part;
	size_t (*size)(size_t count, const struct weft_type *type);
	const struct weft_part *elements;
	const void *packed;
	size_t bytes, *at_p;
	size_t moved;			/* bytes of the elements, packed */
};

static int check(struct packing *p)
{
	const struct weft_part *e = p->elements;

	if (!p->at_p)
		return wf_job_fail_null(p->job, p->call, "at_p");
	if (!wf_type_serves(p->job, e->type))
		return wf_type_refuse(p->job, p->call, p->part, e->type);
	p->moved = p->size(e->count, e->type);
	if (p->moved && e->count > PTRDIFF_MAX)
		return wf_type_refuse_count(p->job, p->call, e->count,
					    e->type);
	if (p->moved && !wf_type_lies_at(e->type, e->base))
		return wf_job_fail_for(p->job, WEFT_ARGUMENT_BUFFER,
				       WEFT_ERR_ARG, "%s: base is NULL with "
				       "%zu elements", p->call, e->count);
	if (p->moved && !p->packed)
		return wf_job_fail_null(p->job, p->call, "packed");
	if (*p->at_p <= p->bytes && p->moved <= p->bytes - *p->at_p &&
	    p->moved < SIZE_MAX)
		return WEFT_OK;
	return wf_job_fail_for(p->job, WEFT_ARGUMENT_COUNT, WEFT_ERR_RANGE,
			       "%s: %zu elements of %zu bytes do not fit "
			       "behind %zu of %zu packed bytes", p->call,
			       e->count, p->size(1, e->type), *p->at_p,
			       p->bytes);
}

/* The job is entered, if they may be moved. */
static int begin(struct packing *p)
{
	int status = p->job ? wf_job_ask(p->job) : WEFT_ERR_ARG;

	if (status)
		return status;
	status = check(p);
	if (status)
		wf_job_leave(p->job);
	return status;
}

static int end(const struct packing *p, int status)
{
	if (!status)
		*p->at_p += p->moved;
	else if (status == WEFT_ERR_NOMEM)
		wf_job_fail(p->job, status, "%s: no memory for the structs "
			    "within %s", p->call, p->part);
	else
		wf_job_fail_for(p->job, WEFT_ARGUMENT_BUFFER, status,
				"%s: a wide character is above 0xffff, and "
				"external32 has 2 bytes for one", p->call);
	wf_job_leave(p->job);
	return status;
}

/* ---- as they lie in memory ---- */

int weft_pack(struct weft_job *job, struct weft_part from, void *packed,
	      size_t bytes, size_t *at_p)
{
	struct packing p = {
		job, "weft_pack", "from.type", weft_pack_size, &from, packed,
		bytes, at_p, 0
	};
	int status = begin(&p);

	if (status)
		return status;
	if (p.moved)
		wf_gather(from.type, from.base, 0, (char *)packed + *at_p,
			  p.moved);
	return end(&p, WEFT_OK);
}

int weft_unpack(struct weft_job *job, const void *packed, size_t bytes,
		size_t *at_p, struct weft_part to)
{
	struct packing p = {
		job, "weft_unpack", "to.type", weft_pack_size, &to, packed,
		bytes, at_p, 0
	};
	int status = begin(&p);

	if (status)
		return status;
	if (p.moved)
		wf_scatter(to.type, to.base, 0, (const char *)packed + *at_p,
			   p.moved);
	return end(&p, WEFT_OK);
}

/* ---- as external32 ---- */

int weft_pack_external(struct weft_job *job, struct weft_part from,
		       void *packed, size_t bytes, size_t *at_p)
{
	struct packing p = {
		job, "weft_pack_external", "from.type",
		weft_pack_external_size, &from, packed, bytes, at_p, 0
	};
	int status = begin(&p);

	if (status)
		return status;
	if (p.moved)
		status = wf_external_pack(from.type, from.base, from.count,
					  (char *)packed + *at_p);
	return end(&p, status);
}

int weft_unpack_external(struct weft_job *job, const void *packed,
			 size_t bytes, size_t *at_p, struct weft_part to)
{
	struct packing p = {
		job, "weft_unpack_external", "to.type",
		weft_pack_external_size, &to, packed, bytes, at_p, 0
	};
	int status = begin(&p);

	if (status)
		return status;
	if (p.moved)
		status = wf_external_unpack(to.type, to.base, to.count,
					    (const char *)packed + *at_p);
	return end(&p, status);
}
