/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The basic datatypes and what can be asked about a type.
 *
 * Owns the constants that users pass by address. They are read-only data, so
 * that two jobs in one process share them without a rule.
 */
#include "type/type.h"

#include <stdint.h>

const struct weft_type weft_type_byte = {
	.size = 1, .kind = WF_TYPE_BYTE, .name = "byte"
};
const struct weft_type weft_type_char = {
	.size = sizeof(char), .kind = WF_TYPE_CHAR, .name = "char"
};
const struct weft_type weft_type_int8 = {
	.size = sizeof(int8_t), .kind = WF_TYPE_INT8, .name = "int8"
};
const struct weft_type weft_type_uint8 = {
	.size = sizeof(uint8_t), .kind = WF_TYPE_UINT8, .name = "uint8"
};
const struct weft_type weft_type_int16 = {
	.size = sizeof(int16_t), .kind = WF_TYPE_INT16, .name = "int16"
};
const struct weft_type weft_type_uint16 = {
	.size = sizeof(uint16_t), .kind = WF_TYPE_UINT16, .name = "uint16"
};
const struct weft_type weft_type_int32 = {
	.size = sizeof(int32_t), .kind = WF_TYPE_INT32, .name = "int32"
};
const struct weft_type weft_type_uint32 = {
	.size = sizeof(uint32_t), .kind = WF_TYPE_UINT32, .name = "uint32"
};
const struct weft_type weft_type_int64 = {
	.size = sizeof(int64_t), .kind = WF_TYPE_INT64, .name = "int64"
};
const struct weft_type weft_type_uint64 = {
	.size = sizeof(uint64_t), .kind = WF_TYPE_UINT64, .name = "uint64"
};
const struct weft_type weft_type_float = {
	.size = sizeof(float), .kind = WF_TYPE_FLOAT, .name = "float"
};
const struct weft_type weft_type_double = {
	.size = sizeof(double), .kind = WF_TYPE_DOUBLE, .name = "double"
};

size_t weft_type_size(const struct weft_type *type)
{
	return type ? type->size : 0;
}

const char *weft_type_name(const struct weft_type *type)
{
	return type ? type->name : "";
}
