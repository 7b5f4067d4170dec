/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * external32, the form that any machine can read (MPI 4.1, 14.5.2): big-endian,
 * without gaps, and with bytes of its own for what C leaves open.
 */
#ifndef WEFT_TYPE_EXTERNAL_H
#define WEFT_TYPE_EXTERNAL_H

#include "type/type.h"

/* Of a basic element; never more than it has packed. */
size_t wf_external_bytes(enum wf_type_kind kind);

/*
 * count elements that begin at base, to such bytes and back.  WEFT_ERR_NOMEM,
 * and to pack WEFT_ERR_RANGE: a wide character has more than its 2 bytes; then
 * some are written.
 */
int wf_external_pack(const struct weft_type *type, const void *base,
		     size_t count, char *to);
int wf_external_unpack(const struct weft_type *type, void *base, size_t count,
		       const char *from);

#endif
