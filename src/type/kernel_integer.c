/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of integers, bytes and truth values. */
#include "type/kernel_rows.h"

#include <assert.h>
#include <stdint.h>
#include "type/kernel_loops.h"

#define LOGIC(FORM, suffix, type)                  \
	FORM(land_##suffix, type, type, LAND)      \
	FORM(lor_##suffix, type, type, LOR)        \
	FORM(lxor_##suffix, type, type, LXOR)

#define BITS(suffix, type)                         \
	KERNEL(band_##suffix, type, type, BAND)    \
	KERNEL(bor_##suffix, type, type, BOR)      \
	KERNEL(bxor_##suffix, type, type, BXOR)

#define INTEGER(FORM, suffix, type, wide)          \
	KERNEL(sum_##suffix, type, wide, SUM)      \
	FORM(prod_##suffix, type, wide, PROD)      \
	FORM(min_##suffix, type, wide, MIN)        \
	FORM(max_##suffix, type, wide, MAX)        \
	LOGIC(FORM, suffix, type)                  \
	BITS(suffix, type)

INTEGER(CLONED_KERNEL, int8, int8_t, uint8_t)
INTEGER(CLONED_KERNEL, uint8, uint8_t, uint8_t)
INTEGER(CLONED_KERNEL, int16, int16_t, uint16_t)
INTEGER(CLONED_KERNEL, uint16, uint16_t, uint16_t)
INTEGER(CLONED_KERNEL, int32, int32_t, uint32_t)
INTEGER(CLONED_KERNEL, uint32, uint32_t, uint32_t)
INTEGER(CLONED_KERNEL, int64, int64_t, uint64_t)
INTEGER(CLONED_KERNEL, uint64, uint64_t, uint64_t)
INTEGER(KERNEL, int128, __int128, unsigned __int128)

/* As bytes: a _Bool must not even be read where it is neither 0 nor 1. */
static_assert(sizeof(_Bool) == sizeof(uint8_t), "bool is a byte");
LOGIC(CLONED_KERNEL, bool, uint8_t)

#define LOGIC_OF(suffix)               \
	[WF_OP_LAND] = land_##suffix,  \
	[WF_OP_LOR] = lor_##suffix,    \
	[WF_OP_LXOR] = lxor_##suffix

#define BITS_OF(suffix)                \
	[WF_OP_BAND] = band_##suffix,  \
	[WF_OP_BOR] = bor_##suffix,    \
	[WF_OP_BXOR] = bxor_##suffix

#define ROW(suffix)                              \
	const wf_kernel_row wf_kernels_##suffix = { \
		[WF_OP_SUM] = sum_##suffix,      \
		[WF_OP_PROD] = prod_##suffix,    \
		[WF_OP_MIN] = min_##suffix,      \
		[WF_OP_MAX] = max_##suffix,      \
		LOGIC_OF(suffix),                \
		BITS_OF(suffix)                  \
	}

ROW(int8);
ROW(uint8);
ROW(int16);
ROW(uint16);
ROW(int32);
ROW(uint32);
ROW(int64);
ROW(uint64);
ROW(int128);
const wf_kernel_row wf_kernels_bool = { LOGIC_OF(bool) };
const wf_kernel_row wf_kernels_byte = { BITS_OF(uint8) };
