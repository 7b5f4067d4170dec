/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a sum, a minimum or a maximum of nothing is: the element that any other
 * one is combined with and stays as it is.  A NaN does not: see kernel.h.
 */
#ifndef WEFT_TYPE_OP_IDENTITY_H
#define WEFT_TYPE_OP_IDENTITY_H

struct weft_op;
struct weft_type;

/* An element, packed; NULL: the operation has none for the type. */
const void *wf_identity_of(const struct weft_op *op,
			   const struct weft_type *type);

#endif
