/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The basic datatypes and what can be asked about a type.
 *
 * Owns the constants that users pass by address. They are read-only data, so
 * that two jobs in one process share them without a rule.
 */
#include "type/type.h"

#include <stdint.h>

const struct weft_type weft_type_byte = { 1, WF_TYPE_BYTE, false, "byte" };
const struct weft_type weft_type_char = {
	sizeof(char), WF_TYPE_CHAR, false, "char"
};
const struct weft_type weft_type_int8 = {
	sizeof(int8_t), WF_TYPE_INT8, false, "int8"
};
const struct weft_type weft_type_uint8 = {
	sizeof(uint8_t), WF_TYPE_UINT8, false, "uint8"
};
const struct weft_type weft_type_int16 = {
	sizeof(int16_t), WF_TYPE_INT16, false, "int16"
};
const struct weft_type weft_type_uint16 = {
	sizeof(uint16_t), WF_TYPE_UINT16, false, "uint16"
};
const struct weft_type weft_type_int32 = {
	sizeof(int32_t), WF_TYPE_INT32, false, "int32"
};
const struct weft_type weft_type_uint32 = {
	sizeof(uint32_t), WF_TYPE_UINT32, false, "uint32"
};
const struct weft_type weft_type_int64 = {
	sizeof(int64_t), WF_TYPE_INT64, false, "int64"
};
const struct weft_type weft_type_uint64 = {
	sizeof(uint64_t), WF_TYPE_UINT64, false, "uint64"
};
const struct weft_type weft_type_float = {
	sizeof(float), WF_TYPE_FLOAT, false, "float"
};
const struct weft_type weft_type_double = {
	sizeof(double), WF_TYPE_DOUBLE, false, "double"
};

size_t weft_type_size(const struct weft_type *type)
{
	return type ? type->size : 0;
}

const char *weft_type_name(const struct weft_type *type)
{
	return type ? type->name : "";
}
