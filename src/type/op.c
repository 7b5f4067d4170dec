/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The predefined reduction operations; kernel_rows.h has what they are defined
 * for.
 *
 * Owns the constants that users pass by address; read-only like the types.
 */
#include "type/op.h"

#define OP(member, column) \
	const struct weft_op weft_op_##member = { \
		.kind = WF_OP_##column, .commute = true, .name = #member \
	}

OP(sum, SUM);
OP(prod, PROD);
OP(min, MIN);
OP(max, MAX);
OP(land, LAND);
OP(lor, LOR);
OP(lxor, LXOR);
OP(band, BAND);
OP(bor, BOR);
OP(bxor, BXOR);
OP(minloc, MINLOC);
OP(maxloc, MAXLOC);

const struct weft_op weft_op_replace = {
	.kind = WF_OP_REPLACE, .name = "replace"
};
const struct weft_op weft_op_no_op = {
	.kind = WF_OP_NO_OP, .name = "no_op"
};

const char *weft_op_name(const struct weft_op *op)
{
	return op ? op->name : "";
}

bool weft_op_commutes(const struct weft_op *op)
{
	return op && op->commute;
}
