/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is driven by progress while it is in the job's list, in the order in
 * which it came: a run of a plan, an object that waits to be given back.
 */
#ifndef WEFT_JOB_POLLER_H
#define WEFT_JOB_POLLER_H

#include <stdbool.h>
#include <stdint.h>
#include "base/list.h"

struct weft_comm;
struct weft_job;
struct wf_report;

/* A round of ranks any of which would do. */
struct wf_round {
	int at;			/* cursor */
	int among;		/* so many are in it */
	bool old;		/* of what has waited for WF_LIVE_AGE_MS only */
};

struct wf_poller {
	struct wf_list link;
	struct weft_job *job;
	/* Go on as far as possible; true: something happened. */
	bool (*poll)(struct wf_poller *poller);
	/*
	 * For which rank does it wait?  The next one after *cursor, or -1; in
	 * constant time.  Meanwhile it may have begun to wait for others.
	 */
	int (*waits_for)(struct wf_poller *poller, int *cursor);
	/* Add what is open here to a report; NULL: nothing. */
	void (*report)(struct wf_poller *poller, struct wf_report *to);
	uint64_t since;			/* when it began to wait; 0: not yet */
	bool old;			/* it has waited for WF_LIVE_AGE_MS */
	const struct weft_comm *comm;	/* of which the work is; NULL: of none,
					   or of several */
	bool for_others;		/* no wait of this rank */
	bool listens;			/* it is of a struct wf_listener */
	int turn;			/* the detector's cursor */
};

/* One that may wait for any of several ranks, too. */
struct wf_listener {
	struct wf_poller poller;
	/* The next one of the round, or -1. */
	int (*may_hear)(struct wf_listener *listener, struct wf_round *round);
	struct wf_round round;		/* the detector's */
};

static inline struct wf_listener *wf_listener(struct wf_poller *poller)
{
	return wf_container(poller, struct wf_listener, poller);
}

/* What it waits for begins now. */
static inline void wf_poller_renew(struct wf_poller *poller)
{
	poller->since = 0;
	poller->old = false;
}

void wf_poller_add(struct weft_job *job, struct wf_poller *poller);
void wf_poller_del(struct weft_job *job, struct wf_poller *poller);

#endif
