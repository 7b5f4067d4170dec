/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a datatype is inside the library.
 *
 * The basic types are constants of type.c: no state, no job, their addresses
 * are the handles. Duplicates (type_made.c) begin with the same struct and
 * belong to a job. Whoever moves data reads the size, the reduction kernels
 * read the kind; nobody keeps the address beyond a call.
 */
#ifndef WEFT_TYPE_TYPE_H
#define WEFT_TYPE_TYPE_H

#include <weft/type.h>

#include <stdbool.h>
#include <stddef.h>

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
	WF_TYPE_KINDS
};

/*
 * A program that takes the address of a constant has a copy of it, which the
 * linker makes of the size that the library had then: 128 bytes for ever.
 */
struct weft_type {
	size_t size;		/* bytes of one element, also its extent */
	enum wf_type_kind kind;
	bool made;		/* the first member of a struct wf_made_type */
	const char *name;
	char room[104];		/* for later members; zero */
};

_Static_assert(sizeof(struct weft_type) == 128, "linked into programs");

struct weft_job;

/* Those that the program did not free; their callbacks are not called. */
void wf_types_drop(struct weft_job *job);

#endif
