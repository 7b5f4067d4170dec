/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The operations of reductions of weft-bench, which --op names: what each rank
 * gives, and a model of what has to come out.
 */
#ifndef WEFT_BENCH_OP_H
#define WEFT_BENCH_OP_H

#include "bench/weft_bench_element.h"

#include <stdbool.h>

enum bench_op_kind {
	BENCH_SUM,
	BENCH_PROD,
	BENCH_MIN,
	BENCH_MAX,
	BENCH_LAND,
	BENCH_LOR,
	BENCH_LXOR,
	BENCH_BAND,
	BENCH_BOR,
	BENCH_BXOR,
	BENCH_MINLOC,
	BENCH_MAXLOC
};

struct bench_op {
	const char *name;
	const struct weft_op *op;	/* NULL: that of the program, a sum */
	enum bench_op_kind kind;
	unsigned sorts;			/* of elements that have it */
	/*
	 * One rank has a number in each place, and the others what changes
	 * nothing: the product stays small, and no bit is that of most ranks.
	 */
	bool rare;
	int64_t neutral;
};

/* An element of a vector in one round. */
struct bench_place {
	int ranks;
	long round;
	size_t i;
};

/* NULL: there is none of this name. */
const struct bench_op *bench_op_find(const char *name);

/* What a rank gives. */
struct bench_value bench_op_operand(const struct bench_op *op, int rank,
				    const struct bench_place *place);

/* What those up to a last rank are together. */
struct bench_value bench_op_result(const struct bench_op *op, int last,
				   const struct bench_place *place);

#endif
