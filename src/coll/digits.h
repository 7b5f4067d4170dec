/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The schedule by the digits of distances: what is to go from a rank to the one
 * that is so far above it, all around, goes a digit a round, in the base of the
 * radix, the lowest digit first.  So a rank has an edge to, and from, each rank
 * whose distance has one digit that is not 0: at most 7 ceil(log_8 P).
 */
#ifndef WEFT_COLL_DIGITS_H
#define WEFT_COLL_DIGITS_H

#include "coll/schedule.h"

extern const struct wf_schedule_kind wf_digits_kind;

static inline int wf_digits_base(const struct weft_comm *comm)
{
	return (int)comm->job->config.coll;
}

/* One digit of a distance, the others being 0. */
struct wf_digit {
	int64_t unit;			/* 1, base, its square, ... */
	int digit;			/* 1 to base - 1 */
};

/*
 * To the next edge, out and in alike; the first one is that of { 1, 1 }, if
 * there is another rank.  False: that was the last.
 */
bool wf_digits_next(const struct weft_comm *comm, struct wf_digit *d);

/* The builder of alltoall. */
int wf_alltoall_build(const struct wf_schedule *s, struct wf_set *set,
		      const struct wf_coll_key *key, struct wf_plan **plan_p);

#endif
