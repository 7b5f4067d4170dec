/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reduction kernels: the loop that combines two vectors of one type.
 *
 * Found once when a reduction is planned, called by the steps of the plan.
 */
#ifndef WEFT_TYPE_KERNEL_H
#define WEFT_TYPE_KERNEL_H

#include <stddef.h>

struct weft_op;
struct weft_type;

/*
 * out[i] = left[i] op right[i] for n elements. The operands of the lower
 * ranks stand left, so that the bracket of a schedule fixes the bits of the
 * result. out is left, is right, or overlaps neither. Elements are packed; all
 * three are aligned for the type where that is dense.
 *
 * SUM and PROD of integers wrap. Of logical operations the result is 0 or 1,
 * and any operand but 0 is true. MIN and MAX give left unless right is
 * strictly smaller or larger: of equal operands (also 0.0 and -0.0) left
 * stays, and with a NaN on either side left stays, too. So a NaN is not sure
 * to reach the result, but the result is the same on all ranks and in every
 * run. MINLOC and MAXLOC are the same, but of equal values the pair with the
 * smaller index is taken.
 */
typedef void (*wf_kernel)(const void *left, const void *right, void *out,
			  size_t n);

/* NULL if the operation is not defined for the type. */
wf_kernel wf_kernel_find(const struct weft_op *op,
			 const struct weft_type *type);

#endif
