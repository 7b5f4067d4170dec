/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of element types of weft-bench: how a value is written, compared
 * and, for the operation of a program, added. Compiled for each C type by a
 * macro, as kernels of the library are.
 */
#include "bench/weft_bench_element.h"

#include <complex.h>
#include <string.h>

#define ELEMENT(name, ctype)                                                \
	static void put_##name(void *base, size_t i, struct bench_value x)  \
	{                                                                   \
		((ctype *)base)[i] = (ctype)x.value;                        \
	}                                                                   \
	static void check_##name(const void *base, size_t i,                \
				 struct bench_value x, size_t *wrong)       \
	{                                                                   \
		*wrong += ((const ctype *)base)[i] != (ctype)x.value;       \
	}

#define NUMBER(name, ctype)                                                 \
	ELEMENT(name, ctype)                                                \
	static void sum_##name(const void *in, void *inout, size_t n,       \
			       const struct weft_type *type, void *arg)     \
	{                                                                   \
		const ctype *a = in;                                        \
		ctype *b = inout;                                           \
									    \
		(void)type;                                                 \
		(void)arg;                                                  \
		for (size_t i = 0; i < n; i++)                              \
			b[i] = (ctype)(a[i] + b[i]);                        \
	}

#define PAIR(name, ctype)                                                   \
	struct pair_##name {                                                \
		ctype value;                                                \
		int index;                                                  \
	};                                                                  \
	static void put_##name(void *base, size_t i, struct bench_value x)  \
	{                                                                   \
		struct pair_##name *at = base;                              \
									    \
		at[i].value = (ctype)x.value;                               \
		at[i].index = x.index;                                      \
	}                                                                   \
	static void check_##name(const void *base, size_t i,                \
				 struct bench_value x, size_t *wrong)       \
	{                                                                   \
		const struct pair_##name *at = base;                        \
									    \
		*wrong += at[i].value != (ctype)x.value ||                  \
			  at[i].index != x.index;                           \
	}

ELEMENT(byte, unsigned char)
ELEMENT(bool, bool)
NUMBER(int8, int8_t)
NUMBER(uint8, uint8_t)
NUMBER(int16, int16_t)
NUMBER(uint16, uint16_t)
NUMBER(int32, int32_t)
NUMBER(uint32, uint32_t)
NUMBER(int64, int64_t)
NUMBER(uint64, uint64_t)
NUMBER(long, long)
NUMBER(float, float)
NUMBER(double, double)
NUMBER(long_double, long double)
NUMBER(complex_float, float complex)
NUMBER(complex_double, double complex)
NUMBER(complex_long_double, long double complex)
PAIR(float_int, float)
PAIR(double_int, double)
PAIR(long_int, long)
PAIR(2int, int)
PAIR(short_int, short)
PAIR(long_double_int, long double)

#define ROW(name, sort, sum) \
	{ #name, &weft_type_##name, sort, put_##name, check_##name, sum }

#define INTEGER(name) ROW(name, BENCH_INTEGER, sum_##name)
#define FLOATING(name) ROW(name, BENCH_FLOATING, sum_##name)
#define COMPLEX(name) ROW(name, BENCH_COMPLEX, sum_##name)
#define PAIRED(name) ROW(name, BENCH_PAIR, NULL)

/* Integers by their bits, as the library calls them; of C int and long. */
static const struct bench_type types[] = {
	ROW(byte, BENCH_BITS, NULL),
	ROW(bool, BENCH_BOOL, NULL),
	INTEGER(int8),
	INTEGER(uint8),
	INTEGER(int16),
	INTEGER(uint16),
	INTEGER(int32),
	INTEGER(uint32),
	INTEGER(int64),
	INTEGER(uint64),
	{ "int", &weft_type_int32, BENCH_INTEGER, put_int32, check_int32,
	  sum_int32 },
	{ "long", sizeof(long) == 8 ? &weft_type_int64 : &weft_type_int32,
	  BENCH_INTEGER, put_long, check_long, sum_long },
	FLOATING(float),
	FLOATING(double),
	FLOATING(long_double),
	COMPLEX(complex_float),
	COMPLEX(complex_double),
	COMPLEX(complex_long_double),
	PAIRED(float_int),
	PAIRED(double_int),
	PAIRED(long_int),
	PAIRED(2int),
	PAIRED(short_int),
	PAIRED(long_double_int),
};

const struct bench_type *bench_type_find(const char *name)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (!strcmp(name, types[i].name))
			return &types[i];
	return NULL;
}
