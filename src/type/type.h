/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a datatype is inside the library.
 *
 * The basic types are constants of type.c: no state, no job, their addresses
 * are the handles. Whoever moves data reads the size, the reduction kernels
 * read the kind.
 */
#ifndef WEFT_TYPE_TYPE_H
#define WEFT_TYPE_TYPE_H

#include <weft/type.h>

#include <stddef.h>

/* Rows of the kernel table; BYTE and CHAR have no arithmetic. */
enum wf_type_kind {
	WF_TYPE_BYTE,
	WF_TYPE_CHAR,
	WF_TYPE_INT8,
	WF_TYPE_UINT8,
	WF_TYPE_INT16,
	WF_TYPE_UINT16,
	WF_TYPE_INT32,
	WF_TYPE_UINT32,
	WF_TYPE_INT64,
	WF_TYPE_UINT64,
	WF_TYPE_FLOAT,
	WF_TYPE_DOUBLE,
	WF_TYPE_KINDS
};

struct weft_type {
	size_t size;		/* bytes of one element, also its extent */
	enum wf_type_kind kind;
	const char *name;
};

#endif
