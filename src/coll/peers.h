/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who talks to whom: the schedules of collectives as pure functions.
 *
 * One bracket: the ranks [0, size) are split at their middle, the left half
 * one longer if their number is odd, and each half again, down to single ranks.
 * The value of a node of this tree is value(left) op value(right), so the bits
 * of a reduction depend on the number of ranks alone.
 *
 * A stage of radix 2^m joins up to m levels of the tree; the stages run
 * bottom-up. Before a stage all ranks of a block hold the value of that block;
 * each takes the value of every other block of its group from one rank there
 * and combines them as the tree says. So operands stay in rank order, and any
 * size takes ceil(log_radix(size)) stages; of the ways to cut the levels into
 * so many stages the one with the fewest messages is taken.
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
#include <stdint.h>

enum {
	WF_RAGGED_RADIX_MAX = 16,
	WF_RAGGED_TARGETS_MAX = 2 * (WF_RAGGED_RADIX_MAX - 1)
};

/* How the levels of the tree are cut into stages. */
struct wf_ragged_cuts {
	int size;		/* ranks */
	uint8_t stages;
	uint8_t bottom;		/* levels of the first stage, */
	uint8_t least;		/* of each one above it, */
	uint8_t more;		/* the lowest of which have one more */
};

/* For size >= 1 ranks and a radix of 2, 4, 8 or 16. */
struct wf_ragged_cuts wf_ragged_cut(int size, int radix);

/* The left half of n >= 2 neighbours in the tree, ranks or a stage's blocks. */
static inline int wf_ragged_half(int n)
{
	return n - n / 2;
}

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

/* Stage 0 comes first in time; stage < cuts->stages. */
void wf_ragged_stage(const struct wf_ragged_cuts *cuts, int rank, int stage,
		     struct wf_ragged_stage *stage_p);

/*
 * The tree of the same blocks, for operations with a root: the first rank of
 * each block has a link to the first one of its group.  So the ranks of a block
 * are a subtree, in order, and rank 0 is its top; a rank has at most as many
 * links as the stages have other blocks, and one, and all ranks together have
 * 2 (size - 1).
 *
 * The ranks of a single stage are a mesh instead, as rank 0 has a link to each
 * anyway: each has one to each, whose end is where its ranks end.
 */
struct wf_tree_link {
	int rank;		/* at its other end */
	int low, end;		/* the ranks there; of the one above: none */
};

static inline bool wf_tree_is_mesh(const struct wf_ragged_cuts *cuts)
{
	return cuts->stages <= 1;
}

/* Links that a rank has at most, and one. */
int wf_tree_most(const struct wf_ragged_cuts *cuts);

/*
 * That to the rank above comes first, then the largest blocks; of a mesh the
 * next rank, and so round.  How many.
 */
int wf_tree_links(const struct wf_ragged_cuts *cuts, int rank,
		  struct wf_tree_link *link);

/* The link behind which `root` is; -1: it is this rank. */
int wf_tree_toward(const struct wf_tree_link *link, int nlinks, int rank,
		   int root);

#endif
