/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An operation that the program made: an object of a job, whose function the
 * engine calls.  Plans that are kept hold it.
 */
#ifndef WEFT_TYPE_OP_MADE_H
#define WEFT_TYPE_OP_MADE_H

#include "base/list.h"
#include "type/op.h"

struct weft_job;
struct weft_type;

struct wf_made_op {
	struct weft_op op;		/* first: its address is the handle */
	struct weft_job *job;
	struct wf_list link;		/* in the job's */
	weft_op_function *call;
	void *arg;
	size_t unit;			/* elements, 1 or more */
	void *userdata;
	void *image;			/* of operands (op_image.c) */
	size_t image_bytes;
	int refs;			/* the user's, and those of plans */
	bool freed;
};

/* NULL: a predefined one. */
static inline struct wf_made_op *wf_op_made(const struct weft_op *op)
{
	return op->kind == WF_OP_MADE ? (struct wf_made_op *)op : NULL;
}

/* right = left op right, n elements as they lie; the job is entered. */
void wf_op_call(const struct wf_made_op *made, const struct weft_type *type,
		const void *left, void *right, size_t n);

/* Of n elements with gaps so many at once: whole units. */
size_t wf_op_batch(const struct wf_made_op *made, const struct weft_type *type,
		   size_t n);

/*
 * The same of packed ones, of a type that is not dense, once there is room for
 * so many, or more; WEFT_ERR_NOMEM.
 */
int wf_op_reserve(struct wf_made_op *made, const struct weft_type *type,
		  size_t n);
void wf_op_call_packed(const struct wf_made_op *made,
		       const struct weft_type *type, const void *left,
		       void *right, size_t n);

void wf_op_drop(struct wf_made_op *made);

/* Those that the program did not free. */
void wf_ops_drop(struct weft_job *job);

#endif
