/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of a datatype in memory, from and to their packed form. */
#ifndef WEFT_TYPE_ELEMENT_H
#define WEFT_TYPE_ELEMENT_H

#include <string.h>
#include "type/type.h"

/* Packed bytes, from so many on, of elements that begin at base. */
static inline void wf_gather(const struct weft_type *type, const void *base,
			     size_t from, void *to, size_t bytes)
{
	const struct wf_elements of = {
		&type->shape.content, wf_shape_extent(&type->shape),
		(char *)base
	};

	if (type->dense && bytes)
		memcpy(to, of.base + from, bytes);
	else
		wf_layout_pack(&of, from, to, bytes);
}

/* The other way round; what lies between them is left as it is. */
static inline void wf_scatter(const struct weft_type *type, void *base,
			      size_t from, const void *data, size_t bytes)
{
	const struct wf_elements of = {
		&type->shape.content, wf_shape_extent(&type->shape), base
	};

	if (type->dense && bytes)
		memcpy(of.base + from, data, bytes);
	else
		wf_layout_unpack(&of, from, data, bytes);
}

#endif
