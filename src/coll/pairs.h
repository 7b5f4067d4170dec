/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pairwise exchanges: what one rank has for another goes to it at once, by the
 * lane between them.  There are connections and lanes only between ranks that
 * bytes go between, and some partners under way.
 */
#ifndef WEFT_COLL_PAIRS_H
#define WEFT_COLL_PAIRS_H

#include "coll/schedule.h"
#include "plan/vec_arg.h"

/* What a rank gives to each of n, and then what it gets. */
struct wf_pair_extents {
	int n;
	struct wf_extent at[];
};

struct wf_pair_extents *wf_pair_extents_make(int n);

/* Without extents all have as many bytes, in the order of ranks. */
static inline struct wf_extent wf_pair_extent(const struct wf_coll_key *key,
					      bool gives, int rank)
{
	if (key->pairs)
		return key->pairs->at[gives ? rank : key->pairs->n + rank];
	return (struct wf_extent){ (int64_t)key->bytes * rank, key->bytes };
}

/* What goes to the rank so far above, or comes from the one so far below. */
struct wf_pair_leg {
	int rank;
	struct wf_extent at;
};

static inline struct wf_pair_leg wf_pair_leg(const struct weft_comm *comm,
					     const struct wf_coll_key *key,
					     bool gives, int far)
{
	int rank = comm->rank + (gives ? far : comm->size - far);
	struct wf_pair_leg leg = { .rank = rank % comm->size };

	leg.at = wf_pair_extent(key, gives, leg.rank);
	return leg;
}

/* Nonblocking ones, and those that block (pairs.c). */
extern const struct wf_coll_apart wf_pairs;

/* Persistent ones, whose set has an edge for each leg (pairs_plan.c). */
int wf_pairs_edges(const struct wf_schedule *s, const struct wf_coll_key *key,
		   struct wf_schedule_edges *e);
int wf_pairs_build(const struct wf_schedule *s, struct wf_set *set,
		   const struct wf_coll_key *key, struct wf_plan **plan_p);

#endif
