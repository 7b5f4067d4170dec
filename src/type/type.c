/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The basic datatypes and what can be asked about a type.
 *
 * Owns the constants that users pass by address. They are read-only data, so
 * that two jobs in one process share them without a rule.
 */
#include "type/type.h"

#include <complex.h>
#include <stdint.h>
#include <wchar.h>

#define TYPE(member, of_class, row, c) \
	const struct weft_type weft_type_##member = { \
		.size = sizeof(c), .kind = WF_TYPE_##row, .name = #member, \
		.class = WF_CLASS_##of_class \
	}

TYPE(byte, BYTE, BYTE, char);
TYPE(char, NONE, CHAR, char);
TYPE(wchar, NONE, WCHAR, wchar_t);
TYPE(int8, INTEGER, INT8, int8_t);
TYPE(uint8, INTEGER, UINT8, uint8_t);
TYPE(int16, INTEGER, INT16, int16_t);
TYPE(uint16, INTEGER, UINT16, uint16_t);
TYPE(int32, INTEGER, INT32, int32_t);
TYPE(uint32, INTEGER, UINT32, uint32_t);
TYPE(int64, INTEGER, INT64, int64_t);
TYPE(uint64, INTEGER, UINT64, uint64_t);
TYPE(int128, INTEGER, INT128, __int128);
TYPE(float, FLOATING, FLOAT, float);
TYPE(double, FLOATING, DOUBLE, double);
TYPE(long_double, FLOATING, LONG_DOUBLE, long double);
TYPE(complex_float, COMPLEX, COMPLEX_FLOAT, float complex);
TYPE(complex_double, COMPLEX, COMPLEX_DOUBLE, double complex);
TYPE(complex_long_double, COMPLEX, COMPLEX_LONG_DOUBLE, long double complex);
TYPE(bool, LOGICAL, BOOL, _Bool);

size_t weft_type_size(const struct weft_type *type)
{
	return type ? type->size : 0;
}

const char *weft_type_name(const struct weft_type *type)
{
	return type ? type->name : "";
}
