/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waiting for signals, and testing.  Who raises one need not be known here
 * before, and may be the only rank of its node, whose end nobody else sees: so
 * a wait for all peers that lasts looks at one after the other.
 */
#include "job/liveness.h"
#include "rma/rma_signal.h"

enum {
	MS = 1000000		/* nanoseconds */
};

struct watch {
	struct wf_rma_wait wait;
	struct weft_signal *signal;
	uint64_t count;
	uint64_t seen;			/* of them, when it was looked last */
};

static struct watch *watch_of(struct wf_rma_wait *wait)
{
	return wf_container(wait, struct watch, wait);
}

/* ---- when it cannot come any more ---- */

/* Are all other ranks gone?  One of them; NULL: somebody is there. */
static struct wf_peer *find_all_gone(struct weft_comm *comm)
{
	struct wf_peer *peer = NULL;

	for (int r = 0; r < comm->size; r++) {
		if (r == comm->rank)
			continue;
		peer = wf_peer_find(comm->job, wf_comm_world_rank(comm, r));
		if (!peer || wf_peer_is_there(peer))
			return NULL;
	}
	return peer;
}

/* The same, and no request of this rank is to raise it, either. */
static struct wf_peer *all_gone(struct weft_signal *s)
{
	struct weft_job *job = wf_region_job(s->region);

	if (s->gone != job->gone) {
		s->gone = job->gone;
		s->last = find_all_gone(s->region->rma->comm);
	}
	return s->region->active ? NULL : s->last;
}

/* Of all peers: who has closed its job has raised all that it would. */
static bool misses_one(struct wf_rma_wait *wait)
{
	struct wf_peer *peer = wf_comm_dead(wait->region->rma->comm);
	const char *alone = "";

	if (!peer) {
		peer = all_gone(watch_of(wait)->signal);
		alone = "nobody else is there; ";
	}
	if (peer)
		wf_rma_fail(wait, wf_peer_status(peer),
			    "%s: %srank %d on host %s %s", wait->call, alone,
			    peer->rank, wf_peer_host(peer), wf_peer_why(peer));
	return peer;
}

static bool step(struct wf_rma_wait *wait)
{
	struct watch *w = watch_of(wait);

	uint64_t count = wf_rma_signal_count(w->signal);

	if (count != w->seen)
		wf_rma_signal_credit(w->signal);
	w->seen = count;
	/* What came before an end counts. */
	if (count >= w->count)
		return true;
	return wait->link ? wf_rma_is_lost(wait) : misses_one(wait);
}

/* ---- who is looked at ---- */

/* World ranks; -1: those were all. */
static int next_raiser(const struct weft_signal *s, struct wf_round *round)
{
	struct weft_comm *comm = s->region->rma->comm;

	round->among = comm->size;
	if (round->at == comm->size)
		return -1;
	return wf_comm_world_rank(comm, round->at++);
}

static int may_hear(struct wf_listener *listener, struct wf_round *round)
{
	struct wf_rma_wait *wait = wf_container(listener, struct wf_rma_wait,
						listener);

	return next_raiser(watch_of(wait)->signal, round);
}

static void look_at_some(struct weft_job *job, struct weft_signal *s)
{
	int share = wf_live_share(job, s->region->rma->comm->size);

	while (share-- > 0) {
		int rank = next_raiser(s, &s->round);

		if (rank < 0)
			s->round.at = 0;
		else
			wf_live_watch(job, rank);
	}
}

/* Tests in vain are a wait that the detector does not see. */
static void look_after(struct watch *w)
{
	struct weft_signal *s = w->signal;
	struct weft_job *job = wf_region_job(s->region);
	uint64_t tick = job->live_tick;

	job->asked = true;
	if (!s->since)
		s->since = tick;
	if (tick == s->looked ||
	    tick < s->since + (uint64_t)WF_LIVE_AGE_MS * MS)
		return;
	s->looked = tick;
	if (w->wait.link) {
		wf_live_await(w->wait.link->peer);
		return;
	}
	look_at_some(job, s);
}

/* ---- the public calls ---- */

static struct watch watch(struct weft_signal *s, const char *call,
			  uint64_t count)
{
	struct weft_region *region = s->region;
	struct wf_rma_link *link = NULL;

	if (s->one)
		link = wf_map_get(&region->links, (uint64_t)s->peer);
	return (struct watch){
		.wait = { .call = call, .region = region, .link = link,
			  .step = step, .what = "a signal",
			  .listener = { .poller.listens = !link,
					.may_hear = may_hear } },
		.signal = s, .count = count, .seen = UINT64_MAX
	};
}

static int test(struct weft_signal *s, uint64_t count, bool *reached_p)
{
	struct watch w = watch(s, "weft_signal_test", count);
	struct weft_job *job = wf_region_job(s->region);

	if (!reached_p)
		return wf_job_fail(job, WEFT_ERR_ARG,
				   "%s: reached_p is NULL", w.wait.call);
	if (wf_rma_signal_count(s) < count) {
		look_after(&w);
		if (!wf_job_progress(job))
			wf_job_idle(job);
	}
	w.wait.over = step(&w.wait);
	if (w.wait.status)
		return wf_job_fail(job, w.wait.status, "%s", w.wait.error);
	if (w.wait.over)
		s->since = 0;
	*reached_p = w.wait.over;
	return WEFT_OK;
}

int weft_signal_test(struct weft_signal *signal, uint64_t count,
		     bool *reached_p)
{
	int status = signal ? wf_region_enter(signal->region, __func__) :
			      WEFT_ERR_ARG;

	if (status)
		return status;
	status = test(signal, count, reached_p);
	return wf_comm_leave(signal->region->rma->comm, status);
}

int weft_signal_wait(struct weft_signal *signal, uint64_t count)
{
	int status = signal ? wf_region_enter(signal->region, __func__) :
			      WEFT_ERR_ARG;
	struct watch w;

	if (status)
		return status;
	w = watch(signal, "weft_signal_wait", count);
	status = wf_rma_await(&w.wait);
	return wf_comm_leave(signal->region->rma->comm, status);
}
