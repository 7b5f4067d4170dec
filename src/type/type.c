/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The basic datatypes and what can be asked about a type.
 *
 * Owns the constants that users pass by address. They are read-only data, so
 * that two jobs in one process share them without a rule.
 */
#include "type/type_basic.h"

#include <complex.h>
#include <stdint.h>
#include <wchar.h>

#define TYPE(member, row, c) \
	const struct weft_type weft_type_##member = \
		WF_TYPE_BASIC(row, c, #member)

TYPE(byte, BYTE, char);
TYPE(char, CHAR, char);
TYPE(wchar, WCHAR, wchar_t);
TYPE(int8, INT8, int8_t);
TYPE(uint8, UINT8, uint8_t);
TYPE(int16, INT16, int16_t);
TYPE(uint16, UINT16, uint16_t);
TYPE(int32, INT32, int32_t);
TYPE(uint32, UINT32, uint32_t);
TYPE(int64, INT64, int64_t);
TYPE(uint64, UINT64, uint64_t);
TYPE(int128, INT128, __int128);
TYPE(float, FLOAT, float);
TYPE(double, DOUBLE, double);
TYPE(long_double, LONG_DOUBLE, long double);
TYPE(complex_float, COMPLEX_FLOAT, float complex);
TYPE(complex_double, COMPLEX_DOUBLE, double complex);
TYPE(complex_long_double, COMPLEX_LONG_DOUBLE, long double complex);
TYPE(bool, BOOL, _Bool);

/* ---- pairs ---- */

#define PAIR(member, row, v, i) \
	WF_TYPE_PAIR_LAYOUT(member, v, i); \
	const struct weft_type weft_type_##member = \
		WF_TYPE_PAIR(row, member, #member)

PAIR(float_int, FLOAT_INT, float, int);
PAIR(double_int, DOUBLE_INT, double, int);
PAIR(long_int, LONG_INT, long, int);
PAIR(2int, 2INT, int, int);
PAIR(short_int, SHORT_INT, short, int);
PAIR(long_double_int, LONG_DOUBLE_INT, long double, int);
PAIR(2float, 2FLOAT, float, float);
PAIR(2double, 2DOUBLE, double, double);
PAIR(2int64, 2INT64, int64_t, int64_t);
PAIR(float_int64, FLOAT_INT64, float, int64_t);
PAIR(double_int64, DOUBLE_INT64, double, int64_t);
PAIR(long_double_int64, LONG_DOUBLE_INT64, long double, int64_t);
PAIR(remote, REMOTE, int32_t, int32_t);

static const struct {
	const struct weft_type *value, *index, *pair;
} pairs[] = {
	{ &weft_type_float, &weft_type_int32, &weft_type_float_int },
	{ &weft_type_double, &weft_type_int32, &weft_type_double_int },
	{ &weft_type_int64, &weft_type_int32, &weft_type_long_int },
	{ &weft_type_int32, &weft_type_int32, &weft_type_2int },
	{ &weft_type_int16, &weft_type_int32, &weft_type_short_int },
	{ &weft_type_long_double, &weft_type_int32,
	  &weft_type_long_double_int },
	{ &weft_type_float, &weft_type_float, &weft_type_2float },
	{ &weft_type_double, &weft_type_double, &weft_type_2double },
	{ &weft_type_int64, &weft_type_int64, &weft_type_2int64 },
	{ &weft_type_float, &weft_type_int64, &weft_type_float_int64 },
	{ &weft_type_double, &weft_type_int64, &weft_type_double_int64 },
	{ &weft_type_long_double, &weft_type_int64,
	  &weft_type_long_double_int64 }
};

/* Duplicates have the kind of what they are like. */
const struct weft_type *weft_type_pair(const struct weft_type *value,
				       const struct weft_type *index)
{
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (value && value->kind == pairs[i].value->kind &&
		    index && index->kind == pairs[i].index->kind)
			return pairs[i].pair;
	}
	return NULL;
}

size_t wf_type_value_bytes(enum wf_type_kind kind)
{
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (kind == pairs[i].pair->kind)
			return wf_type_bytes(pairs[i].value);
	}
	return kind == WF_TYPE_REMOTE ? sizeof(int32_t) : 0;
}

/* ---- what one is ---- */

size_t weft_type_size(const struct weft_type *type)
{
	return type ? wf_type_bytes(type) : 0;
}

const char *weft_type_name(const struct weft_type *type)
{
	return type ? type->name : "";
}

ptrdiff_t weft_type_extent(const struct weft_type *type)
{
	return type ? wf_shape_extent(&type->shape) : 0;
}

struct weft_bounds weft_type_bounds(const struct weft_type *type)
{
	return type ? (struct weft_bounds){
		type->shape.lb, type->shape.ub,
		type->shape.true_lb, type->shape.true_ub
	} : (struct weft_bounds){ 0, 0, 0, 0 };
}
