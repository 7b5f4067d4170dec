/* SPDX-License-Identifier: BSD-3-Clause */
/* Types, their operations and values: see element.h. */
#include "tests/sim/element.h"

#include <assert.h>
#include <complex.h>
#include <float.h>
#include <string.h>

enum {
	WIDEST = ELEMENT_WIDEST,
	GAP = 0x56			/* in what is given */
};

static_assert(WIDEST >= sizeof(long double complex), "none is wider");

const struct weft_op *const element_ops[ELEMENT_OPS] = {
	&weft_op_sum, &weft_op_prod, &weft_op_min, &weft_op_max,
	&weft_op_land, &weft_op_lor, &weft_op_lxor,
	&weft_op_band, &weft_op_bor, &weft_op_bxor,
	&weft_op_minloc, &weft_op_maxloc,
	&weft_op_replace, &weft_op_no_op
};

const struct element_kind element_kinds[ELEMENT_KINDS] = {
	{ &weft_type_byte, 7, 10 }, { &weft_type_char, 0, 0 },
	{ &weft_type_wchar, 0, 0 }, { &weft_type_int8, 0, 10 },
	{ &weft_type_uint8, 0, 10 }, { &weft_type_int16, 0, 10 },
	{ &weft_type_uint16, 0, 10 }, { &weft_type_int32, 0, 10 },
	{ &weft_type_uint32, 0, 10 }, { &weft_type_int64, 0, 10 },
	{ &weft_type_uint64, 0, 10 }, { &weft_type_int128, 0, 10 },
	{ &weft_type_float, 0, 4 }, { &weft_type_double, 0, 4 },
	{ &weft_type_long_double, 0, 4 }, { &weft_type_complex_float, 0, 2 },
	{ &weft_type_complex_double, 0, 2 },
	{ &weft_type_complex_long_double, 0, 2 }, { &weft_type_bool, 4, 7 },
	{ &weft_type_float_int, 10, 12 }, { &weft_type_double_int, 10, 12 },
	{ &weft_type_long_int, 10, 12 }, { &weft_type_2int, 10, 12 },
	{ &weft_type_short_int, 10, 12 },
	{ &weft_type_long_double_int, 10, 12 },
	{ &weft_type_2float, 10, 12 }, { &weft_type_2double, 10, 12 },
	{ &weft_type_2int64, 10, 12 }, { &weft_type_float_int64, 10, 12 },
	{ &weft_type_double_int64, 10, 12 },
	{ &weft_type_long_double_int64, 10, 12 }
};

/* As they lie; a double is as wide as an int64, which short ones begin. */
struct pair_32 {
	union { float f; int16_t s; int32_t i; } value;
	union { float f; int32_t i; } index;
};

struct pair_mixed {
	double value;
	int32_t index;
};

struct pair_64 {
	union { double d; float f; int64_t i; } value;
	union { double d; int64_t i; } index;
};

struct pair_long {
	long double value;
	union { int32_t i; int64_t l; } index;
};

union element {
	float f;
	double d;
	long double l;
	float complex cf;
	double complex cd;
	long double complex cl;
	struct pair_32 p32;
	struct pair_mixed mixed;
	struct pair_64 p64;
	struct pair_long pl;
	unsigned char byte[WIDEST];
};

/* Few values, so that there are ties, and indices in no order. */
static bool give_pair(const struct weft_type *type, int rank, size_t i,
		      union element *e)
{
	int value = (rank * 5 + (int)i * 3) % 4 - 1;
	int index = (rank * 7 + (int)i) % 10 - 2;

	memset(e, GAP, sizeof(*e));
	if (type == &weft_type_float_int)
		e->p32 = (struct pair_32){ { .f = (float)value },
					   { .i = index } };
	else if (type == &weft_type_2int)
		e->p32 = (struct pair_32){ { .i = value }, { .i = index } };
	else if (type == &weft_type_2float)
		e->p32 = (struct pair_32){ { .f = (float)value },
					   { .f = (float)index } };
	else if (type == &weft_type_short_int)
		e->p32.value.s = (int16_t)value, e->p32.index.i = index;
	else if (type == &weft_type_double_int)
		e->mixed.value = value, e->mixed.index = index;
	else if (type == &weft_type_long_int)
		e->p64.value.i = value, e->p64.index.i = index;
	else if (type == &weft_type_2double)
		e->p64 = (struct pair_64){ { .d = value }, { .d = index } };
	else if (type == &weft_type_2int64)
		e->p64 = (struct pair_64){ { .i = value }, { .i = index } };
	else if (type == &weft_type_float_int64)
		e->p64.value.f = (float)value, e->p64.index.i = index;
	else if (type == &weft_type_double_int64)
		e->p64 = (struct pair_64){ { .d = value }, { .i = index } };
	else if (type == &weft_type_long_double_int)
		e->pl.value = value, e->pl.index.i = index;
	else if (type == &weft_type_long_double_int64)
		e->pl.value = value, e->pl.index.l = index;
	else
		return false;
	return true;
}

/* Numbers whose sums and products depend on their bracket, and any bits. */
static union element given(const struct weft_type *type, int rank, size_t i)
{
	double x = 1 + ((rank * 37 + (int)i * 11) % 101 - 50) * 0.013;
	double complex z = x + I * (0.3 - x);
	bool is_zero = ((size_t)rank * 5 + i) % 13 == 0;
	union element e;

	if (give_pair(type, rank, i, &e))
		return e;
	memset(&e, 0, sizeof(e));
	if (type == &weft_type_float)
		e.f = (float)x;
	else if (type == &weft_type_double)
		e.d = x;
	else if (type == &weft_type_long_double)
		e.l = x / 3.0L;
	else if (type == &weft_type_complex_float)
		e.cf = (float complex)z;
	else if (type == &weft_type_complex_double)
		e.cd = z;
	else if (type == &weft_type_complex_long_double)
		e.cl = z / 3.0L;
	else if (type == &weft_type_bool)
		e.byte[0] = is_zero == (i % 2);
	else
		/* odd, so that products keep some bits */
		for (size_t k = 0; k < WIDEST && !is_zero; k++)
			e.byte[k] = (unsigned char)((rank * 71 + (int)i * 13 +
						     (int)k * 29) | !k);
	return e;
}

void element_give(const struct weft_type *type, int rank, size_t i, void *to)
{
	union element e = given(type, rank, i);

	memcpy(to, &e, (size_t)weft_type_extent(type));
}

size_t element_meant(const struct weft_type *type)
{
	bool is_x87 = LDBL_MANT_DIG == 64;

	return type == &weft_type_long_double && is_x87 ? 10 : 0;
}
