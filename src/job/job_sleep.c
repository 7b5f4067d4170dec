/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A sleep in poll(), on the doorbell, the descriptors of the devices, and those
 * by which the ends of others are seen.
 *
 * The order keeps wake-ups from being lost: drain the doorbell, arm all
 * devices, look once more at everything, then sleep.  What comes before the
 * look is found by it, what comes after it rings or makes an event.
 */
#include <poll.h>
#include "base/clock.h"
#include "base/doorbell.h"
#include "job/job.h"
#include "job/liveness.h"
#include "job/peer.h"
#include "job/sleep.h"
#include "job/threads.h"

enum {
	FDS = 64,		/* of more lives some are seen by the tick */
	TICK_NS = WF_LIVE_TICK_MS * 1000000
};

/* What a sleep listens to: from first_life on lives, some of them peers. */
struct ears {
	struct pollfd fd[FDS];
	struct wf_peer *peer[FDS];
	int n, first_life;
};

uint64_t wf_sleep_after(const struct weft_job *job)
{
	uint64_t after = job->config.sleep_ns;
	bool wakes = true;

	for (int i = 0; i < job->ndevs; i++)
		wakes &= !!(job->dev[i]->caps & WF_CAP_LINE_WAKES);
	if (wakes || job->crowded || after > UINT64_MAX / WF_SLEEP_LINE_LATER)
		return after;
	return after * WF_SLEEP_LINE_LATER;
}

/*
 * True: all devices are, and nothing has arrived.  Shared memory, which is the
 * first one, comes last: for a short sleep it saves its barrier.
 */
static bool arm(struct weft_job *job, int *ms_p)
{
	for (int i = job->ndevs; i-- > 0;) {
		struct wf_device *dev = job->dev[i];
		int status = dev->ops->arm(dev, ms_p);

		if (status == WEFT_AGAIN)
			return false;
		if (status || !(dev->caps & WF_CAP_LINE_WAKES))
			wf_lower(ms_p, WF_SLEEP_LINE_MS);
	}
	return true;
}

static void disarm(struct weft_job *job)
{
	for (int i = 0; i < job->ndevs; i++)
		job->dev[i]->ops->disarm(job->dev[i]);
}

static void listen_to(struct ears *ears, int fd, short events,
		      struct wf_peer *peer)
{
	if (fd < 0 || ears->n == FDS)
		return;
	ears->fd[ears->n] = (struct pollfd){ .fd = fd, .events = events };
	ears->peer[ears->n++] = peer;
}

/* One whose end would be news, by the descriptor of its process or lifeline. */
static void listen_to_peer(struct ears *ears, struct wf_peer *peer)
{
	short events;
	int fd;

	if (!wf_peer_is_there(peer) || peer->ended)
		return;
	listen_to(ears, peer->live_wakes ? peer->live_fd : -1, POLLIN, peer);
	fd = wf_probe_descriptor(peer->probe, &events);
	listen_to(ears, fd, events, peer);
}

/* Those that may be the one that is waited for, if they keep their places. */
static void listen_to_watched(struct weft_job *job, struct ears *ears)
{
	uint64_t now = wf_job_now(job);

	for (int i = 0; i < WF_WATCHED && !job->watch.turns; i++) {
		const struct wf_watch_place *place = &job->watch.place[i];

		if (wf_watch_uses(place, now) &&
		    !wf_peer_is_wanted(place->peer))
			listen_to_peer(ears, place->peer);
	}
}

static void listen_to_lives(struct weft_job *job, struct ears *ears)
{
	size_t cursor = 0;
	uint64_t rank;
	void *peer;

	listen_to(ears, job->lifeline.events, POLLIN, NULL);
	while (ears->n < FDS &&
	       wf_map_next(&job->peers, &cursor, &rank, &peer))
		if (wf_peer_is_wanted(peer))
			listen_to_peer(ears, peer);
	listen_to_watched(job, ears);
}

static void listen_to_all(struct weft_job *job, struct ears *ears, int *ms_p)
{
	ears->n = 0;
	listen_to(ears, job->doorbell.fd, POLLIN, NULL);
	for (int i = 0; i < job->ndevs; i++)
		listen_to(ears, job->dev[i]->ops->descriptor(job->dev[i]),
			  POLLIN, NULL);
	ears->first_life = ears->n;
	if (job->sleeps.watch_after <= wf_job_now(job))
		listen_to_lives(job, ears);
	else
		wf_lower(ms_p, WF_LIVE_TICK_MS);
	if (ears->n == FDS)
		wf_lower(ms_p, WF_LIVE_TICK_MS);
}

/* Somebody's end, perhaps: the detector looks at once. */
static void answer_lives(struct weft_job *job, const struct ears *ears)
{
	bool any = false;

	for (int i = ears->first_life; i < ears->n; i++) {
		if (!ears->fd[i].revents)
			continue;
		any = true;
		if (ears->peer[i] && wf_peer_is_wanted(ears->peer[i]))
			wf_live_look_at(ears->peer[i]);
	}
	if (!any)
		return;
	job->sleeps.by_lives++;
	job->sleeps.watch_after = wf_job_now(job) + TICK_NS;
	job->live_tick = 0;
	wf_live_progress(job);
}

/* True: it took all of its time. */
static bool doze(struct weft_job *job, struct ears *ears, int ms)
{
	int n;

	job->asleep = true;
	if (job->threads)
		wf_threads_unlock(job);
	n = poll(ears->fd, (nfds_t)ears->n, ms);
	if (job->threads)
		wf_threads_lock(job);
	job->asleep = false;
	if (n > 0)
		answer_lives(job, ears);
	return n == 0;
}

/* What waits for time to pass, not for an event. */
static void look_for_deadlines(const struct weft_job *job, int *ms_p)
{
	if (!wf_list_empty(&job->suspects) || job->watch.turns ||
	    !wf_list_empty(&job->busy_peers) || job->lifeline.n_asking ||
	    wf_leave_is_busy(&job->leave))
		wf_lower(ms_p, WF_LIVE_TICK_MS);
	if (job->doorbell.fd < 0)
		wf_lower(ms_p, WF_SLEEP_LINE_MS);
}

static bool is_over(struct weft_job *job, const struct wf_wait *wait)
{
	bool moved = wf_job_sweep(job);

	/* A thread that was here meanwhile may have ended others' waits. */
	if (job->threads)
		wf_threads_wake_ready(job);
	return moved || wait->ready(wait->arg) ||
	       wf_report_is_due(&job->report);
}

bool wf_job_sleep(struct weft_job *job, const struct wf_wait *wait, int ms)
{
	bool found = true, late = false, timed_out = false;
	struct ears ears;

	if (job->doorbell.fd >= 0)
		wf_doorbell_drain(job->doorbell.fd);
	if (arm(job, &ms) && !is_over(job, wait)) {
		look_for_deadlines(job, &ms);
		listen_to_all(job, &ears, &ms);
		job->sleeps.taken++;
		timed_out = doze(job, &ears, ms);
		late = timed_out && ms == job->sleeps.most_ms;
		found = false;
	}
	disarm(job);
	if (found)
		return found;
	found = is_over(job, wait);
	job->sleeps.late += late && found;
	/* Events that bring nothing are no reason to sleep again at once. */
	return found || !timed_out;
}

void wf_job_wake(struct weft_job *job)
{
	if (job->asleep && job->doorbell.fd >= 0)
		wf_doorbell_ring(job->doorbell.fd);
}
