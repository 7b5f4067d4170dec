/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of floating and of complex numbers. */
#include "type/kernel_rows.h"

#include <complex.h>
#include "type/kernel_loops.h"

#define COMPLEX(suffix, type)                      \
	KERNEL(sum_##suffix, type, type, SUM)      \
	KERNEL(prod_##suffix, type, type, TIMES)

#define FLOATING(suffix, type)                     \
	COMPLEX(suffix, type)                      \
	KERNEL(min_##suffix, type, type, MIN)      \
	KERNEL(max_##suffix, type, type, MAX)

FLOATING(float, float)
FLOATING(double, double)
FLOATING(long_double, long double)

/* gcc 12 fuses products and sums of straight-line code, whatever was said. */
#ifndef __clang__
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

COMPLEX(complex_float, float complex)
COMPLEX(complex_double, double complex)
COMPLEX(complex_long_double, long double complex)

#define ARITHMETIC_OF(suffix)          \
	[WF_OP_SUM] = sum_##suffix,    \
	[WF_OP_PROD] = prod_##suffix

#define FLOATING_ROW(suffix)                     \
	const wf_kernel_row wf_kernels_##suffix = { \
		ARITHMETIC_OF(suffix),           \
		[WF_OP_MIN] = min_##suffix,      \
		[WF_OP_MAX] = max_##suffix       \
	}

#define COMPLEX_ROW(suffix) \
	const wf_kernel_row wf_kernels_##suffix = { ARITHMETIC_OF(suffix) }

FLOATING_ROW(float);
FLOATING_ROW(double);
FLOATING_ROW(long_double);
COMPLEX_ROW(complex_float);
COMPLEX_ROW(complex_double);
COMPLEX_ROW(complex_long_double);
