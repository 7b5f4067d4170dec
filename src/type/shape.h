/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An element of a datatype, without a name or an owner: its bytes, its bounds,
 * its alignment.  All constructors are made of the three operations here.
 */
#ifndef WEFT_TYPE_SHAPE_H
#define WEFT_TYPE_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "type/layout.h"

/* Offsets count from the address of the element. */
struct wf_shape {
	struct wf_content content;
	ptrdiff_t lb, ub;		/* the next one is ub - lb further on */
	ptrdiff_t true_lb, true_ub;	/* of its bytes */
	uint16_t align;
	bool sets;			/* bounds, by weft_type_resized() */
	bool empty;			/* without any entry */
};

static inline ptrdiff_t wf_shape_extent(const struct wf_shape *shape)
{
	/* as numbers: WEFT_ERR_RANGE has refused what exceeds them */
	return (ptrdiff_t)((size_t)shape->ub - (size_t)shape->lb);
}

/* All make a new shape: WEFT_ERR_NOMEM, WEFT_ERR_RANGE. */
int wf_shape_repeat(const struct wf_shape *of, size_t n, ptrdiff_t stride,
		    struct wf_shape *shape_p);
int wf_shape_move(const struct wf_shape *of, ptrdiff_t by,
		  struct wf_shape *shape_p);
int wf_shape_join(const struct wf_shape *list, size_t n,
		  struct wf_shape *shape_p);

/* Sets both bounds; WEFT_ERR_RANGE. */
int wf_shape_set_bounds(struct wf_shape *shape, ptrdiff_t lb,
			ptrdiff_t extent);

/* One more has the same. */
void wf_shape_hold(const struct wf_shape *shape);
void wf_shape_drop(struct wf_shape *shape);

#endif
