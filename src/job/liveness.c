/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The failure detector's policy: whom to probe, when, and what a death is
 * followed by.  How life is seen is behind struct wf_live_ops.
 */
#include "job/liveness.h"

#include "boot/boot.h"
#include "job/job.h"
#include "job/peer.h"

enum {
	MS = 1000000		/* nanoseconds */
};

/* What it mailed before counts, above all a bye. */
static void drain(struct wf_peer *peer)
{
	const struct weft_job *job = peer->job;

	for (int i = 0; i < job->ndevs; i++)
		job->dev[i]->ops->progress(job->dev[i]);
	wf_peer_look(peer);
}

void wf_live_died(struct weft_job *job, int rank, const char *why)
{
	struct wf_peer *peer = wf_peer_get(job, rank);

	if (!peer || !wf_peer_is_there(peer))
		return;
	drain(peer);
	if (!wf_peer_is_there(peer))
		return;
	wf_peer_gone(peer, WF_PEER_DEAD, why);
	for (int i = 0; i < job->ndevs; i++)
		job->dev[i]->ops->tell(job->dev[i], rank);
}

void wf_live_told_by_node(void *arg, int rank)
{
	struct weft_job *job = arg;
	struct wf_peer *peer = wf_peer_get(job, rank);

	/* No draining here: this is an upcall of progress, which drains. */
	if (peer && rank != job->rank)
		wf_peer_gone(peer, WF_PEER_DEAD,
			     "is dead: its process has ended, as a rank of its "
			     "node saw");
}

void wf_live_cut_off(struct wf_peer *peer, const char *why)
{
	wf_peer_gone(peer, WF_PEER_UNREACHABLE, why);
	peer->untold = peer->job->untold = true;
}

void wf_live_told_lost(void *arg, int rank)
{
	struct weft_job *job = arg;
	/* It may be that nothing of it has come yet. */
	struct wf_peer *peer = rank < job->size && rank != job->rank ?
			       wf_peer_get(job, rank) : NULL;

	if (!peer)
		return;
	drain(peer);
	if (!wf_peer_is_there(peer))
		return;
	peer->no_backend = true;
	wf_peer_gone(peer, WF_PEER_UNREACHABLE, "cannot be reached any more: "
		     "it has given the connection up, as it told");
	/* What is under way to it ends; without a fence, with its process. */
	(void)wf_peer_fence(peer);
}

/*
 * It lives, as far as anybody can tell, but what was posted to it may be lost
 * and nothing can follow: after some time, in which a death would have been
 * seen, those who wait for it end.
 */
static void look_for_broken(struct wf_peer *peer)
{
	uint64_t now = wf_job_now(peer->job);

	if (!peer->ep || !peer->ep->broken || !wf_peer_is_there(peer))
		return;
	if (!peer->lost)
		peer->lost = now;
	else if (now - peer->lost >= (uint64_t)WF_LIVE_BROKEN_MS * MS)
		wf_live_cut_off(peer, "cannot be reached any more: the "
				"connection to it is broken");
}

/* Whoever still owes it a bye, or has posts under way to it, need not wait. */
static void look_for_end(struct wf_peer *peer)
{
	char why[160];

	if (!peer->ended &&
	    peer->job->env.live->probe(peer, why, sizeof(why)))
		peer->ended = true;
}

/*
 * Probing connects: then a normal end is seen as a bye, and only the process
 * of a connected peer, or of one that somebody waits for, can be found dead.
 */
static void probe(struct weft_job *job, int rank, bool awaited)
{
	struct wf_peer *peer = wf_peer_get(job, rank);
	char why[160];

	if (peer && awaited && (peer->state == WF_PEER_LEFT ||
				peer->state == WF_PEER_UNREACHABLE))
		look_for_end(peer);
	if (!peer || rank == job->rank || !wf_peer_is_there(peer))
		return;
	if (!peer->ended && (awaited || !job->closing))
		wf_peer_connect(peer);
	if ((awaited || peer->state == WF_PEER_READY) &&
	    job->env.live->probe(peer, why, sizeof(why)))
		wf_live_died(job, rank, why);
	else if (awaited)
		look_for_broken(peer);
}

void wf_live_visit(struct wf_peer *peer)
{
	peer->suspected = true;
	peer->job->suspects = true;
}

void wf_live_await(struct wf_peer *peer)
{
	peer->awaited = true;
	wf_live_visit(peer);
}

void wf_live_look_at(struct wf_peer *peer)
{
	wf_live_visit(peer);
	peer->job->live_tick = 0;
}

void wf_live_suspect(void *arg, int rank, const char *why)
{
	struct weft_job *job = arg;
	struct wf_peer *peer = wf_peer_get(job, rank);

	wf_debug(&job->log, "rank %d is %s%s", rank,
		 why ? "suspected: " : "not suspected any more",
		 why ? why : "");
	if (!peer)
		return;
	peer->broken = why;
	if (!why)
		return;
	wf_live_look_at(peer);
}

static struct wf_peer *next_suspect(const struct weft_job *job)
{
	size_t cursor = 0;
	uint64_t rank;
	void *peer;

	while (wf_map_next(&job->peers, &cursor, &rank, &peer))
		if (((struct wf_peer *)peer)->suspected)
			return peer;
	return NULL;
}

/* A probe may add peers: the search begins anew after each. */
static void probe_suspects(struct weft_job *job)
{
	struct wf_peer *peer;
	bool awaited;

	job->suspects = false;
	while ((peer = next_suspect(job))) {
		awaited = peer->awaited || wf_peer_is_wanted(peer);
		peer->suspected = peer->awaited = false;
		probe(job, peer->rank, awaited);
	}
}

/* The next living rank of the node, so that each death is seen by somebody. */
static void probe_ring(struct weft_job *job)
{
	int n = wf_boot_node_size(job->boot);
	int at = wf_boot_node_rank(job->boot);

	for (int i = 1; i < n; i++) {
		int rank = wf_boot_node_member(job->boot, (at + i) % n);
		struct wf_peer *peer = wf_peer_get(job, rank);

		if (!peer || !wf_peer_is_there(peer))
			continue;
		probe(job, rank, false);
		if (wf_peer_is_there(peer) && !peer->ended)
			return;
	}
}

bool wf_live_is_old(const struct weft_job *job, uint32_t born)
{
	return (int32_t)(job->live_mark[2] - born) > 0;
}

/*
 * It looks once more.  Marks are numbers of looks that are half an age apart,
 * or more: the third one is an age old.
 */
static void count_look(struct weft_job *job, uint64_t now)
{
	job->live_tick = now;
	job->live_looks++;
	if (now - job->live_marked < (uint64_t)WF_LIVE_AGE_MS * MS / 2)
		return;
	job->live_marked = now;
	job->live_mark[2] = job->live_mark[1];
	job->live_mark[1] = job->live_mark[0];
	job->live_mark[0] = job->live_looks;
}

/* Probe whom an old wait waits for; true: the poller is old. */
static bool look_at(struct weft_job *job, struct wf_poller *p, uint64_t now)
{
	int cursor = 0, rank;

	if (!p->since)
		p->since = now;
	if (now - p->since < WF_LIVE_AGE_MS * UINT64_C(1000000))
		return false;
	p->old = true;
	job->looked_at = p;
	while (job->looked_at == p && (rank = p->waits_for(p, &cursor)) >= 0)
		probe(job, rank, true);
	job->looked_at = NULL;
	return true;
}

/*
 * A death ends what waits for mails to the dead, and so a probe may take any
 * poller out: this one, which may be gone with that, and the next one.
 */
static bool look_at_all(struct weft_job *job, uint64_t now)
{
	struct wf_list *at = job->pollers.next;
	bool old = false;

	while (at != &job->pollers) {
		job->next_poller = at->next;
		old |= look_at(job, wf_container(at, struct wf_poller, link),
			       now);
		at = job->next_poller;
	}
	return old;
}

/* Those that were connected since; some hosts answer late. */
static void meet_strangers(struct weft_job *job)
{
	size_t cursor = 0;
	uint64_t rank;
	void *at;

	job->strangers = false;
	while (wf_map_next(&job->peers, &cursor, &rank, &at)) {
		struct wf_peer *peer = at;

		if (peer->strange)
			peer->strange = peer->state == WF_PEER_READY &&
					!job->env.live->meet(peer);
		job->strangers |= peer->strange;
	}
}

/* Those that were given up, and have not heard of it. */
static void tell_lost(struct weft_job *job)
{
	const struct wf_live_ops *live = job->env.live;
	size_t cursor = 0;
	uint64_t rank;
	void *at;

	job->untold = false;
	while (live->say_lost &&
	       wf_map_next(&job->peers, &cursor, &rank, &at)) {
		struct wf_peer *peer = at;

		peer->untold = peer->untold && !live->say_lost(peer);
		job->untold |= peer->untold;
	}
}

void wf_live_progress(struct weft_job *job)
{
	uint64_t now = wf_job_now(job);
	bool old = job->asked;

	if (now - job->live_tick < (uint64_t)WF_LIVE_TICK_MS * MS)
		return;
	count_look(job, now);
	job->asked = false;
	wf_lifeline_serve(&job->lifeline, now);
	if (job->strangers)
		meet_strangers(job);
	if (job->suspects)
		probe_suspects(job);
	old |= look_at_all(job, now);
	if (job->untold)
		tell_lost(job);
	if (old)
		probe_ring(job);
}
