/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reduction kernels for the basic types.
 *
 * Owns the table (operation, type) -> loop. Called by whoever plans a
 * reduction. The rule that keeps it correct: element i of the result depends
 * on elements i of the operands alone, in the given order, so that a loop may
 * be vectorised but never reassociated.
 */
#include "type/kernel.h"
#include "type/op.h"
#include "type/type.h"

#include <stdint.h>

/*
 * gcc vectorises loops of unknown length only from -O3 on, clang from -O2 on.
 * Operands are equal or disjoint: no iteration reads what another one wrote.
 */
#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#pragma GCC optimize("tree-vectorize", "vect-cost-model=dynamic")
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

/* Integers are added without a sign, because signed overflow is undefined. */
#define SUM(wide, a, b) ((wide)(a) + (wide)(b))
#define MIN(wide, a, b) ((b) < (a) ? (b) : (a))
#define MAX(wide, a, b) ((b) > (a) ? (b) : (a))

#define KERNEL(name, type, wide, OP)                                        \
	static void name(const void *left, const void *right, void *out,    \
			 size_t n)                                          \
	{                                                                   \
		const type *a = left, *b = right;                           \
		type *c = out;                                              \
									    \
		INDEPENDENT                                                 \
		for (size_t i = 0; i < n; i++)                              \
			c[i] = (type)OP(wide, a[i], b[i]);                  \
	}

#define KERNELS(suffix, type, wide)              \
	KERNEL(sum_##suffix, type, wide, SUM)    \
	KERNEL(min_##suffix, type, wide, MIN)    \
	KERNEL(max_##suffix, type, wide, MAX)

KERNELS(int8, int8_t, uint8_t)
KERNELS(uint8, uint8_t, uint8_t)
KERNELS(int16, int16_t, uint16_t)
KERNELS(uint16, uint16_t, uint16_t)
KERNELS(int32, int32_t, uint32_t)
KERNELS(uint32, uint32_t, uint32_t)
KERNELS(int64, int64_t, uint64_t)
KERNELS(uint64, uint64_t, uint64_t)
KERNELS(float, float, float)
KERNELS(double, double, double)

#define ROW(suffix) { sum_##suffix, min_##suffix, max_##suffix }

static const wf_kernel kernels[WF_TYPE_KINDS][WF_OP_KINDS] = {
	[WF_TYPE_INT8] = ROW(int8),
	[WF_TYPE_UINT8] = ROW(uint8),
	[WF_TYPE_INT16] = ROW(int16),
	[WF_TYPE_UINT16] = ROW(uint16),
	[WF_TYPE_INT32] = ROW(int32),
	[WF_TYPE_UINT32] = ROW(uint32),
	[WF_TYPE_INT64] = ROW(int64),
	[WF_TYPE_UINT64] = ROW(uint64),
	[WF_TYPE_FLOAT] = ROW(float),
	[WF_TYPE_DOUBLE] = ROW(double),
};

wf_kernel wf_kernel_find(const struct weft_op *op,
			 const struct weft_type *type)
{
	return kernels[type->kind][op->kind];
}
