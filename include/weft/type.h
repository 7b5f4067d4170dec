/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Datatypes.  The basic ones are constants: they need no job, are never freed,
 * and their addresses are the handles.
 */
#ifndef WEFT_TYPE_H
#define WEFT_TYPE_H

#include <stddef.h>
#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_type;

WEFT_API extern const struct weft_type weft_type_byte;	/* no arithmetic */
WEFT_API extern const struct weft_type weft_type_char;	/* no arithmetic */
WEFT_API extern const struct weft_type weft_type_int8;
WEFT_API extern const struct weft_type weft_type_uint8;
WEFT_API extern const struct weft_type weft_type_int16;
WEFT_API extern const struct weft_type weft_type_uint16;
WEFT_API extern const struct weft_type weft_type_int32;
WEFT_API extern const struct weft_type weft_type_uint32;
WEFT_API extern const struct weft_type weft_type_int64;
WEFT_API extern const struct weft_type weft_type_uint64;
WEFT_API extern const struct weft_type weft_type_float;
WEFT_API extern const struct weft_type weft_type_double;

/**
 * weft_type_size, weft_type_name - what a datatype is
 *
 * Returns:  bytes of one element; a constant string like "double".
 * Blocks:   no.   Collective: no.
 */
WEFT_API size_t weft_type_size(const struct weft_type *type);
WEFT_API const char *weft_type_name(const struct weft_type *type);

#ifdef __cplusplus
}
#endif

#endif
