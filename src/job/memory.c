/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory for the user: blocks of the job's segment, and registrations of the
 * program's own memory with each device that knows such a thing.
 */
#include <stdlib.h>
#include <weft/mem.h>
#include "base/handle.h"
#include "base/lack.h"
#include "job/job.h"
#include "job/memory.h"

struct weft_mem {
	struct weft_job *job;
	struct wf_list link;		/* in job->memories */
	void *base;
	uint64_t bytes;
	int n;
	struct wf_region *region[WF_DEVICES];
};

int wf_memory_no_room(struct weft_job *job, const char *call, size_t bytes)
{
	char why[WF_LACK_TEXT];

	wf_segment_why(&job->segment, why, sizeof(why));
	return wf_job_fail(job, WEFT_ERR_NOMEM, "%s: no room for %zu bytes in "
			   "the arena: %s", call, bytes, why);
}

static int alloc(struct weft_job *job, size_t bytes, void **base_p)
{
	uint64_t offset;
	int status;

	if (!base_p)
		return wf_job_fail(job, WEFT_ERR_ARG,
				   "weft_mem_alloc: base_p is NULL");
	status = wf_segment_alloc_raw(&job->segment, bytes ? bytes : 1, 64,
				      &offset);
	if (status)
		return wf_memory_no_room(job, "weft_mem_alloc", bytes);
	wf_alloc_lend(&job->segment.blocks, offset);
	*base_p = wf_segment_at(&job->segment, offset);
	return WEFT_OK;
}

int weft_mem_alloc(struct weft_job *job, size_t bytes, void **base_p)
{
	int status = job ? wf_job_ask(job) : WEFT_ERR_ARG;

	if (status)
		return status;
	status = alloc(job, bytes, base_p);
	wf_job_leave(job);
	return status;
}

void weft_mem_free(struct weft_job *job, void *base)
{
	uint64_t offset;

	if (!job || !base || wf_job_ask(job))
		return;
	if (wf_segment_has(&job->segment, base, 1, &offset) &&
	    wf_alloc_take_back(&job->segment.blocks, offset))
		wf_segment_free(&job->segment, offset);
	else
		wf_error(&job->log, "weft_mem_free: no memory of "
			 "weft_mem_alloc() begins at %p; nothing was freed",
			 base);
	wf_job_leave(job);
}

static bool covers(const struct weft_mem *mem, const void *data, uint64_t bytes)
{
	uintptr_t offset = (uintptr_t)data - (uintptr_t)mem->base;

	return (uintptr_t)data >= (uintptr_t)mem->base &&
	       offset <= mem->bytes && bytes <= mem->bytes - offset;
}

struct wf_region *wf_memory_region(const struct weft_mem *mem,
				   const struct wf_device *dev,
				   const void *data, uint64_t bytes)
{
	if (covers(mem, data, bytes))
		for (int i = 0; i < mem->n; i++)
			if (mem->region[i]->dev == dev)
				return mem->region[i];
	return NULL;
}

static struct wf_region *find(const struct weft_job *job,
			      const struct wf_device *dev, const void *data,
			      uint64_t bytes)
{
	struct wf_region *region = NULL;

	for (struct wf_list *at = job->memories.next;
	     at != &job->memories && !region; at = at->next)
		region = wf_memory_region(wf_container(at, struct weft_mem,
						       link),
					  dev, data, bytes);
	return region;
}

bool wf_memory_key(const struct weft_job *job, const struct wf_device *dev,
		   const void *data, uint64_t bytes, struct wf_rloc *to_p)
{
	struct wf_region *region = find(job, dev, data, bytes);

	return region &&
	       !dev->ops->key(region, (uint64_t)((const char *)data -
						 (char *)region->base), to_p);
}

bool wf_memory_is_known(const struct weft_job *job, const void *data,
			uint64_t bytes)
{
	bool known = false;

	for (struct wf_list *at = job->memories.next;
	     at != &job->memories && !known; at = at->next)
		known = covers(wf_container(at, struct weft_mem, link), data,
			       bytes);
	return known;
}

static void unregister(struct weft_mem *mem)
{
	wf_list_del(&mem->link);
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

/* In no list yet, with no device; NULL: no memory. */
static struct weft_mem *make(struct weft_job *job, void *base, uint64_t bytes)
{
	struct weft_mem *mem = calloc(1, sizeof(*mem));

	if (!mem)
		return NULL;
	mem->job = job;
	mem->base = base;
	mem->bytes = bytes;
	wf_list_init(&mem->link);
	return mem;
}

static int register_range(struct weft_job *job, void *base, size_t bytes,
			  struct weft_mem **mem_p)
{
	struct weft_mem *mem;
	int status;

	if (!mem_p || (bytes && !base))
		return wf_job_fail(job, WEFT_ERR_ARG, "weft_mem_register: %s "
				   "is NULL", mem_p ? "base" : "mem_p");
	if (bytes > UINTPTR_MAX - (uintptr_t)base)
		return wf_job_fail(job, WEFT_ERR_ARG, "weft_mem_register: "
				   "%zu bytes at %p exceed the address space",
				   bytes, base);
	mem = make(job, base, bytes);
	if (!mem)
		return wf_job_fail(job, WEFT_ERR_NOMEM, "weft_mem_register: "
				   "no memory for the registration");
	wf_list_add_tail(&job->memories, &mem->link);
	status = register_all(mem, base, bytes);
	if (status)
		unregister(mem);
	else
		*mem_p = mem;
	return status;
}

static bool pin(struct weft_mem *mem)
{
	struct weft_job *job = mem->job;

	for (int i = 0; i < job->ndevs; i++) {
		struct wf_device *dev = job->dev[i];

		if (!(dev->caps & WF_CAP_REG_PAYS))
			continue;
		if (dev->ops->reg(dev, mem->base, mem->bytes,
				  &mem->region[mem->n]))
			return false;
		mem->region[mem->n++]->apart = true;
	}
	return mem->n;
}

struct weft_mem *wf_memory_pin(struct weft_job *job, void *base,
			       uint64_t bytes)
{
	struct weft_mem *mem = make(job, base, bytes);

	if (!mem || pin(mem))
		return mem;
	unregister(mem);
	return NULL;
}

void wf_memory_unpin(struct weft_mem *mem)
{
	if (mem)
		unregister(mem);
}

int weft_mem_register(struct weft_job *job, void *base, size_t bytes,
		      struct weft_mem **mem_p)
{
	int status = job ? wf_job_ask(job) : WEFT_ERR_ARG;

	wf_no_handle(mem_p);
	if (status)
		return status;
	status = register_range(job, base, bytes, mem_p);
	wf_job_leave(job);
	return status;
}

void weft_mem_unregister(struct weft_mem **mem_p)
{
	struct weft_job *job;

	if (!mem_p || !*mem_p)
		return;
	job = (*mem_p)->job;
	if (wf_job_ask(job))
		return;
	unregister(*mem_p);
	*mem_p = NULL;
	wf_job_leave(job);
}
