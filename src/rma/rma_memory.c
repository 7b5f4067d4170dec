/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The own part of a region: a block of the segment, which every transport
 * reaches, or memory of the program, which each has to take.
 */
#include "job/memory.h"
#include "rma/rma.h"

/* Room in the segment; an empty part has an address, too. */
static int allocate(struct weft_job *job, const char *call, size_t bytes,
		    struct wf_rma_memory *m)
{
	int status = wf_segment_alloc(&job->segment, bytes ? bytes : 1,
				      WF_ALLOC_UNIT, &m->offset);

	if (status)
		return wf_memory_no_room(job, call, bytes);
	m->allocated = true;
	m->base = wf_segment_at(&job->segment, m->offset);
	return WEFT_OK;
}

static int take(struct weft_job *job, const char *call,
		struct wf_rma_memory *m)
{
	for (int i = 0; i < job->ndevs; i++) {
		struct wf_device *dev = job->dev[i];
		struct wf_rloc at;
		int status = dev->ops->reg(dev, m->base, m->bytes,
					   &m->reg[i]);

		if (status)
			return wf_job_fail(job, status, "%s: %zu bytes at %p "
					   "refused by %s", call, m->bytes,
					   m->base, dev->ops->name);
		m->nregs++;
		status = wf_rma_memory_key(m, dev, &at);
		if (status)
			return wf_job_fail(job, status, "%s: %s gives peers "
					   "no access to memory of the "
					   "program, as %p; pass base NULL, "
					   "or choose others by "
					   "WEFT_TRANSPORT (for shm: "
					   "WEFT_CMA=y)", call,
					   dev->ops->name, m->base);
	}
	return WEFT_OK;
}

static int take_memory(struct weft_job *job, const char *call, void *base,
		       size_t bytes, struct wf_rma_memory *m)
{
	uint64_t offset;
	int status;

	if (bytes > UINTPTR_MAX - (uintptr_t)base)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: %zu bytes at base "
				   "%p exceed the address space", call, bytes,
				   base);
	if (wf_segment_has(&job->segment, base, 1, &offset))
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: base %p is memory "
				   "of weft_mem_alloc(): pass NULL, and weft "
				   "allocates it", call, base);
	m->base = base;
	status = take(job, call, m);
	if (status)
		wf_rma_memory_fini(job, m, false);
	return status;
}

int wf_rma_memory_init(struct weft_job *job, const char *call, void *base,
		       size_t bytes, struct wf_rma_memory *m)
{
	m->bytes = bytes;
	if (base && bytes)
		return take_memory(job, call, base, bytes, m);
	return allocate(job, call, bytes, m);
}

void wf_rma_memory_fini(struct weft_job *job, struct wf_rma_memory *m,
			bool kept)
{
	while (m->nregs) {
		struct wf_region *r = m->reg[--m->nregs];

		r->dev->ops->release(r);
	}
	if (m->allocated && !kept)
		wf_segment_free(&job->segment, m->offset);
	m->allocated = false;
}

int wf_rma_memory_key(struct wf_rma_memory *m, struct wf_device *dev,
		      struct wf_rloc *at_p)
{
	int status = WEFT_ERR_UNSUPPORTED;

	if (m->allocated)
		return dev->ops->key(&dev->arena, m->offset, at_p);
	for (int i = 0; i < m->nregs; i++)
		if (m->reg[i]->dev == dev)
			status = dev->ops->key(m->reg[i], 0, at_p);
	if (status == WEFT_ERR_UNSUPPORTED && dev->caps & WF_CAP_ANYWHERE)
		status = dev->ops->key(&dev->anywhere, (uintptr_t)m->base,
				       at_p);
	return status;
}
