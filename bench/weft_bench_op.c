/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of operations of weft-bench, and the serial model of them, in 64
 * bits, whatever the elements are: integers that wrap keep the low bits, and
 * other elements hold the small numbers of the model exactly.
 */
#include "bench/weft_bench_op.h"

#include <string.h>

enum {
	PRIME = 97		/* no power of 2 is a period of the content */
};

#define NUMBERS (BENCH_INTEGER | BENCH_FLOATING)
#define ARITHMETIC (NUMBERS | BENCH_COMPLEX)
#define LOGIC (BENCH_INTEGER | BENCH_BOOL)
#define BITWISE (BENCH_INTEGER | BENCH_BITS)

static const struct bench_op ops[] = {
	{ "sum", &weft_op_sum, BENCH_SUM, ARITHMETIC, false, 0 },
	{ "prod", &weft_op_prod, BENCH_PROD, ARITHMETIC, true, 1 },
	{ "min", &weft_op_min, BENCH_MIN, NUMBERS, false, 0 },
	{ "max", &weft_op_max, BENCH_MAX, NUMBERS, false, 0 },
	{ "land", &weft_op_land, BENCH_LAND, LOGIC, true, 1 },
	{ "lor", &weft_op_lor, BENCH_LOR, LOGIC, true, 0 },
	{ "lxor", &weft_op_lxor, BENCH_LXOR, LOGIC, false, 0 },
	{ "band", &weft_op_band, BENCH_BAND, BITWISE, true, -1 },
	{ "bor", &weft_op_bor, BENCH_BOR, BITWISE, true, 0 },
	{ "bxor", &weft_op_bxor, BENCH_BXOR, BITWISE, false, 0 },
	{ "minloc", &weft_op_minloc, BENCH_MINLOC, BENCH_PAIR, false, 0 },
	{ "maxloc", &weft_op_maxloc, BENCH_MAXLOC, BENCH_PAIR, false, 0 },
	{ "user", NULL, BENCH_SUM, ARITHMETIC, false, 0 },
};

const struct bench_op *bench_op_find(const char *name)
{
	for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); i++)
		if (!strcmp(name, ops[i].name))
			return &ops[i];
	return NULL;
}

struct bench_value bench_op_operand(const struct bench_op *op, int rank,
				    const struct bench_place *place)
{
	size_t round = (size_t)place->round;
	size_t turn = (place->i + round) % (size_t)place->ranks;
	struct bench_value x = {
		(int64_t)(((size_t)rank * 37 + round * 7 + place->i * 11) %
			  PRIME),
		rank * 5 + (int)(place->i % 5)
	};

	if (op->rare && (size_t)rank != turn)
		x.value = op->neutral;
	return x;
}

static int64_t combine(enum bench_op_kind kind, int64_t a, int64_t b)
{
	switch (kind) {
	case BENCH_SUM:
		return a + b;
	case BENCH_PROD:
		return a * b;
	case BENCH_MIN:
		return a < b ? a : b;
	case BENCH_MAX:
		return a > b ? a : b;
	case BENCH_LAND:
		return a && b;
	case BENCH_LOR:
		return a || b;
	case BENCH_LXOR:
		return !a != !b;
	case BENCH_BAND:
		return a & b;
	case BENCH_BOR:
		return a | b;
	default:
		return a ^ b;
	}
}

/* Of equal values the smaller index. */
static struct bench_value better(enum bench_op_kind kind, struct bench_value a,
				 struct bench_value b)
{
	if (a.value == b.value)
		return a.index < b.index ? a : b;
	return (a.value < b.value) == (kind == BENCH_MINLOC) ? a : b;
}

struct bench_value bench_op_result(const struct bench_op *op, int last,
				   const struct bench_place *place)
{
	struct bench_value x = bench_op_operand(op, 0, place);

	for (int rank = 1; rank <= last; rank++) {
		struct bench_value y = bench_op_operand(op, rank, place);

		if (op->sorts == BENCH_PAIR)
			x = better(op->kind, x, y);
		else
			x.value = combine(op->kind, x.value, y.value);
	}
	return x;
}
