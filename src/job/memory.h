/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of the program that it has registered: see weft/mem.h. */
#ifndef WEFT_JOB_MEMORY_H
#define WEFT_JOB_MEMORY_H

#include <stdint.h>

struct weft_job;
struct wf_device;
struct wf_region;

/*
 * The registration with a device, or with any (NULL), that has all of it; NULL:
 * there is none.
 */
struct wf_region *wf_memory_find(const struct weft_job *job,
				 const struct wf_device *dev, const void *data,
				 uint64_t bytes);

#endif
