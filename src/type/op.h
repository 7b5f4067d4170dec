/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a reduction operation is inside the library.
 *
 * The predefined ones are constants of op.c. An operation alone does not say
 * how to compute: wf_kernel_find() joins it with a type. Those of the program
 * (op_made.h) begin with the same struct and belong to a job.
 */
#ifndef WEFT_TYPE_OP_H
#define WEFT_TYPE_OP_H

#include <weft/op.h>

#include <stdbool.h>

/* Columns of the kernel tables; the last three have no kernels. */
enum wf_op_kind {
	WF_OP_SUM,
	WF_OP_PROD,
	WF_OP_MIN,
	WF_OP_MAX,
	WF_OP_LAND,
	WF_OP_LOR,
	WF_OP_LXOR,
	WF_OP_BAND,
	WF_OP_BOR,
	WF_OP_BXOR,
	WF_OP_MINLOC,
	WF_OP_MAXLOC,
	WF_OP_REPLACE,
	WF_OP_NO_OP,
	WF_OP_MADE,		/* by the program */
	WF_OP_KINDS
};

/* 64 bytes for ever, as struct weft_type has its 128. */
struct weft_op {
	enum wf_op_kind kind;
	bool commute;		/* a schedule may exchange operands */
	const char *name;
	char room[48];		/* for later members; zero */
};

_Static_assert(sizeof(struct weft_op) == 64, "linked into programs");

#endif
