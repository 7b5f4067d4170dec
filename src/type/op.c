/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The predefined reduction operations.
 *
 * Owns the constants that users pass by address; read-only like the types.
 */
#include "type/op.h"

const struct weft_op weft_op_sum = { WF_OP_SUM, true, "sum" };
const struct weft_op weft_op_min = { WF_OP_MIN, true, "min" };
const struct weft_op weft_op_max = { WF_OP_MAX, true, "max" };

const char *weft_op_name(const struct weft_op *op)
{
	return op ? op->name : "";
}
