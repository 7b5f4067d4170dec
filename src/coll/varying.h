/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gathers and scatters of ranks with different sizes: two operations in a row
 * along the tree, the lengths and what they are of.  The second one has its
 * edges and numbers from the call on, and is held until its sizes are known.
 */
#ifndef WEFT_COLL_VARYING_H
#define WEFT_COLL_VARYING_H

#include "coll/tree.h"

/* Starts the first one; the request is that of the second. */
int wf_varying_request(struct wf_schedule *s, const struct wf_coll_key *key,
		       struct wf_run_request **req_p);

/*
 * The first one alone, from start to completion; its status was told.  Where
 * the key had no ends they are the caller's.
 */
int wf_varying_learn(struct weft_comm *comm, struct wf_coll_key *key);

#endif
