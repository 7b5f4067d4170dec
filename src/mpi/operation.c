/* SPDX-License-Identifier: BSD-3-Clause */
/* The predefined operations, by their handles. */
#include "mpi/mpi_handle.h"

#define OP(handle, name) [handle - WF_MPI_FIRST_OP] = &weft_op_##name

const struct weft_op *const wf_mpi_ops[WF_MPI_OPS] = {
	OP(0x21, sum),
	OP(0x22, min),
	OP(0x23, max),
	OP(0x24, prod),
	OP(0x28, band),
	OP(0x29, bor),
	OP(0x2a, bxor),
	OP(0x30, land),
	OP(0x31, lor),
	OP(0x32, lxor),
	OP(0x38, minloc),
	OP(0x39, maxloc),
	OP(0x3c, replace),
	OP(0x3d, no_op)
};
