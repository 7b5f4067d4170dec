/* SPDX-License-Identifier: BSD-3-Clause */
/* Who is on a CPU, and who is not: see yield.h. */
#include "job/yield.h"

#include <sched.h>
#include <stdatomic.h>
#include "job/job.h"
#include "job/peer.h"

enum {
	SOME = 8		/* ranks of one poller that are asked about */
};

static bool is_on(const struct weft_job *job, int rank)
{
	const struct wf_peer *peer = wf_peer_find(job, rank);
	const struct wf_ep *ep = peer && rank != job->rank ? peer->ep : NULL;

	return ep && ep->away &&
	       !atomic_load_explicit(ep->away, memory_order_relaxed);
}

static bool is_served(const struct weft_job *job, struct wf_poller *p)
{
	struct wf_round round = { .old = false };
	int cursor = 0, n = 0, rank;

	if (p->for_others)
		return false;
	while (n++ < SOME && (rank = p->waits_for(p, &cursor)) >= 0)
		if (is_on(job, rank))
			return true;
	while (p->listens && n++ < SOME &&
	       (rank = wf_listener(p)->may_hear(wf_listener(p), &round)) >= 0)
		if (is_on(job, rank))
			return true;
	return false;
}

bool wf_job_is_served(struct weft_job *job)
{
	for (struct wf_list *at = job->pollers.next; at != &job->pollers;
	     at = at->next)
		if (is_served(job, wf_container(at, struct wf_poller, link)))
			return true;
	return false;
}

void wf_job_set_away(struct weft_job *job, bool away)
{
	for (int i = 0; i < job->ndevs; i++)
		if (job->dev[i]->away)
			atomic_store_explicit(job->dev[i]->away, away,
					      memory_order_relaxed);
}

void wf_job_yield(struct weft_job *job)
{
	wf_job_set_away(job, true);
	sched_yield();
	wf_job_set_away(job, false);
}
