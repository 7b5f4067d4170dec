/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reduction operations.  The predefined ones are constants like the types.
 * An operation that is not defined for a type is refused with WEFT_ERR_ARG:
 *
 *                          integers  floating  complex  bool  byte
 *     sum, prod               x         x         x
 *     min, max                x         x
 *     land, lor, lxor         x                           x
 *     band, bor, bxor         x                                  x
 *
 * char and wchar have none.  replace and no_op are for one-sided access: no
 * reduction takes them.
 */
#ifndef WEFT_OP_H
#define WEFT_OP_H

#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_op;

WEFT_API extern const struct weft_op weft_op_sum;	/* integers wrap, */
WEFT_API extern const struct weft_op weft_op_prod;	/* as these do */
WEFT_API extern const struct weft_op weft_op_min;
WEFT_API extern const struct weft_op weft_op_max;
WEFT_API extern const struct weft_op weft_op_land;	/* 0 or 1 */
WEFT_API extern const struct weft_op weft_op_lor;
WEFT_API extern const struct weft_op weft_op_lxor;
WEFT_API extern const struct weft_op weft_op_band;	/* bit by bit */
WEFT_API extern const struct weft_op weft_op_bor;
WEFT_API extern const struct weft_op weft_op_bxor;
WEFT_API extern const struct weft_op weft_op_replace;
WEFT_API extern const struct weft_op weft_op_no_op;

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
