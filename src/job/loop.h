/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a rank lets a device do on its own segment.  A device that is the agent
 * of atomics does them for the owner, too; where the endpoint to oneself is of
 * another device (shared memory), it opens one more, when first needed.
 *
 * One op at a time; its result belongs to who asked for it.
 */
#ifndef WEFT_JOB_LOOP_H
#define WEFT_JOB_LOOP_H

#include <stdint.h>

struct weft_job;
struct wf_device;
struct wf_ep;
struct wf_word_op;

struct wf_loop {
	struct wf_ep *ep;		/* NULL: not open */
	struct wf_ep *opened;		/* the same, if it is its own */
	const void *user;		/* whose op is under way */
	uint64_t mark;			/* its post */
	uint64_t old;
};

/*
 * An atomic op on a word of the segment, by that device; to be called again by
 * the same user while it returns WEFT_INPROGRESS.  An error ends it.
 */
int wf_loop_do(struct weft_job *job, struct wf_device *dev, const void *user,
	       uint64_t offset, const struct wf_word_op *op, uint64_t *old_p);

/* This user asks no more, also where its op is under way. */
void wf_loop_forget(struct weft_job *job, const void *user);

void wf_loop_fini(struct weft_job *job);

#endif
