/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One side of a neighbour exchange, as its call was given it: what goes along
 * the out-edges, or what comes along the in-edges.
 */
#ifndef WEFT_TOPO_NEIGHBOR_SIDE_H
#define WEFT_TOPO_NEIGHBOR_SIDE_H

#include <weft/coll.h>
#include "plan/part_arg.h"
#include "plan/vec_arg.h"
#include "topo/neighbor_fields.h"
#include "topo/neighbor_fold.h"
#include "topo/neighbor_packets.h"

enum wf_side_kind {
	WF_SIDE_VEC,			/* each edge has a part of its own; */
	WF_SIDE_SAME,			/* all send the same part; */
	WF_SIDE_ROW,			/* each has a block of a row; */
	WF_SIDE_FIELD,			/* a vector, of a batch of one; */
	WF_SIDE_TYPES,			/* each must have a type of its own; */
	WF_SIDE_PACKETS,		/* each has packets of an array; */
	WF_SIDE_FIELDS,			/* each has a part of each field; */
	WF_SIDE_FOLD,			/* each brings what is combined */
	WF_SIDE_REFUSED			/* this rank refuses the call */
};

struct wf_side {
	enum wf_side_kind kind;
	union {
		const struct weft_vec *vec;
		const struct weft_part *part;
		const struct wf_packet_side *packets;
		void *const *base_p;	/* first in each of these */
		const struct wf_fields *fields;
		const struct wf_folded *folded;
		int refused;		/* status, told */
	};
};

_Static_assert(offsetof(struct weft_vec, base) == 0 &&
	       offsetof(struct weft_part, base) == 0 &&
	       offsetof(struct wf_packet_side, base) == 0, "first in each");

struct wf_sides {
	struct wf_side send, recv;
};

/* Nothing is in place in an exchange: what an edge brings has no other end. */
static inline int wf_side_check_base(const struct wf_vec_arg *a)
{
	if (a->vec->base != WEFT_IN_PLACE)
		return WEFT_OK;
	return wf_vec_check_base(a, "that of a collective");
}

/* As below, of a side that is no plain vector. */
int wf_side_other_extents(const struct wf_side *side, struct wf_vec_arg *a,
			  struct wf_extent *extent);

/*
 * Of an argument that lacks its vector: checks it, tells what is wrong, and
 * fills in extents: in the memory of the program, or, where a->gaps is set
 * then, in a packed copy.
 */
static inline int wf_side_extents(const struct wf_side *side,
				  struct wf_vec_arg *a,
				  struct wf_extent *extent)
{
	int status;

	a->vec = side->vec;
	if (side->kind != WF_SIDE_VEC)
		return wf_side_other_extents(side, a, extent);
	status = wf_vec_extents(a, extent);
	return status || !a->n ? status : wf_side_check_base(a);
}

/* Of n edges, checked, and no packets: are extents in a packed copy? */
bool wf_side_is_copied(const struct wf_side *side, int n);

/* How many parts a packed copy may have, of n edges. */
size_t wf_side_most_parts(const struct wf_side *side, int n);

/* Those it has, in the order of the edges; 0: elements are packed already. */
int wf_side_parts(const struct wf_side *side, struct wf_vec_arg *a,
		  struct wf_staged_part *part);

/* Where extents begin that are in the memory of the program; NULL: nowhere. */
static inline void *wf_side_base(const struct wf_side *side)
{
	return side->kind <= WF_SIDE_PACKETS ? *side->base_p : NULL;
}

#endif
