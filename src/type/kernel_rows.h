/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels of each type, in the columns of enum wf_op_kind: a row for each
 * class of types as MPI 4.1 has it (6.9.2), NULL where an operation is not
 * defined for the class.
 */
#ifndef WEFT_TYPE_KERNEL_ROWS_H
#define WEFT_TYPE_KERNEL_ROWS_H

#include "type/kernel.h"
#include "type/op.h"

typedef wf_kernel wf_kernel_row[WF_OP_KINDS];

/* kernel_integer.c */
extern const wf_kernel_row wf_kernels_int8, wf_kernels_uint8, wf_kernels_int16,
	wf_kernels_uint16, wf_kernels_int32, wf_kernels_uint32,
	wf_kernels_int64, wf_kernels_uint64, wf_kernels_int128,
	wf_kernels_bool, wf_kernels_byte;

/* kernel_float.c */
extern const wf_kernel_row wf_kernels_float, wf_kernels_double,
	wf_kernels_long_double, wf_kernels_complex_float,
	wf_kernels_complex_double, wf_kernels_complex_long_double;

/* kernel_pair.c */
extern const wf_kernel_row wf_kernels_float_int, wf_kernels_double_int,
	wf_kernels_long_int, wf_kernels_2int, wf_kernels_short_int,
	wf_kernels_long_double_int, wf_kernels_2float, wf_kernels_2double,
	wf_kernels_2int64, wf_kernels_float_int64, wf_kernels_double_int64,
	wf_kernels_long_double_int64;

#endif
