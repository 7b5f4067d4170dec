/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one progress function and the one wait of the library.
 *
 * A pass first drives the pollers (the runs of plans, which look at memory),
 * then, every few fruitless passes, the devices and the peers: whoever waits
 * for a line should not pay for the mailbox each time, but while mails are
 * owed.  The wait spins, then yields, then sleeps (job_sleep.c); where more
 * ranks than usable CPUs share the node it yields after each look at
 * everything, and spins only while it waits for one that is on a CPU (yield.h).
 */
#include "base/clock.h"
#include "base/text.h"
#include "job/abort.h"
#include "job/job.h"
#include "job/liveness.h"
#include "job/peer.h"
#include "job/threads.h"
#include "job/yield.h"

bool wf_devices_progress(struct weft_job *job)
{
	int events = 0;

	for (int i = 0; i < job->ndevs; i++)
		events += job->dev[i]->ops->progress(job->dev[i]);
	return events > 0;
}

/* A poll may take any poller out, also the next one: wf_poller_del(). */
static bool pollers_progress(struct weft_job *job)
{
	struct wf_list *at = job->pollers.next;
	bool moved = false;

	while (at != &job->pollers) {
		struct wf_poller *p = wf_container(at, struct wf_poller, link);

		job->next_poller = at->next;
		moved |= p->poll(p);
		at = job->next_poller;
	}
	return moved;
}

static bool mails_progress(struct weft_job *job)
{
	bool moved = wf_devices_progress(job);

	if (!wf_list_empty(&job->busy_peers))
		moved |= wf_peers_progress(job);
	return moved;
}

bool wf_job_progress(struct weft_job *job)
{
	bool moved = pollers_progress(job);

	if (!moved && (++job->passes & job->pass_mask))
		return (job->awaits_mails ||
			!wf_list_empty(&job->busy_peers)) &&
		       mails_progress(job);
	moved |= mails_progress(job);
	if (!moved)
		wf_live_progress(job);
	if (wf_report_is_due(&job->report))
		wf_report(job);
	if (job->ending)
		wf_abort_end(job);
	return moved;
}

void wf_job_look(struct weft_job *job)
{
	do
		wf_job_progress(job);
	while (job->passes & job->pass_mask);
}

bool wf_job_sweep(struct weft_job *job)
{
	bool moved = wf_devices_progress(job);

	moved |= wf_peers_progress(job);
	moved |= pollers_progress(job);
	/* A poller that waits may have asked why. */
	moved |= wf_peers_progress(job);
	return moved;
}

void wf_poller_add(struct weft_job *job, struct wf_poller *poller)
{
	poller->job = job;
	wf_poller_renew(poller);
	wf_list_add_tail(&job->pollers, &poller->link);
}

void wf_poller_del(struct weft_job *job, struct wf_poller *poller)
{
	if (job->next_poller == &poller->link)
		job->next_poller = poller->link.next;
	if (job->live_turn == &poller->link)
		job->live_turn = poller->link.next;
	wf_list_del(&poller->link);
}

static bool is_unanswered(const struct wf_peer *peer)
{
	return peer && peer->state == WF_PEER_CONNECTING && peer->ep &&
	       peer->ep->where;
}

/* One that has not answered yet, and is waited for; or NULL. */
static const struct wf_peer *awaited(const struct weft_job *job)
{
	for (struct wf_list *at = job->pollers.next; at != &job->pollers;
	     at = at->next) {
		struct wf_poller *p = wf_container(at, struct wf_poller, link);
		int cursor = 0, rank;

		while ((rank = p->waits_for(p, &cursor)) >= 0) {
			const struct wf_peer *peer = wf_peer_find(job, rank);

			if (is_unanswered(peer))
				return peer;
		}
	}
	return NULL;
}

/* The first one that has not answered yet; or NULL. */
static const struct wf_peer *unanswered(const struct weft_job *job)
{
	for (struct wf_list *at = job->busy_peers.next; at != &job->busy_peers;
	     at = at->next) {
		const struct wf_peer *peer = wf_container(at, struct wf_peer,
							  busy);

		if (is_unanswered(peer))
			return peer;
	}
	return NULL;
}

/* Who has not answered yet, and where it was called. */
static void add_unanswered(const struct weft_job *job, char *text, size_t bytes)
{
	const struct wf_peer *peer = awaited(job);

	if (!peer)
		peer = unanswered(job);
	if (peer)
		wf_text_add(text, bytes, "; no answer so far from rank %d on "
			    "host %s by %s: %s", peer->rank,
			    wf_peer_host(peer), peer->ep->dev->ops->name,
			    peer->ep->where);
}

void wf_job_report_stall(struct weft_job *job, const struct wf_wait *wait,
			 uint64_t since)
{
	char text[WF_ERROR_TEXT];

	text[0] = 0;
	wait->describe(wait->arg, text, sizeof(text));
	add_unanswered(job, text, sizeof(text));
	wf_warn(&job->log, "waiting for %s, since %llu s", text,
		(unsigned long long)((wf_job_now(job) - since) / 1000000000u));
}

/*
 * Between two sleeps: what has changed without an event, a death above all, may
 * need some more passes to take effect.
 */
enum {
	ROUNDS = 3
};

struct patience {
	uint64_t fruitless;	/* passes in a row; in a crowd since a yield */
	unsigned rounds;	/* whole ones since the last sleep */
	uint64_t since;		/* first look at the clock; 0: none yet */
	uint64_t idle;		/* the same since something happened */
	bool told;
};

/* Reports a stall; returns the time. */
static uint64_t look_at_clock(struct weft_job *job, const struct wf_wait *wait,
			      struct patience *p)
{
	uint64_t now = wf_job_now(job);

	if (!p->since)
		p->since = now;
	if (!p->idle)
		p->idle = now;
	if (!p->told && now - p->since >= job->config.stall_ns) {
		p->told = true;
		wf_job_report_stall(job, wait, p->since);
	}
	return now;
}

/* Milliseconds until a stall is reported. */
static int until_stall(const struct weft_job *job, const struct patience *p,
		       uint64_t now)
{
	uint64_t left = job->config.stall_ns - (now - p->since);

	if (p->told || left / WF_NS_PER_MS >= (uint64_t)job->sleeps.most_ms)
		return job->sleeps.most_ms;
	return (int)(left / WF_NS_PER_MS) + 1;
}

static bool nap(struct weft_job *job, const struct wf_wait *wait,
		struct patience *p, uint64_t now)
{
	bool happened;

	p->rounds = 0;
	wf_job_set_away(job, true);
	happened = wf_job_sleep(job, wait, until_stall(job, p, now));
	wf_job_set_away(job, false);
	return happened;
}

/* Spinning has brought nothing.  True: something happened meanwhile. */
static bool rest(struct weft_job *job, const struct wf_wait *wait,
		 struct patience *p)
{
	uint64_t now;

	/* The CPU is given away only after a look at the devices, too. */
	if (job->passes & job->pass_mask)
		return false;
	now = look_at_clock(job, wait, p);
	if (job->crowded)
		p->fruitless = 0;
	if (job->env.idle)
		job->env.idle(job->env.arg,
			      now + WF_LIVE_TICK_MS * WF_NS_PER_MS);
	else if (++p->rounds < ROUNDS || now - p->idle < wf_sleep_after(job))
		wf_job_yield(job);
	else
		return nap(job, wait, p, now);
	return false;
}

void wf_job_idle(struct weft_job *job)
{
	if (job->env.idle)
		job->env.idle(job->env.arg, 0);
}

/* Behind a look that has brought nothing. */
static bool spins_on(struct weft_job *job, struct patience *p)
{
	return ++p->fruitless <= job->spin &&
	       (!job->crowded || wf_job_is_served(job));
}

void wf_job_wait(struct weft_job *job, const struct wf_wait *wait)
{
	struct patience p = { .fruitless = 0 };

	if (job->threads && !wf_threads_take_turn(job, wait))
		return;
	job->wait = wait;
	/* No pause between looks: it would cost half of a flag's latency. */
	while (!wait->ready(wait->arg)) {
		if (wf_job_progress(job) ||
		    (!spins_on(job, &p) && rest(job, wait, &p)))
			p.fruitless = p.idle = 0;
		if (job->threads)
			wf_threads_lend(job);
	}
	job->wait = NULL;
	if (job->threads)
		wf_threads_hand_on(job);
}
