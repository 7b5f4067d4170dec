/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of the program that it has registered: see weft/mem.h. */
#ifndef WEFT_JOB_MEMORY_H
#define WEFT_JOB_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weft_job;
struct weft_mem;
struct wf_device;
struct wf_region;
struct wf_rloc;

/* What a call returns for which the segment just had no room: it fails so. */
int wf_memory_no_room(struct weft_job *job, const char *call, size_t bytes);

/*
 * By which peers of a device write it; false: not all of it is in one
 * registration, or the device makes no key of that.
 */
bool wf_memory_key(const struct weft_job *job, const struct wf_device *dev,
		   const void *data, uint64_t bytes, struct wf_rloc *to_p);

/* Has the program registered all of it, with one registration? */
bool wf_memory_is_known(const struct weft_job *job, const void *data,
			uint64_t bytes);

/*
 * A registration for one user, with the devices that gain by it; NULL: none
 * does, or one has no room for it.  Nobody else finds it, so the program may do
 * with this memory what it likes.
 */
struct weft_mem *wf_memory_pin(struct weft_job *job, void *base,
			       uint64_t bytes);
void wf_memory_unpin(struct weft_mem *mem);

/* With this device; NULL: it has none, or not of all these bytes. */
struct wf_region *wf_memory_region(const struct weft_mem *mem,
				   const struct wf_device *dev,
				   const void *data, uint64_t bytes);

#endif
