/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory for the user: blocks of the job's segment, and registrations of the
 * program's own memory with each device that knows such a thing.
 */
#include <stdlib.h>
#include <weft/mem.h>
#include "job/job.h"

struct weft_mem {
	struct weft_job *job;
	int n;
	struct wf_region *region[WF_DEVICES];
};

int weft_mem_alloc(struct weft_job *job, size_t bytes, void **base_p)
{
	uint64_t offset;
	int status;

	if (!job || !base_p)
		return WEFT_ERR_ARG;
	status = wf_job_enter(job);
	if (status)
		return status;
	status = wf_segment_alloc_raw(&job->segment, bytes ? bytes : 1, 64,
				      &offset);
	if (status)
		wf_job_fail(job, status, "weft_mem_alloc: no room for %zu "
			    "bytes in the arena; raise WEFT_ARENA_MAX", bytes);
	else
		*base_p = wf_segment_at(&job->segment, offset);
	wf_job_leave(job);
	return status;
}

void weft_mem_free(struct weft_job *job, void *base)
{
	uint64_t offset;

	if (!job || !base || wf_job_enter(job))
		return;
	if (wf_segment_has(&job->segment, base, 1, &offset))
		wf_segment_free(&job->segment, offset);
	wf_job_leave(job);
}

static void unregister(struct weft_mem *mem)
{
	while (mem->n) {
		struct wf_region *r = mem->region[--mem->n];

		r->dev->ops->release(r);
	}
	free(mem);
}

static int register_all(struct weft_mem *mem, void *base, size_t bytes)
{
	struct weft_job *job = mem->job;

	for (int i = 0; i < job->ndevs; i++) {
		struct wf_device *dev = job->dev[i];
		int status = dev->ops->reg(dev, base, bytes,
					   &mem->region[mem->n]);

		if (status)
			return wf_job_fail(job, status, "weft_mem_register: "
					   "%zu bytes at %p refused by %s",
					   bytes, base, dev->ops->name);
		mem->n++;
	}
	return WEFT_OK;
}

int weft_mem_register(struct weft_job *job, void *base, size_t bytes,
		      struct weft_mem **mem_p)
{
	struct weft_mem *mem;
	int status;

	if (!job || !mem_p || (bytes && !base))
		return WEFT_ERR_ARG;
	status = wf_job_enter(job);
	if (status)
		return status;
	mem = calloc(1, sizeof(*mem));
	status = WEFT_ERR_NOMEM;
	if (mem) {
		mem->job = job;
		status = register_all(mem, base, bytes);
	}
	if (!status)
		*mem_p = mem;
	else if (mem)
		unregister(mem);
	wf_job_leave(job);
	return status;
}

void weft_mem_unregister(struct weft_mem **mem_p)
{
	struct weft_job *job;

	if (!mem_p || !*mem_p)
		return;
	job = (*mem_p)->job;
	if (wf_job_enter(job))
		return;
	unregister(*mem_p);
	*mem_p = NULL;
	wf_job_leave(job);
}
