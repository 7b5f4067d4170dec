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

#define TYPE(member, row, c) \
	const struct weft_type weft_type_##member = { \
		.size = sizeof(c), .kind = WF_TYPE_##row, .name = #member \
	}

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

size_t weft_type_size(const struct weft_type *type)
{
	return type ? type->size : 0;
}

const char *weft_type_name(const struct weft_type *type)
{
	return type ? type->name : "";
}
