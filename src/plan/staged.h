/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A packed copy of memory of the program whose elements are not packed: what
 * is sent is gathered into it before, what has come is scattered from it
 * afterwards, and no gap between elements is written to.  It lies in the arena
 * where that has room, so that peers write to it.
 */
#ifndef WEFT_PLAN_STAGED_H
#define WEFT_PLAN_STAGED_H

#include "job/job.h"
#include "type/element.h"
#include "type/type_made.h"

/* Elements side by side. */
struct wf_staged_part {
	const struct weft_type *type;
	char *base;
	uint64_t bytes;			/* packed */
	uint64_t at;			/* in the copy: wf_staged_make() */
};

struct wf_staged {
	struct weft_job *job;
	char *packed;			/* the parts, one behind the other */
	uint64_t offset;		/* of it in the arena, if it is there */
	bool in_arena;
	bool by_edge;			/* part i is that of edge i */
	int n;
	struct wf_staged_part part[];
};

/* Of n parts, whose types it holds; WEFT_ERR_NOMEM. */
int wf_staged_make(struct weft_job *job, const struct wf_staged_part *part,
		   int n, struct wf_staged **staged_p);
void wf_staged_free(struct wf_staged *staged);

/* All of it, or the first bytes, or one part. */
void wf_staged_gather(const struct wf_staged *staged);
void wf_staged_scatter(const struct wf_staged *staged, uint64_t bytes);
void wf_staged_scatter_part(const struct wf_staged *staged, int i);

#endif
