/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels of elements that lie anywhere: see kernel_at.h.  Of kernel_loops.h
 * the operators alone are used: elements may be the same ones.
 */
#include "type/kernel_at.h"

#include <stdint.h>
#include "type/type.h"
#include "type/kernel_loops.h"

#define AT(name, type, wide, OP)                                           \
	static void name(void *base, const uint32_t *at, uint32_t mask,    \
			 const void *right, size_t n)                      \
	{                                                                  \
		const type *b = right;                                     \
									   \
		for (size_t i = 0; i < n; i++) {                           \
			type *a = (type *)base + (at[i] & mask);           \
									   \
			*a = (type)OP(wide, *a, b[i]);                     \
		}                                                          \
	}

#define NUMBER(suffix, type, wide)          \
	AT(sum_##suffix, type, wide, SUM)   \
	AT(min_##suffix, type, wide, MIN)   \
	AT(max_##suffix, type, wide, MAX)

NUMBER(int8, int8_t, uint8_t)
NUMBER(int32, int32_t, uint32_t)
NUMBER(int64, int64_t, uint64_t)
NUMBER(uint32, uint32_t, uint32_t)
NUMBER(uint64, uint64_t, uint64_t)
NUMBER(float, float, float)
NUMBER(double, double, double)

#define ROW(kind, suffix)                   \
	[WF_TYPE_##kind] = {                \
		[WF_OP_SUM] = sum_##suffix, \
		[WF_OP_MIN] = min_##suffix, \
		[WF_OP_MAX] = max_##suffix  \
	}

static const wf_kernel_at rows[WF_TYPE_KINDS][WF_OP_KINDS] = {
	ROW(INT8, int8), ROW(INT32, int32), ROW(INT64, int64),
	ROW(UINT32, uint32), ROW(UINT64, uint64),
	ROW(FLOAT, float), ROW(DOUBLE, double)
};

wf_kernel_at wf_kernel_at_find(const struct weft_op *op,
			       const struct weft_type *type)
{
	return rows[type->kind][op->kind];
}
