/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bytes of each rank, ahead of what goes along the tree: a rank knows its own,
 * and the root those of all; who passes on what others give or get has to learn
 * them first.
 */
#ifndef WEFT_COLL_LENGTHS_H
#define WEFT_COLL_LENGTHS_H

#include "coll/tree.h"

struct wf_lengths {
	struct wf_coll_key key;		/* of what comes behind them */
	struct wf_tree_row row;		/* this side of the link to the root */
	uint64_t *bytes;		/* of each rank of the row */
};

/* With what this rank knows; WEFT_ERR_NOMEM. */
int wf_lengths_init(struct wf_lengths *l, const struct wf_schedule *s,
		    const struct wf_coll_key *key);
void wf_lengths_fini(struct wf_lengths *l);

/* Of the operation that completes them, ahead of that of another key. */
struct wf_coll_key wf_lengths_key(const struct wf_coll_key *behind);

/* A request for it, not started. */
int wf_lengths_request(struct wf_lengths *l, struct wf_schedule *s,
		       struct wf_run_request **req_p);

/*
 * They have come: the key gets its ends, as its builder wants them.  An error
 * if they are not what this rank was called with, and why it is one.
 */
int wf_lengths_settle(struct wf_lengths *l, const struct weft_comm *comm,
		      char *why, size_t room);

int wf_lengths_build(const struct wf_schedule *s, struct wf_set *set,
		     const struct wf_coll_key *key, struct wf_plan **plan_p);

#endif
