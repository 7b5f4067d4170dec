/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Constant bytes of which the ranks of a node hold one copy.
 *
 * Who makes them first has them in a memfd, sealed against writing, and leaves
 * its pid and the descriptor in a word of the node, chosen by the content.  Who
 * wants the same maps that file, and compares: a word, a pid or a descriptor
 * may mean something else by now, and then another copy is made.  The memory
 * lives as long as anybody maps it, whoever of them dies, and has no name that
 * could be left behind.
 */
#ifndef WEFT_JOB_SHARED_H
#define WEFT_JOB_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weft_job;

enum {
	WF_SHARED_FDS = 64	/* of a rank, which a program wants, too */
};

struct wf_shared {
	void *base;		/* read only; NULL: nothing */
	size_t bytes;
	int fd;			/* of who made it, for the others; or -1 */
};

/* What is wanted: a number of the content, the same at all ranks. */
struct wf_shared_want {
	uint64_t print;
	size_t bytes;
	/* Are these bytes what is wanted?  They may be any. */
	bool (*is_it)(const void *base, const void *arg);
	int (*write)(void *base, const void *arg);
	const void *arg;
};

/*
 * WEFT_ERR_UNSUPPORTED, WEFT_ERR_PEER: no memory is shared here;
 * WEFT_ERR_NOMEM, also where this rank has WF_SHARED_FDS for others; or a
 * status of write().
 */
int wf_shared_get(struct weft_job *job, const struct wf_shared_want *want,
		  struct wf_shared *shared_p);
void wf_shared_drop(struct weft_job *job, struct wf_shared *shared);

#endif
