/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tree of a communicator, for operations with a root: who of a block of the
 * ragged schedule is its first rank has a link to that of its group (peers.h).
 * An operation of any root goes along the same links, each in the one direction
 * or the other; there is an edge for each, in a set where edges count their
 * own epochs and the receiver gives credits.  So a root may run ahead of all
 * others by as much as its own links have slots, and nobody synchronises.
 *
 * Made at the first operation.  Called by the calls, with the job entered.
 */
#ifndef WEFT_COLL_TREE_H
#define WEFT_COLL_TREE_H

#include "coll/peers.h"
#include "plan/request_run.h"

enum { WF_TREE_WINDOW = 4 };

struct wf_tree {
	struct wf_cargo cargo;
	struct weft_comm *comm;
	bool mesh;			/* nobody passes on what comes */
	int nlinks;
	struct wf_tree_link *link;	/* out-edge i leads to the i-th, */
	struct wf_set *set;		/* and in-edge i comes from it */
	struct wf_run_request *own;	/* of calls that block: always there */
	struct wf_run_requests requests;
};

/* WEFT_ERR_NOMEM: nothing has begun, and a later call tries again. */
int wf_tree_of(struct weft_comm *comm, struct wf_tree **tree_p);

/* A request with a plan, not started. */
int wf_tree_request(struct wf_tree *tree, struct wf_run_request **req_p);

/*
 * The plan of a broadcast of any root and length, which only has to be aimed
 * before each start (bcast_tree.c): nothing is built or sought for a new one.
 */
int wf_bcast_build(struct wf_tree *tree, struct wf_plan **plan_p);
void wf_bcast_aim(const struct wf_tree *tree, struct wf_plan *plan, int root,
		  uint64_t bytes);

#endif
