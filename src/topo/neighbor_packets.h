/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A side of an exchange of packets: each edge has some, wherever they lie in
 * one array.  Its lists are not copied: who gives them keeps them until the
 * exchange is over (struct wf_keeper).  For rooms above, which have checked
 * all.
 */
#ifndef WEFT_TOPO_NEIGHBOR_PACKETS_H
#define WEFT_TOPO_NEIGHBOR_PACKETS_H

#include "plan/vec_arg.h"

struct weft_op;

struct wf_packet_side {
	char *base;
	const struct weft_type *type;
	size_t width;			/* elements of a packet, 1 at least */
	const uint32_t *index;		/* of each, edge by edge: its packet in
					   base; NULL: as they lie */
	const uint32_t *offs;		/* n + 1: the first one of each edge */
	/* What is received is combined, in packets of base: */
	const struct weft_op *op;	/* NULL: it is not; */
	size_t npackets;		/* so many are there; */
	const void *identity;		/* as in struct wf_fold_packets, */
	const uint32_t *order;		/* and the index has its first ones */
};

/* Fills in extents; an error is told. */
int wf_packets_extents(const struct wf_packet_side *side, struct wf_vec_arg *a,
		       struct wf_extent *extent);

/* For a packed copy of n edges; none: they lie packed. */
int wf_packets_parts(const struct wf_packet_side *side, int n,
		     struct wf_staged_part *part);

/* What combines those of n edges; WEFT_ERR_NOMEM. */
int wf_packets_fold(const struct wf_packet_side *side, struct weft_job *job,
		    int n, struct wf_fold **fold_p);

#endif
