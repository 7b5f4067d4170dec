/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of the program in one part (struct weft_part), or in a row of blocks
 * of so many elements, one for each edge or rank: checked.
 */
#ifndef WEFT_PLAN_PART_ARG_H
#define WEFT_PLAN_PART_ARG_H

#include <weft/vec.h>
#include "job/job.h"
#include "type/type_made.h"

/* One part of a call, and how errors name it. */
struct wf_part_arg {
	struct weft_job *job;
	const char *call, *name;
	const struct weft_part *part;
	int n;				/* blocks in a row */
	const char *each;		/* of an "edge", or a "rank" */
};

/* Its type, base and size; an error is told. */
int wf_part_check(const struct wf_part_arg *a);

/* Packed, of one block of what was checked. */
static inline uint64_t wf_part_bytes(const struct weft_part *part)
{
	return part->count * wf_type_bytes(part->type);
}

/* The i-th block of a row. */
struct weft_part wf_part_block(const struct weft_part *row, int i);

#endif
