/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The predefined reduction operations, and the types that they are defined for.
 *
 * Owns the constants that users pass by address; read-only like the types.
 */
#include "type/op.h"

#include "type/type.h"

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

const struct weft_op weft_op_replace = {
	.kind = WF_OP_REPLACE, .name = "replace"
};
const struct weft_op weft_op_no_op = {
	.kind = WF_OP_NO_OP, .name = "no_op"
};

#define BIT(column) (1u << WF_OP_##column)
#define ARITHMETIC (BIT(SUM) | BIT(PROD))
#define ORDER (BIT(MIN) | BIT(MAX))
#define LOGIC (BIT(LAND) | BIT(LOR) | BIT(LXOR))
#define BITS (BIT(BAND) | BIT(BOR) | BIT(BXOR))

/* MPI 4.1, 6.9.2: one row for each class of types. */
static const unsigned defined_for[WF_TYPE_CLASSES] = {
	[WF_CLASS_NONE] = 0,
	[WF_CLASS_BYTE] = BITS,
	[WF_CLASS_INTEGER] = ARITHMETIC | ORDER | LOGIC | BITS,
	[WF_CLASS_FLOATING] = ARITHMETIC | ORDER,
	[WF_CLASS_COMPLEX] = ARITHMETIC,
	[WF_CLASS_LOGICAL] = LOGIC
};

bool wf_op_is_defined(const struct weft_op *op, const struct weft_type *type)
{
	return defined_for[type->class] >> op->kind & 1;
}

const char *weft_op_name(const struct weft_op *op)
{
	return op ? op->name : "";
}
