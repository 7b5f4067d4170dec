/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The elements of reductions of weft-bench: what --type names. Their values are
 * small whole numbers, which each type holds exactly.
 */
#ifndef WEFT_BENCH_ELEMENT_H
#define WEFT_BENCH_ELEMENT_H

#include <stddef.h>
#include <stdint.h>
#include <weft.h>

/* Columns of the table of weft/op.h. */
enum bench_sort {
	BENCH_INTEGER = 1u << 0,
	BENCH_FLOATING = 1u << 1,
	BENCH_COMPLEX = 1u << 2,
	BENCH_BOOL = 1u << 3,
	BENCH_BITS = 1u << 4,
	BENCH_PAIR = 1u << 5
};

struct bench_value {
	int64_t value;
	int index;		/* of a pair */
};

struct bench_type {
	const char *name;
	const struct weft_type *type;
	enum bench_sort sort;
	void (*put)(void *base, size_t i, struct bench_value x);
	/* One more is wrong, if it is not x. */
	void (*check)(const void *base, size_t i, struct bench_value x,
		      size_t *wrong);
	weft_op_function *sum;	/* NULL: it has none */
};

/* NULL: there is none of this name. */
const struct bench_type *bench_type_find(const char *name);

#endif
