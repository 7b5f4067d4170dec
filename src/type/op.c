/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The predefined reduction operations.
 *
 * Owns the constants that users pass by address; read-only like the types.
 */
#include "type/op.h"

const struct weft_op weft_op_sum = {
	.kind = WF_OP_SUM, .commute = true, .name = "sum"
};
const struct weft_op weft_op_min = {
	.kind = WF_OP_MIN, .commute = true, .name = "min"
};
const struct weft_op weft_op_max = {
	.kind = WF_OP_MAX, .commute = true, .name = "max"
};

const char *weft_op_name(const struct weft_op *op)
{
	return op ? op->name : "";
}
