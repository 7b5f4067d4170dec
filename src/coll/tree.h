/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tree of a communicator, for operations with a root: who of a block of the
 * ragged schedule is its first rank has a link to that of its group (peers.h).
 * An operation of any root goes along the same links, each in the one direction
 * or the other; there is an edge for each, in a set where edges count their
 * own epochs and the receiver gives credits.  So a root may run ahead of all
 * others by as much as its own links have slots, and nobody synchronises.
 *
 * Called by the calls, with the job entered.
 */
#ifndef WEFT_COLL_TREE_H
#define WEFT_COLL_TREE_H

#include "coll/schedule.h"

extern const struct wf_schedule_kind wf_tree_kind;

/* Which way an operation goes: by its algorithm. */
enum wf_tree_flow {
	WF_TREE_DOWN,			/* from the root to all */
	WF_TREE_UP,			/* from all to the root */
	WF_TREE_FOLD			/* to rank 0, and down to the root */
};

struct wf_tree {
	struct wf_schedule schedule;
	bool mesh;			/* nobody passes on what comes */
	int nlinks;
	struct wf_tree_link *link;	/* out-edge i leads to the i-th, and
					   in-edge i comes from it */
	struct wf_run_requests bcasts;	/* with plans of any broadcast */
};

static inline struct wf_tree *wf_tree(const struct wf_schedule *s)
{
	return wf_container(s, struct wf_tree, schedule);
}

/* The link toward a root; -1: it is this rank. */
static inline int wf_tree_to_root(const struct wf_tree *tree, int root)
{
	return wf_tree_toward(tree->link, tree->nlinks,
			      tree->schedule.comm->rank, root);
}

/* Ranks that follow each other; rank 0 follows the last one. */
struct wf_tree_row {
	int first, n;
};

/*
 * Those behind a link, and those on this side of the link to a root: at the
 * root, whose to_root is -1, all of them from itself on.
 */
struct wf_tree_row wf_tree_far(const struct wf_tree *tree, int link);
struct wf_tree_row wf_tree_near(const struct wf_tree *tree, int to_root);

/* Is it this rank, or one below it in the tree of rank 0? */
bool wf_tree_leads_to(const struct wf_tree *tree, int root);

/* Does an operation use the edge to the other end of a link, that from it? */
bool wf_tree_gives(const struct wf_tree *tree, enum wf_tree_flow flow,
		   int root, int link);
bool wf_tree_takes(const struct wf_tree *tree, enum wf_tree_flow flow,
		   int root, int link);

/* The builders, by algorithm; a broadcast has requests of its own. */
int wf_bcast_build(const struct wf_schedule *s, struct wf_set *set,
		   const struct wf_coll_key *key, struct wf_plan **plan_p);
int wf_reduce_build(const struct wf_schedule *s, struct wf_set *set,
		    const struct wf_coll_key *key, struct wf_plan **plan_p);
int wf_gather_build(const struct wf_schedule *s, struct wf_set *set,
		    const struct wf_coll_key *key, struct wf_plan **plan_p);
int wf_scatter_build(const struct wf_schedule *s, struct wf_set *set,
		     const struct wf_coll_key *key, struct wf_plan **plan_p);
int wf_bcast_request(struct wf_schedule *s, const struct wf_coll_key *key,
		     struct wf_run_request **req_p);

#endif
