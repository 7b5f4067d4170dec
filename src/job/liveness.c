/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The failure detector's policy: whom to probe, when, and what a death is
 * followed by.  How life is seen is behind struct wf_live_ops.
 */
#include "job/liveness.h"

#include <string.h>
#include "base/text.h"
#include "boot/boot.h"
#include "job/job.h"
#include "job/peer.h"

enum {
	MS = 1000000,		/* nanoseconds */
	ROUND = 64,		/* ticks, of ranks any of which would do */
	FRESH_MS = 1000,	/* from a call of one of them to the next */
	/* Looks of a tick that each leaves to those that come behind it. */
	LEFT_BY_SUSPECTS = WF_LIVE_LOOKS / 2,
	LEFT_BY_WAITS = 16
};

void wf_live_init(struct weft_job *job)
{
	job->live_turn = &job->pollers;
	wf_list_init(&job->suspects);
}

/* The ticks see to it, behind those that are there. */
static void enlist(struct wf_peer *peer)
{
	if (wf_list_empty(&peer->suspect))
		wf_list_add_tail(&peer->job->suspects, &peer->suspect);
}

void wf_live_connected(struct wf_peer *peer)
{
	peer->job->connected++;
	peer->strange = true;
	enlist(peer);
}

int wf_live_share(struct weft_job *job, int among)
{
	int share = 1 + among / ROUND;

	/* All but the own rank stay open: to look at them costs little. */
	if (among <= WF_WATCHED + 1)
		return among;
	job->watch.turns = true;
	return share < WF_LIVE_LOOKS / 2 ? share : WF_LIVE_LOOKS / 2;
}

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

void wf_live_told_by_node(void *arg, int rank, bool left)
{
	struct weft_job *job = arg;
	struct wf_peer *peer = wf_peer_get(job, rank);

	if (!peer || rank == job->rank)
		return;
	/* No draining here: this is an upcall of progress, which drains. */
	if (!left)
		wf_peer_gone(peer, WF_PEER_DEAD,
			     "is dead, as a rank of its node saw");
	else if (peer->state < WF_PEER_READY)
		wf_peer_gone(peer, WF_PEER_LEFT, "has closed its job");
}

void wf_live_cut_off(struct wf_peer *peer, const char *why)
{
	wf_peer_gone(peer, WF_PEER_UNREACHABLE, why);
	peer->lost = 0;
	/* Who has lost oneself knows it. */
	peer->untold = peer->job->env.live->say_lost &&
		       peer->rank != peer->job->rank;
	enlist(peer);
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

static void cut_off_broken(struct wf_peer *peer)
{
	wf_live_cut_off(peer, "cannot be reached any more: the connection to "
			"it is broken");
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
		cut_off_broken(peer);
}

/* That of this rank to itself: no death is behind it. */
static void look_at_oneself(struct wf_peer *self)
{
	if (self->ep && self->ep->broken && wf_peer_is_there(self))
		cut_off_broken(self);
}

/*
 * Its data path has never been reached, nor its lifeline, or that shows that it
 * would have answered.  That is no death, and nobody else need see it so.
 */
static void look_for_unheard(struct wf_peer *peer)
{
	const struct weft_job *job = peer->job;
	const struct wf_live_ops *live = job->env.live;
	const struct wf_ep *ep = peer->ep;
	char what[160], why[WF_PEER_WHY] = "";

	if (!wf_peer_is_connecting(peer) || !live->is_unheard ||
	    !live->is_unheard(peer, what, sizeof(what)))
		return;
	wf_text_add(why, sizeof(why), "cannot be reached since %llu s "
		    "(WEFT_HOST_TIMEOUT): no answer at %s (%s%s%s), %s; "
		    "look for a route, or a firewall, between the hosts, or "
		    "choose another network (WEFT_OFI_INTERFACE, "
		    "WEFT_IB_DEVICES)",
		    (unsigned long long)(job->config.host_timeout_ns /
					 1000000000),
		    ep->where ? ep->where : "its address", ep->dev->ops->name,
		    ep->failed ? ": " : "",
		    ep->failed ? strerror(ep->failed) : "", what);
	peer->no_backend = true;
	wf_live_cut_off(peer, why);
}

static void look_for_trouble(struct wf_peer *peer)
{
	look_for_broken(peer);
	look_for_unheard(peer);
}

/*
 * Its process has ended.  Who was connected has had its bye, if it has closed
 * its job; the memory of the node tells that, too.  Else others are asked.
 */
static void has_ended(struct wf_peer *peer, const char *why)
{
	if (peer->state == WF_PEER_READY || !peer->job->leave.on ||
	    wf_live_tells_leaving(peer))
		wf_live_died(peer->job, peer->rank, why);
	else
		wf_leave_ask(peer, true);
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
static void probe_other(struct wf_peer *peer, bool awaited)
{
	struct weft_job *job = peer->job;
	char why[160];

	if (awaited && (peer->state == WF_PEER_LEFT ||
			peer->state == WF_PEER_UNREACHABLE))
		look_for_end(peer);
	if (!wf_peer_is_there(peer))
		return;
	if (!peer->ended && (awaited || !job->closing))
		wf_peer_connect(peer);
	if ((awaited || peer->state == WF_PEER_READY) &&
	    job->env.live->probe(peer, why, sizeof(why)))
		has_ended(peer, why);
	else if (awaited)
		look_for_trouble(peer);
}

static void probe(struct weft_job *job, int rank, bool awaited)
{
	struct wf_peer *peer = wf_peer_get(job, rank);

	if (peer && rank == job->rank)
		look_at_oneself(peer);
	else if (peer)
		probe_other(peer, awaited);
}

/* Where pids differ, as between containers, no memory is shared. */
bool wf_live_tells_leaving(struct wf_peer *peer)
{
	const struct weft_job *job = peer->job;

	if (wf_boot_node_index(job->boot, peer->rank) < 0 ||
	    wf_peer_read_blob(peer) ||
	    !wf_blob_same_pids(&job->blob, &peer->blob))
		return false;
	for (int i = 0; i < job->ndevs; i++)
		if (job->dev[i]->caps & WF_CAP_TELLS_LEAVING)
			return true;
	return false;
}

static uint32_t now_ms(const struct weft_job *job)
{
	return (uint32_t)(job->live_tick / MS);
}

/* It need not be called again so soon, once its place was given on. */
static bool has_just_answered(const struct wf_peer *peer)
{
	return !peer->probe && peer->answered &&
	       now_ms(peer->job) - peer->answered < FRESH_MS;
}

static void look_at_watched(struct wf_peer *peer)
{
	const struct wf_live_ops *live = peer->job->env.live;
	char why[160];

	if (live->probe(peer, why, sizeof(why)))
		has_ended(peer, why);
	else if (live->is_refused && live->is_refused(peer) &&
		 peer->state == WF_PEER_NEW)
		wf_leave_ask(peer, false);
	else
		look_for_trouble(peer);
	if (peer->probe && live->is_seen(peer))
		peer->answered = now_ms(peer->job);
}

/*
 * It is not connected to where its leaving is told.  False: too many are looked
 * at already, and it has to be tried again.
 */
static bool watch(struct weft_job *job, int rank)
{
	struct wf_peer *peer = rank == job->rank ? NULL :
						   wf_peer_get(job, rank);

	if (peer && wf_leave_knows(job, rank))
		wf_peer_gone(peer, WF_PEER_LEFT, "has closed its job");
	if (!peer || !wf_peer_is_there(peer))
		return true;
	if (!job->leave.on && !wf_live_tells_leaving(peer)) {
		probe(job, rank, true);
		return true;
	}
	if (has_just_answered(peer))
		return true;
	if (!wf_watch_take(&job->watch, peer, job->live_tick))
		return false;
	look_at_watched(peer);
	return true;
}

/* Those that have not answered since they got their places. */
static void look_at_unseen(struct weft_job *job)
{
	for (int i = 0; i < WF_WATCHED; i++) {
		struct wf_peer *peer = job->watch.place[i].peer;

		if (peer && wf_peer_is_there(peer) && !peer->ended &&
		    !wf_watch_has_seen(&job->watch.place[i]))
			look_at_watched(peer);
	}
}

void wf_live_visit(struct wf_peer *peer)
{
	peer->suspected = true;
	enlist(peer);
}

void wf_live_await(struct wf_peer *peer)
{
	peer->awaited = true;
	wf_live_visit(peer);
}

void wf_live_watch(struct weft_job *job, int rank)
{
	struct wf_peer *peer = wf_peer_get(job, rank);

	if (!peer)
		return;
	peer->watched = true;
	enlist(peer);
}

void wf_live_look_at(struct wf_peer *peer)
{
	peer->suspected = true;
	wf_list_del(&peer->suspect);
	wf_list_add_head(&peer->job->suspects, &peer->suspect);
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

static void look_at_suspect(struct wf_peer *peer)
{
	bool awaited = peer->awaited || wf_peer_is_wanted(peer);

	peer->suspected = peer->awaited = false;
	probe(peer->job, peer->rank, awaited);
}

/* Some hosts answer late, to a greeting or to what they are told. */
static void see_to(struct wf_peer *peer)
{
	const struct wf_live_ops *live = peer->job->env.live;

	peer->job->live_left -= peer->suspected + peer->watched +
				peer->strange + peer->untold;
	if (peer->suspected)
		look_at_suspect(peer);
	if (peer->watched)
		peer->watched = !watch(peer->job, peer->rank);
	if (peer->strange)
		peer->strange = peer->state == WF_PEER_READY &&
				!live->meet(peer);
	if (peer->untold)
		peer->untold = !live->say_lost(peer);
	if (peer->watched || peer->strange || peer->untold)
		enlist(peer);
}

/* Up to the last one of now: a probe may make suspects. */
static void see_to_suspects(struct weft_job *job)
{
	struct wf_list *last = job->suspects.prev, *at = NULL;

	while (at != last && !wf_list_empty(&job->suspects) &&
	       job->live_left > LEFT_BY_SUSPECTS) {
		at = wf_list_pop(&job->suspects);
		see_to(wf_container(at, struct wf_peer, suspect));
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

		if (!peer || !wf_peer_is_there(peer) || peer->ended)
			continue;
		if (job->live_left-- <= 0)
			return;
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

static struct wf_poller *poller_at(struct wf_list *at)
{
	return wf_container(at, struct wf_poller, link);
}

/* Which waits are old; how many there are, and of which age. */
static int count_waits(struct weft_job *job, uint64_t now, bool *old_p)
{
	int n = 0;

	for (struct wf_list *at = job->pollers.next; at != &job->pollers;
	     at = at->next) {
		struct wf_poller *p = poller_at(at);

		if (!p->since)
			p->since = now;
		p->old = now - p->since >= (uint64_t)WF_LIVE_AGE_MS * MS;
		*old_p |= p->old;
		n++;
	}
	return n;
}

/*
 * Of many any of whom would do some are looked at in each tick, so that a round
 * takes ROUND ticks; false: this tick has looked at enough.
 */
static bool look_at_some(struct weft_job *job, struct wf_poller *p)
{
	struct wf_listener *l = wf_listener(p);
	int n = 0, most = 1, rank;

	l->round.old = true;
	while (job->live_turn == &p->link && n++ < most) {
		if (job->live_left <= LEFT_BY_WAITS)
			return false;
		rank = l->may_hear(l, &l->round);
		if (rank < 0) {
			l->round.at = 0;
			break;
		}
		most = wf_live_share(job, l->round.among);
		job->live_left--;
		if (watch(job, rank))
			continue;
		l->round.at--;
		break;
	}
	return true;
}

/*
 * Probe whom an old wait waits for, from where the tick before left off; false:
 * this tick has looked at enough.  A death ends what waits for mails to the
 * dead, and so a probe may take any poller out, also this one, which may be
 * gone with that: then it is another one's turn (wf_poller_del()).
 */
static bool look_at(struct weft_job *job, struct wf_poller *p)
{
	int rank;

	if (p->old && p->listens && !look_at_some(job, p))
		return false;
	while (job->live_turn == &p->link && p->old) {
		if (job->live_left <= LEFT_BY_WAITS)
			return false;
		rank = p->waits_for(p, &p->turn);
		if (rank < 0)
			break;
		job->live_left--;
		probe(job, rank, true);
	}
	if (job->live_turn != &p->link)
		return true;
	p->turn = 0;
	job->live_turn = p->link.next;
	return true;
}

/* Waits in turn, each once at most. */
static void look_at_waits(struct weft_job *job, int n)
{
	bool more = true;

	while (more && n-- > 0 && !wf_list_empty(&job->pollers)) {
		if (job->live_turn == &job->pollers)
			job->live_turn = job->pollers.next;
		more = look_at(job, poller_at(job->live_turn));
	}
}

void wf_live_progress(struct weft_job *job)
{
	uint64_t now = wf_job_now(job);
	bool old = job->asked, turns = job->watch.turns;

	if (now - job->live_tick < (uint64_t)WF_LIVE_TICK_MS * MS)
		return;
	count_look(job, now);
	job->live_left = WF_LIVE_LOOKS;
	job->watch.turns = false;
	job->asked = false;
	wf_lifeline_serve(&job->lifeline, now);
	see_to_suspects(job);
	wf_leave_progress(job);
	if (turns)
		look_at_unseen(job);
	look_at_waits(job, count_waits(job, now, &old));
	if (old)
		probe_ring(job);
}
