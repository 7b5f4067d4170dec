/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations that a rank cannot make, for lack of memory or another reason:
 * each takes its number all the same, and is an error at all that wait for the
 * rank.  For the schedules; what calls need of it is in schedule.h.
 */
#ifndef WEFT_COLL_REFUSAL_H
#define WEFT_COLL_REFUSAL_H

#include "coll/schedule.h"

/* The run in reserve, when a schedule is made; WEFT_ERR_NOMEM. */
int wf_refusal_reserve(struct wf_schedule *s);

/*
 * By the run in reserve.  Where that is under way it waits for it only without
 * memory.  The run says how it ended also when nobody uses it any more.
 */
struct wf_run *wf_refusal_start(struct wf_schedule *s,
				const struct wf_coll_key *key, int status);

/* There is no memory for the schedule: told, and noted for when there is. */
int wf_coll_miss(struct weft_comm *comm, const struct wf_coll_key *key,
		 int status);

/*
 * What was missed, n of them, is refused in that order; WEFT_ERR_NOMEM: some of
 * it is still to be.
 */
int wf_refusals_make_up(struct wf_schedule *s, uint16_t *n);

#endif
