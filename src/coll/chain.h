/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Steps of a rank itself, in a row, each behind all that was sent and received
 * since the one before: how builders of reductions write their plans down.
 */
#ifndef WEFT_COLL_CHAIN_H
#define WEFT_COLL_CHAIN_H

#include "coll/peers.h"
#include "plan/plan.h"

struct wf_chain {
	struct wf_builder b;
	uint32_t last;			/* the last step of its own */
	int nbefore;			/* what the next of them has to await */
	uint32_t before[WF_RAGGED_TARGETS_MAX + WF_RAGGED_RADIX_MAX];
};

int wf_chain_init(struct wf_chain *c, struct wf_set *set);

/* A step that the last one has to come before; the next one awaits it. */
void wf_chain_behind(struct wf_chain *c, uint32_t step);
void wf_chain_await(struct wf_chain *c, uint32_t step);

/*
 * A receive, which the next step awaits.  What lands without help is looked at
 * when its turn has come: a pass looks at few edges.  Above that the receiver
 * must offer memory first, and does so from the start.
 */
void wf_chain_recv(struct wf_chain *c, uint32_t edge, struct wf_place to,
		   uint64_t bytes);

/* A send, behind the last step; the next one awaits it. */
void wf_chain_send(struct wf_chain *c, uint32_t edge, struct wf_place from,
		   uint64_t bytes);

/* The next step. */
void wf_chain_then(struct wf_chain *c, uint32_t step);

/* The same of operations on vectors of so many bytes. */
void wf_chain_reduce(struct wf_chain *c, struct wf_place left,
		     struct wf_place right, struct wf_place to,
		     uint64_t bytes);
void wf_chain_copy(struct wf_chain *c, struct wf_place from,
		   struct wf_place to, uint64_t bytes);

/*
 * Where a reduction goes whose right operand is not asked for any more: into
 * that, if it is no memory of the program.  It may have been sent: a step of
 * the rank itself waits until that is done.
 */
struct wf_place wf_chain_into(struct wf_chain *c, struct wf_place right,
			      uint64_t bytes);

/*
 * The value of n neighbouring blocks of a stage, whose own ones are given, in
 * the bracket of the tree: of several in the place of the last one if that may
 * be, or in *to where that is given.  None of them is there any more but the
 * first.
 */
struct wf_place wf_chain_fold(struct wf_chain *c, const struct wf_place *block,
			      int n, uint64_t bytes, const struct wf_place *to);

#endif
