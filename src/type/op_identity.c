/* SPDX-License-Identifier: BSD-3-Clause */
/* The table (type, operation) -> identity: see op_identity.h. */
#include "type/op_identity.h"

#include <math.h>
#include <stdint.h>
#include "type/kernel.h"
#include "type/op.h"
#include "type/type.h"

/* As wide as any element: the zero of each of them. */
static const unsigned char zero[sizeof(long double) * 2];

#define LIMITS(member, c, low, high) \
	static const c least_##member = (low), most_##member = (high)
#define ROW(row, member) \
	[WF_TYPE_##row] = { &least_##member, &most_##member }

LIMITS(int8, int8_t, INT8_MIN, INT8_MAX);
LIMITS(uint8, uint8_t, 0, UINT8_MAX);
LIMITS(int16, int16_t, INT16_MIN, INT16_MAX);
LIMITS(uint16, uint16_t, 0, UINT16_MAX);
LIMITS(int32, int32_t, INT32_MIN, INT32_MAX);
LIMITS(uint32, uint32_t, 0, UINT32_MAX);
LIMITS(int64, int64_t, INT64_MIN, INT64_MAX);
LIMITS(uint64, uint64_t, 0, UINT64_MAX);
LIMITS(int128, __int128, (__int128)1 << 126 << 1,
       ~((__int128)1 << 126 << 1));
LIMITS(float, float, -INFINITY, INFINITY);
LIMITS(double, double, -INFINITY, INFINITY);
LIMITS(long_double, long double, -INFINITY, INFINITY);

static const struct {
	const void *least, *most;
} rows[WF_TYPE_KINDS] = {
	ROW(INT8, int8), ROW(UINT8, uint8),
	ROW(INT16, int16), ROW(UINT16, uint16),
	ROW(INT32, int32), ROW(UINT32, uint32),
	ROW(INT64, int64), ROW(UINT64, uint64),
	ROW(INT128, int128),
	ROW(FLOAT, float), ROW(DOUBLE, double),
	ROW(LONG_DOUBLE, long_double)
};

const void *wf_identity_of(const struct weft_op *op,
			   const struct weft_type *type)
{
	if (!wf_kernel_find(op, type))
		return NULL;
	switch (op->kind) {
	case WF_OP_SUM:
		return zero;
	case WF_OP_MIN:
		return rows[type->kind].most;
	case WF_OP_MAX:
		return rows[type->kind].least;
	default:
		return NULL;
	}
}
