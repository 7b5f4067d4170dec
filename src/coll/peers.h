/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who talks to whom: the schedules of collectives as pure functions.
 *
 * Ragged recursive multiplying: the ranks [0, size) are cut top-down into at
 * most radix near-equal contiguous blocks, each of those again, down to single
 * ranks; the stages run bottom-up. Before a stage all ranks of a block hold
 * the value of that block; each takes the value of every other block of its
 * group from one rank there and combines them in block order. So operands
 * stay in rank order, any size takes ceil(log_radix(size)) stages, and the
 * bracket depends on size and radix alone.
 *
 * Each block gives to the next one first, and goes round: with equal blocks
 * the i-th posts of a stage go to different ranks, so nobody's value comes to
 * all behind those of the others.
 *
 * Called when a schedule is built. Nothing here holds memory per rank.
 */
#ifndef WEFT_COLL_PEERS_H
#define WEFT_COLL_PEERS_H

#include <stdbool.h>

enum {
	WF_RAGGED_RADIX_MAX = 16,
	WF_RAGGED_TARGETS_MAX = 2 * (WF_RAGGED_RADIX_MAX - 1)
};

/* One stage as one rank sees it. */
struct wf_ragged_stage {
	int low;	/* its group is the ranks [low, end) */
	int end;
	int nblocks;	/* of the group; 1: nothing to do in this stage */
	int own;	/* index of the block that contains the rank */
	int first[WF_RAGGED_RADIX_MAX + 1];	/* rank per block; end */
	int source[WF_RAGGED_RADIX_MAX];	/* per block; own: the rank */
	int ntargets;	/* ranks that take from this one, */
	int target[WF_RAGGED_TARGETS_MAX];	/* ascending from own, round */
};

/* Stages for size >= 1 ranks and a radix in 2..WF_RAGGED_RADIX_MAX. */
int wf_ragged_stages(int size, int radix);

/* Stage 0 comes first in time; stage < wf_ragged_stages(size, radix). */
void wf_ragged_stage(int size, int radix, int rank, int stage,
		     struct wf_ragged_stage *stage_p);

/*
 * The tree of the same blocks, for operations with a root: the first rank of
 * each block has a link to the first one of its group.  So the ranks of a block
 * are a subtree, in order, and rank 0 is its top; a rank has at most
 * (radix - 1) * stages + 1 links, and all ranks together 2 (size - 1).
 *
 * Up to radix ranks are a mesh instead, as rank 0 has a link to each anyway:
 * each has one to each, whose end is where its ranks end.
 */
struct wf_tree_link {
	int rank;		/* at its other end */
	int low, end;		/* the ranks there; of the one above: none */
};

static inline bool wf_tree_is_mesh(int size, int radix)
{
	return size <= radix;
}

/* Links that a rank has at most, and one. */
int wf_tree_most(int size, int radix);

/*
 * That to the rank above comes first, then the largest blocks; of a mesh the
 * next rank, and so round.  How many.
 */
int wf_tree_links(int size, int radix, int rank, struct wf_tree_link *link);

/* The link behind which `root` is; -1: it is this rank. */
int wf_tree_toward(const struct wf_tree_link *link, int nlinks, int rank,
		   int root);

#endif
