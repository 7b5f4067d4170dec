/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a datatype is inside the library.
 *
 * The basic types are constants of type.c: no state, no job, their addresses
 * are the handles.  Those of the program (type_made.c) begin with the same
 * struct and belong to a job.  Who moves data reads the shape, the reduction
 * kernels read the kind.
 */
#ifndef WEFT_TYPE_TYPE_H
#define WEFT_TYPE_TYPE_H

#include <weft/type.h>

#include "type/shape.h"

/* Rows of the kernel tables. */
enum wf_type_kind {
	WF_TYPE_BYTE,
	WF_TYPE_CHAR,
	WF_TYPE_WCHAR,
	WF_TYPE_INT8,
	WF_TYPE_UINT8,
	WF_TYPE_INT16,
	WF_TYPE_UINT16,
	WF_TYPE_INT32,
	WF_TYPE_UINT32,
	WF_TYPE_INT64,
	WF_TYPE_UINT64,
	WF_TYPE_INT128,
	WF_TYPE_FLOAT,
	WF_TYPE_DOUBLE,
	WF_TYPE_LONG_DOUBLE,
	WF_TYPE_COMPLEX_FLOAT,
	WF_TYPE_COMPLEX_DOUBLE,
	WF_TYPE_COMPLEX_LONG_DOUBLE,
	WF_TYPE_BOOL,
	WF_TYPE_FLOAT_INT,
	WF_TYPE_DOUBLE_INT,
	WF_TYPE_LONG_INT,
	WF_TYPE_2INT,
	WF_TYPE_SHORT_INT,
	WF_TYPE_LONG_DOUBLE_INT,
	WF_TYPE_2FLOAT,
	WF_TYPE_2DOUBLE,
	WF_TYPE_2INT64,
	WF_TYPE_FLOAT_INT64,
	WF_TYPE_DOUBLE_INT64,
	WF_TYPE_LONG_DOUBLE_INT64,
	WF_TYPE_REMOTE,			/* no operations */
	WF_TYPE_DERIVED,		/* no operations but the program's */
	WF_TYPE_KINDS
};

/* Whose jobs may move elements with it? */
enum wf_type_use {
	WF_TYPE_NOBODYS,		/* not committed, or freed */
	WF_TYPE_ANYBODYS,		/* a constant */
	WF_TYPE_ITS_JOBS
};

/*
 * A program that takes the address of a constant has a copy of it, which the
 * linker makes of the size that the library had then: 128 bytes for ever.
 */
struct weft_type {
	struct wf_shape shape;
	enum wf_type_kind kind;
	enum wf_type_use use;
	bool made;		/* the first member of a struct wf_made_type */
	bool dense;		/* elements are packed where they lie */
	const char *name;
	char room[40];		/* for later members; zero */
};

_Static_assert(sizeof(struct weft_type) == 128, "linked into programs");

/* Bytes of an element, packed. */
static inline size_t wf_type_bytes(const struct weft_type *type)
{
	return type->shape.content.bytes;
}

/* No memory of a program lies below. */
#define WF_FIRST_ADDRESS 4096

/*
 * May elements lie from base on? From NULL on those do that have no bytes, or
 * whose offsets are addresses.
 */
static inline bool wf_type_lies_at(const struct weft_type *type,
				   const void *base)
{
	return base || !wf_type_bytes(type) ||
	       type->shape.true_lb >= WF_FIRST_ADDRESS;
}

/* Of the first one of a pair; 0: of that kind no element is one. */
size_t wf_type_value_bytes(enum wf_type_kind kind);

struct weft_job;

/* Those that the program did not free; their callbacks are not called. */
void wf_types_drop(struct weft_job *job);

#endif
