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

/* They may be anywhere, so they are in a packed copy: its parts. */
void wf_fields_parts(const struct wf_fields *fields, int n,
		     struct wf_staged_part *part);

#endif
