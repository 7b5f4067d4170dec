/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans by ragged recursive multiplying, stage by stage (peers.h): what all of
 * them have in common.  In a stage a rank gives something to its targets and
 * takes something from one rank of each other block; only what that is, and
 * what is done with it, differs.
 */
#ifndef WEFT_COLL_RAGGED_H
#define WEFT_COLL_RAGGED_H

#include "coll/coll.h"
#include "coll/peers.h"

/* Edges of a rank: out and in, stage by stage. */
struct wf_ragged_edges {
	int nout, nin;
	struct wf_edge *out, *in;
};

int wf_ragged_edges_init(struct wf_ragged_edges *e,
			 const struct wf_coll *coll);
void wf_ragged_edges_fini(struct wf_ragged_edges *e);

/* Where the building stands. */
struct wf_ragged {
	struct wf_builder b;
	const struct wf_coll *coll;
	struct wf_ragged_stage stage;	/* the present one */
	int stages;			/* begun so far */
	uint32_t out, in;		/* next edges of the set */
	uint32_t last;			/* the last step of its own */
	int nbefore;			/* what the next of them has to await */
	uint32_t before[WF_RAGGED_TARGETS_MAX + WF_RAGGED_RADIX_MAX];
};

int wf_ragged_init(struct wf_ragged *r, const struct wf_coll *coll);

/* The next stage in which there are others; false: that was all. */
bool wf_ragged_next(struct wf_ragged *r);

/* Is the present one the last that the communicator has? */
bool wf_ragged_is_last(const struct wf_ragged *r);

/* To all targets of the stage, and from a block that is not the own one. */
void wf_ragged_give(struct wf_ragged *r, struct wf_place from, uint64_t bytes);
void wf_ragged_take(struct wf_ragged *r, struct wf_place to, uint64_t bytes);

/*
 * A step of the rank itself, behind all that was given and taken since the last
 * one.  Each stage has one: what is given next waits for it.
 */
void wf_ragged_then(struct wf_ragged *r, uint32_t step);

/* The same of operations on vectors of so many bytes. */
void wf_ragged_reduce(struct wf_ragged *r, struct wf_place left,
		      struct wf_place right, struct wf_place to,
		      uint64_t bytes);
void wf_ragged_copy(struct wf_ragged *r, struct wf_place from,
		    struct wf_place to, uint64_t bytes);

/*
 * Where a reduction goes whose right operand is not asked for any more: into
 * that, if it is no memory of the program.  It may have been sent: a step of
 * the rank itself waits until that is done.
 */
struct wf_place wf_ragged_into(struct wf_ragged *r, struct wf_place right,
			       uint64_t bytes);

/*
 * The value of n neighbouring blocks of the stage, whose own ones are given, in
 * the bracket of the tree: of several in the place of the last one if that may
 * be, or in *to where that is given.  None of them is there any more but the
 * first.
 */
struct wf_place wf_ragged_fold(struct wf_ragged *r,
			       const struct wf_place *block, int n,
			       uint64_t bytes, const struct wf_place *to);

#endif
