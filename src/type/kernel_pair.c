/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels of pairs, which are packed: without the gaps of a C struct, and
 * without its alignment.
 */
#include "type/kernel_rows.h"

#include <stdint.h>
#include "type/kernel_loops.h"

#define LESS(x, y) ((x) < (y))
#define MORE(x, y) ((x) > (y))

/*
 * Left stays unless right is strictly better, or as good with a smaller index:
 * so with NaN on either side left does.
 */
#define PAIR_KERNEL(name, pair, BETTER)                                     \
	static void name(const void *left, const void *right, void *out,    \
			 size_t n)                                          \
	{                                                                   \
		const struct pair *a = left, *b = right;                    \
		struct pair *c = out;                                       \
									    \
		for (size_t i = 0; i < n; i++) {                            \
			bool takes = BETTER(b[i].value, a[i].value) ||      \
				     (b[i].value == a[i].value &&           \
				      b[i].index < a[i].index);             \
									    \
			c[i] = takes ? b[i] : a[i];                         \
		}                                                           \
	}

#define PAIR(suffix, v, i)                                                  \
	struct __attribute__((packed)) pair_##suffix {                      \
		v value;                                                    \
		i index;                                                    \
	};                                                                  \
	PAIR_KERNEL(minloc_##suffix, pair_##suffix, LESS)                   \
	PAIR_KERNEL(maxloc_##suffix, pair_##suffix, MORE)                   \
	const wf_kernel_row wf_kernels_##suffix = {                         \
		[WF_OP_MINLOC] = minloc_##suffix,                           \
		[WF_OP_MAXLOC] = maxloc_##suffix                            \
	}

PAIR(float_int, float, int);
PAIR(double_int, double, int);
PAIR(long_int, long, int);
PAIR(2int, int, int);
PAIR(short_int, short, int);
PAIR(long_double_int, long double, int);
PAIR(2float, float, float);
PAIR(2double, double, double);
PAIR(2int64, int64_t, int64_t);
PAIR(float_int64, float, int64_t);
PAIR(double_int64, double, int64_t);
PAIR(long_double_int64, long double, int64_t);
