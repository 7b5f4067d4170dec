/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Leaving is not dying: a closing process makes all it has posted visible,
 * mails bye to each connected peer, and ends when each has said bye, too, or
 * is dead.  Who contacts it meanwhile gets a bye and is not waited for.
 */
#include "base/clock.h"
#include "base/text.h"
#include "boot/boot.h"
#include "job/job.h"
#include "job/liveness.h"
#include "job/peer.h"

struct farewell {
	struct wf_poller poller;
	struct weft_job *job;
};

static uint16_t build_bye(struct wf_owed *owed, struct wf_mail *head,
			  void *payload)
{
	struct wf_peer *peer = wf_container(owed, struct wf_peer, bye);

	(void)payload;
	head->kind = WF_MAIL_BYE;
	/*
	 * Whoever waits for this rank shall blame the dead one, not it.  Who is
	 * there has been told all; one that has left reads this.
	 */
	head->word = (uint32_t)(peer->job->first_dead + 1);
	head->context = peer->late;
	return 0;
}

bool wf_peer_has_all(const struct wf_peer *peer)
{
	struct wf_ep *ep = peer->ep;

	if (!wf_ep_arrived(ep, ep->posted))
		ep->ops->flush(ep, WF_FLUSH_ARRIVED);
	return wf_ep_arrived(ep, ep->posted);
}

static void bye_sent(struct wf_owed *owed, int status)
{
	struct wf_peer *peer = wf_container(owed, struct wf_peer, bye);

	peer->bye_sent = true;
	if (!status)
		(void)wf_peer_has_all(peer);
}

/* The next peer in the map; NULL at the end. */
static struct wf_peer *next_peer(const struct weft_job *job, size_t *cursor)
{
	uint64_t rank;
	void *peer;

	return wf_map_next(&job->peers, cursor, &rank, &peer) ? peer : NULL;
}

/*
 * Flush, then the bye, which says that nothing follows.  To one that came while
 * we close nothing was put.
 */
static void drive_bye(struct wf_peer *peer)
{
	if (peer->bye.queued || peer->bye_sent ||
	    peer->ep->state != WF_EP_READY)
		return;
	if (!peer->bye.build) {
		peer->bye.build = build_bye;
		peer->bye.settled = bye_sent;
	}
	if (!peer->late && !wf_peer_has_all(peer))
		return;
	wf_flood_tell(peer);
	wf_owe_last(peer, &peer->bye);
}

/* Has the close waited for it as long as for one with a broken endpoint? */
static bool is_slow(struct wf_peer *peer)
{
	uint64_t now = wf_job_now(peer->job);

	if (!peer->lost)
		peer->lost = now;
	return now - peer->lost >= WF_LIVE_BROKEN_MS * WF_NS_PER_MS;
}

/*
 * No bye reaches it, but what was posted before may, and was taken for sent.
 * Not for ever: the connection itself may be what fails.
 */
static bool posts_are_awaited(struct wf_peer *peer)
{
	if (peer->ep->state != WF_EP_READY || peer->ep->broken || peer->ended)
		return false;
	return !wf_peer_has_all(peer) && !is_slow(peer);
}

/*
 * It has been given up, and shall hear of that before our end looks to it like
 * a death.
 */
static bool news_are_awaited(struct wf_peer *peer)
{
	return peer->state == WF_PEER_UNREACHABLE && peer->untold &&
	       !is_slow(peer);
}

/* Nothing waits for it but, maybe, the news of a death. */
static bool is_unanswered(const struct wf_peer *peer)
{
	return peer->state == WF_PEER_CONNECTING && !wf_peer_is_wanted(peer);
}

/*
 * To an own first contact a peer that lives answers, and then wants a bye.
 * Who is silent for long may have gone; after a death silence is no wonder.
 */
static bool answer_is_awaited(struct wf_peer *peer)
{
	return !peer->late && peer->job->first_dead < 0 && !is_slow(peer);
}

/*
 * Its own may wait, over others, for one that this rank has given up and that
 * has not heard of it: not for ever, for the end of this process tells that.
 */
static bool bye_is_awaited(struct wf_peer *peer)
{
	/* The bye of a late one may come when its own close does. */
	return peer->state != WF_PEER_LEFT && !peer->late &&
	       !(peer->job->gave_up && is_slow(peer));
}

/*
 * Has ours come there?  One that has said its own goes when it has, and the
 * acknowledgement may be lost: nobody answers when the device asks again.
 */
static bool is_heard(struct wf_peer *peer)
{
	return wf_peer_has_all(peer) ||
	       (peer->state == WF_PEER_LEFT && is_slow(peer));
}

/*
 * It has been told, and may be in no call of weft for as long as it likes: over
 * some transports it is the peer's progress that acknowledges.
 */
static bool came_too_late(struct wf_peer *peer)
{
	return peer->late && peer->bye_sent && is_slow(peer);
}

/* Ours is to reach it, and its own to come. */
static bool byes_are_awaited(struct wf_peer *peer)
{
	drive_bye(peer);
	/* It may be over there, and have left our mails unread. */
	if (peer->aloof && !peer->bye_sent)
		return !wf_peer_has_all(peer);
	return (!peer->bye_sent || !is_heard(peer) || bye_is_awaited(peer)) &&
	       !came_too_late(peer);
}

/* Does the close still wait for this peer? */
static bool is_awaited(struct wf_peer *peer)
{
	if (news_are_awaited(peer))
		return true;
	if (!peer->ep)
		return false;
	/* A rank gets no bye of itself: its posts must have landed. */
	if (peer->rank == peer->job->rank)
		return !wf_peer_has_all(peer);
	if (peer->state == WF_PEER_DEAD)
		return false;
	if (peer->state == WF_PEER_UNREACHABLE)
		return posts_are_awaited(peer);
	if (is_unanswered(peer))
		return answer_is_awaited(peer);
	/* It has left without having met us, or nobody reads our bye. */
	if (peer->state == WF_PEER_LEFT &&
	    (peer->ep->state != WF_EP_READY || peer->ep->broken ||
	     peer->ended))
		return false;
	return byes_are_awaited(peer);
}

static bool all_said(void *arg)
{
	struct weft_job *job = arg;
	struct wf_peer *peer;
	bool all = true;
	size_t cursor = 0;

	while ((peer = next_peer(job, &cursor)))
		all &= !is_awaited(peer);
	return all;
}

static void describe(void *arg, char *text, size_t bytes)
{
	struct weft_job *job = arg;
	const char *before = "the end of";
	struct wf_peer *peer;
	size_t cursor = 0;

	while ((peer = next_peer(job, &cursor))) {
		if (!is_awaited(peer))
			continue;
		wf_text_add(text, bytes, "%s rank %d", before, peer->rank);
		before = ",";
	}
}

static bool nothing_to_poll(struct wf_poller *poller)
{
	(void)poller;
	return false;
}

static int closes_for(struct wf_poller *poller, int *cursor)
{
	struct farewell *f = wf_container(poller, struct farewell, poller);
	size_t at = (size_t)*cursor;
	struct wf_peer *peer;

	while ((peer = next_peer(f->job, &at))) {
		*cursor = (int)at;
		/* The end of one that never answered is no death. */
		if (is_awaited(peer) && !is_unanswered(peer))
			return peer->rank;
	}
	return -1;
}

/* To those that have never met it, its end is to be no death. */
static void tell_strangers(struct weft_job *job)
{
	bool seen = false;

	for (int i = 0; i < job->ndevs; i++)
		seen |= job->dev[i]->ops->tell(job->dev[i], job->rank);
	if (!seen || wf_boot_node_count(job->boot) > 1)
		wf_leave_tell(job);
}

int wf_job_say_bye(struct weft_job *job)
{
	struct farewell f = {
		.poller = { .poll = nothing_to_poll, .waits_for = closes_for },
		.job = job
	};
	struct wf_wait wait = { all_said, describe, job };

	job->closing = true;
	wf_poller_add(job, &f.poller);
	wf_job_wait(job, &wait);
	wf_poller_del(job, &f.poller);
	tell_strangers(job);
	if (job->first_dead < 0)
		return WEFT_OK;
	return wf_job_fail(job, WEFT_ERR_PEER,
			   "the job closed without rank %d, which is dead",
			   job->first_dead);
}
