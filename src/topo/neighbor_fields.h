/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A side of a batch: several vectors, each edge with a part of every one, which
 * its message has one behind the other.
 */
#ifndef WEFT_TOPO_NEIGHBOR_FIELDS_H
#define WEFT_TOPO_NEIGHBOR_FIELDS_H

#include "plan/vec_arg.h"

struct wf_fields {
	int n;
	const struct weft_vec *const *field;
};

/* Checks them, tells what is wrong, and fills in extents. */
int wf_fields_extents(const struct wf_fields *fields, struct wf_vec_arg *a,
		      struct wf_extent *extent);

/*
 * A field alone is in the memory of the program, if it is packed there.
 * Several, which may be anywhere, are in a packed copy: its parts, edge by
 * edge.
 */
void wf_fields_parts(const struct wf_fields *fields, int n,
		     struct wf_staged_part *part);

static inline void *wf_fields_base(const struct wf_fields *fields)
{
	return fields->n == 1 ? fields->field[0]->base : NULL;
}

#endif
