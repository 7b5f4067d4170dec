/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans by ragged recursive multiplying, stage by stage (peers.h): what all of
 * them have in common.  In a stage a rank gives something to its targets and
 * takes something from one rank of each other block; only what that is, and
 * what is done with it, differs.
 */
#ifndef WEFT_COLL_RAGGED_H
#define WEFT_COLL_RAGGED_H

#include "coll/chain.h"
#include "coll/schedule.h"

/*
 * The schedule, whose channels are the (source, stage) pairs: of what the
 * program calls, and of the refills of context ids, which come as they come.
 */
extern const struct wf_schedule_kind wf_ragged_program, wf_ragged_ids;

/* Where the building stands. */
struct wf_ragged {
	struct wf_chain chain;
	const struct wf_schedule *schedule;
	struct wf_ragged_stage stage;	/* the present one */
	int stages;			/* begun so far */
	uint32_t out, in;		/* next edges of the set */
};

int wf_ragged_init(struct wf_ragged *r, const struct wf_schedule *s,
		   struct wf_set *set);

/* The next stage in which there are others; false: that was all. */
bool wf_ragged_next(struct wf_ragged *r);

/* Is the present one the last that the communicator has? */
bool wf_ragged_is_last(const struct wf_ragged *r);

/*
 * To all targets of the stage, and from a block that is not the own one.  Each
 * stage has a step of its own behind that: what is given next waits for it.
 */
void wf_ragged_give(struct wf_ragged *r, struct wf_place from, uint64_t bytes);
void wf_ragged_take(struct wf_ragged *r, struct wf_place to, uint64_t bytes);

/*
 * All stages of an allreduce of what is given, into the result or into scratch
 * memory (allreduce_ragged.c): the place of the value, which is what was given
 * where there is nobody else.
 */
struct wf_place wf_ragged_reduce(struct wf_ragged *r, uint64_t bytes,
				 bool to_result);

/* The builders, by algorithm. */
int wf_allreduce_build(const struct wf_schedule *s, struct wf_set *set,
		       const struct wf_coll_key *key, struct wf_plan **plan_p);
int wf_reduce_scatter_build(const struct wf_schedule *s, struct wf_set *set,
			    const struct wf_coll_key *key,
			    struct wf_plan **plan_p);
int wf_allgather_build(const struct wf_schedule *s, struct wf_set *set,
		       const struct wf_coll_key *key, struct wf_plan **plan_p);
int wf_scan_build(const struct wf_schedule *s, struct wf_set *set,
		  const struct wf_coll_key *key, struct wf_plan **plan_p);
int wf_exscan_build(const struct wf_schedule *s, struct wf_set *set,
		    const struct wf_coll_key *key, struct wf_plan **plan_p);
int wf_sides_build(const struct wf_schedule *s, struct wf_set *set,
		   const struct wf_coll_key *key, struct wf_plan **plan_p);

#endif
