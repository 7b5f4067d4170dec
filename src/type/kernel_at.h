/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels of elements that lie anywhere: what comes, one behind the other, is
 * combined with the element of a vector that a list names, one at a time and in
 * this order, since a list may name one twice.  The bits are those of the
 * kernels of kernel.h, but for which NaN a sum of two has.
 */
#ifndef WEFT_TYPE_KERNEL_AT_H
#define WEFT_TYPE_KERNEL_AT_H

#include <stddef.h>
#include <stdint.h>

struct weft_op;
struct weft_type;

/* base[at[i] & mask] = that op right[i] for n elements; packed, aligned. */
typedef void (*wf_kernel_at)(void *base, const uint32_t *at, uint32_t mask,
			     const void *right, size_t n);

/* NULL: not of this type and operation. */
wf_kernel_at wf_kernel_at_find(const struct weft_op *op,
			       const struct weft_type *type);

#endif
