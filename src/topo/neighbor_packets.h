/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchanges of packets: each edge has some, wherever they lie in an array of
 * the program.  Which ones they are is known to a room above, whose lists are
 * not copied: their owner is held until the exchange is over.  Both sides of an
 * exchange are of packets.
 */
#ifndef WEFT_TOPO_NEIGHBOR_PACKETS_H
#define WEFT_TOPO_NEIGHBOR_PACKETS_H

#include <weft/vec.h>
#include "plan/vec_arg.h"

struct weft_op;

/* What can be done with owners. */
struct wf_keeper {
	void (*hold)(void *owner);
	void (*let_go)(void *owner);
};

/* What is received is combined. */
struct wf_packet_fold {
	const struct weft_op *op;
	const uint32_t *order;		/* as in struct wf_fold_packets; the
					   index has its first ones then */
};

struct wf_packet_side {
	void *base;			/* of what is given, or NULL */
	const char *name;		/* of the argument */
	int status;			/* WEFT_ERR_NOMEM: there are no lists */
	const struct weft_packets *given;
	size_t want;			/* so many they must be */
	const struct weft_packets *alike;	/* NULL, or as long ones */
	const uint32_t *index;		/* of each, edge by edge: its packet
					   there; NULL: as they lie */
	const uint32_t *offs;		/* n + 1: the first one of each edge */
	const uint32_t *inverse;	/* of an index that is a permutation, of
					   what is received; NULL: not known */
	const struct wf_packet_fold *fold;	/* NULL: it is not combined */
	const struct wf_keeper *keeper;	/* the same of both sides */
	void *owner;
};

/* Checks what is given, tells what is wrong, and fills in extents. */
int wf_packets_extents(const struct wf_packet_side *side, struct wf_vec_arg *a,
		       struct wf_extent *extent);

/* For a packed copy of n edges; none: they lie packed. */
int wf_packets_parts(const struct wf_packet_side *side, int n,
		     struct wf_staged_part *part);

/* All that are received, for the copy, where they can be taken at once. */
void wf_packets_whole(const struct wf_packet_side *side,
		      struct wf_staged *staged);

/* What combines those of n edges; WEFT_ERR_NOMEM. */
int wf_packets_fold(const struct wf_packet_side *side, struct weft_job *job,
		    int n, struct wf_fold **fold_p);

#endif
