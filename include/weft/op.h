/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reduction operations.  The predefined ones are constants like the types.
 * An operation that is not defined for a type is refused with WEFT_ERR_ARG.
 */
#ifndef WEFT_OP_H
#define WEFT_OP_H

#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_op;

WEFT_API extern const struct weft_op weft_op_sum;
WEFT_API extern const struct weft_op weft_op_min;
WEFT_API extern const struct weft_op weft_op_max;

/**
 * weft_op_name - the name of an operation
 *
 * Returns:  a constant string like "sum".
 * Blocks:   no.   Collective: no.
 */
WEFT_API const char *weft_op_name(const struct weft_op *op);

#ifdef __cplusplus
}
#endif

#endif
