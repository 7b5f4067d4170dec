/* SPDX-License-Identifier: BSD-3-Clause */
/* The table (type, operation) -> kernel: see kernel.h. */
#include "type/kernel.h"

#include "type/kernel_rows.h"
#include "type/op.h"
#include "type/type.h"

static const wf_kernel_row none;

#define ROW(row, suffix) [WF_TYPE_##row] = &wf_kernels_##suffix

static const wf_kernel_row *const rows[WF_TYPE_KINDS] = {
	ROW(BYTE, byte),
	[WF_TYPE_CHAR] = &none,
	[WF_TYPE_WCHAR] = &none,
	ROW(INT8, int8),
	ROW(UINT8, uint8),
	ROW(INT16, int16),
	ROW(UINT16, uint16),
	ROW(INT32, int32),
	ROW(UINT32, uint32),
	ROW(INT64, int64),
	ROW(UINT64, uint64),
	ROW(INT128, int128),
	ROW(FLOAT, float),
	ROW(DOUBLE, double),
	ROW(LONG_DOUBLE, long_double),
	ROW(COMPLEX_FLOAT, complex_float),
	ROW(COMPLEX_DOUBLE, complex_double),
	ROW(COMPLEX_LONG_DOUBLE, complex_long_double),
	ROW(BOOL, bool),
	ROW(FLOAT_INT, float_int),
	ROW(DOUBLE_INT, double_int),
	ROW(LONG_INT, long_int),
	ROW(2INT, 2int),
	ROW(SHORT_INT, short_int),
	ROW(LONG_DOUBLE_INT, long_double_int),
	ROW(2FLOAT, 2float),
	ROW(2DOUBLE, 2double),
	ROW(2INT64, 2int64),
	ROW(FLOAT_INT64, float_int64),
	ROW(DOUBLE_INT64, double_int64),
	ROW(LONG_DOUBLE_INT64, long_double_int64),
	[WF_TYPE_REMOTE] = &none,
	[WF_TYPE_DERIVED] = &none
};

wf_kernel wf_kernel_find(const struct weft_op *op,
			 const struct weft_type *type)
{
	return (*rows[type->kind])[op->kind];
}
