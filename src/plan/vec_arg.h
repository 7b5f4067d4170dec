/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of the program in parts, one for each edge or rank (struct weft_vec):
 * checked, and turned into extents in bytes.
 */
#ifndef WEFT_PLAN_VEC_ARG_H
#define WEFT_PLAN_VEC_ARG_H

#include <weft/vec.h>
#include "job/job.h"
#include "plan/staged.h"

/* Where one part lies in the buffer of a call. */
struct wf_extent {
	int64_t offset;
	uint64_t bytes;
};

/* One vector of a call, and how errors name it. */
struct wf_vec_arg {
	struct weft_job *job;
	const char *call, *name;
	const struct weft_vec *vec;
	int n;				/* parts */
	const char *each;		/* of an "edge", or a "rank" */
	bool gaps;			/* in elements, or between them */
};

/*
 * Where elements are packed, places in the memory of the program; else, and
 * then gaps is set, in a packed copy, part behind part.  An error is told.
 */
int wf_vec_extents(struct wf_vec_arg *a, struct wf_extent *extent);

/* Is it in place, which only another argument may be? */
int wf_vec_check_base(const struct wf_vec_arg *a, const char *only);

/*
 * Where each part ends, packed, NULL: nobody asks; together they are less than
 * 2^63, or an error is told.
 */
int wf_vec_sum(const struct wf_vec_arg *a, const struct wf_extent *extent,
	       uint64_t *ends);

/* Part behind part; they were summed. */
void wf_vec_pack(struct wf_extent *extent, int n);

/* For a packed copy, one part or all; they were checked. */
struct wf_staged_part wf_vec_part(const struct wf_vec_arg *a, int i);
void wf_vec_parts(const struct wf_vec_arg *a, struct wf_staged_part *part);

/* Are the elements of all n parts packed? */
bool wf_vec_is_dense(const struct weft_vec *vec, int n);

#endif
