/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of the program that it has registered: see weft/mem.h. */
#ifndef WEFT_JOB_MEMORY_H
#define WEFT_JOB_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

struct weft_job;
struct wf_device;
struct wf_rloc;

/*
 * By which peers of a device write it; false: not all of it is in one
 * registration, or the device makes no key of that.
 */
bool wf_memory_key(const struct weft_job *job, const struct wf_device *dev,
		   const void *data, uint64_t bytes, struct wf_rloc *to_p);

#endif
