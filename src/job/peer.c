/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Peers: found by rank, connected on demand through the best backend that
 * both ends have, and sent what is owed to them.  All by progress: the only
 * thing that may wait here is reading a boot blob, which a fence has already
 * brought to this node's launcher.
 */
#include "job/peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "boot/boot.h"
#include "job/liveness.h"

enum {
	MAILS_IN_A_PASS = 64,	/* times that those that are owed are sent */
	TRY_PAUSE = 4		/* times as long as a try in vain */
};

struct wf_peer *wf_peer_find(const struct weft_job *job, int rank)
{
	return wf_map_get(&job->peers, (uint64_t)rank);
}

struct wf_peer *wf_peer_get(struct weft_job *job, int rank)
{
	struct wf_peer *peer = wf_peer_find(job, rank);

	if (peer)
		return peer;
	peer = calloc(1, sizeof(*peer));
	if (!peer)
		return NULL;
	peer->job = job;
	peer->rank = rank;
	peer->live_fd = -1;
	wf_list_init(&peer->owed);
	wf_list_init(&peer->busy);
	wf_list_init(&peer->suspect);
	if (wf_map_put(&job->peers, (uint64_t)rank, peer)) {
		free(peer);
		return NULL;
	}
	return peer;
}

static int get_blob(struct weft_job *job, int rank, struct wf_blob *blob,
		    char *why, size_t bytes)
{
	uint8_t packed[WF_BLOB_BYTES_MAX];
	size_t n;
	int status = wf_boot_get(job->boot, rank, "blob", packed,
				 sizeof(packed), &n);

	if (!status)
		return wf_blob_unpack(blob, packed, n, why, bytes);
	snprintf(why, bytes, "no boot blob: %s", wf_boot_why(job->boot));
	return status;
}

/* Once: who has no blob has none later. */
static void ask_for_host(struct wf_peer *peer)
{
	struct wf_blob blob;
	char why[WF_PEER_WHY];

	if (peer->has_asked)
		return;
	peer->has_asked = true;
	if (!get_blob(peer->job, peer->rank, &blob, why, sizeof(why)))
		memcpy(peer->blob.id.host, blob.id.host, sizeof(blob.id.host));
}

const char *wf_peer_host(const struct wf_peer *peer)
{
	if (!peer->blob.id.host[0])
		ask_for_host(wf_peer_find(peer->job, peer->rank));
	return peer->blob.id.host[0] ? peer->blob.id.host : "?";
}

int wf_peer_fetch_blob(struct weft_job *job, int rank, struct wf_blob *blob,
		       char *why, size_t bytes)
{
	int status = get_blob(job, rank, blob, why, bytes);

	if (!status)
		status = wf_blob_check(&job->blob, blob, why, bytes);
	if (status)
		wf_error(&job->log, "rank %d: %s", rank, why);
	return status;
}

int wf_peer_read_blob(struct wf_peer *peer)
{
	char why[WF_PEER_WHY], text[WF_PEER_WHY] = "";
	int status;

	if (peer->has_blob)
		return WEFT_OK;
	if (!wf_peer_is_there(peer))
		return WEFT_ERR_PEER;
	status = wf_peer_fetch_blob(peer->job, peer->rank, &peer->blob, why,
				    sizeof(why));
	peer->has_blob = !status;
	if (!status)
		return WEFT_OK;
	wf_text_add(text, sizeof(text), "cannot be talked to: %s", why);
	wf_peer_gone(peer, WF_PEER_UNREACHABLE, text);
	return status;
}

static void settle_all(struct wf_peer *peer);

/*
 * Its process has ended, and nobody here has seen a bye: skipped, but for
 * those who wait for it the detector declares it dead, at its next tick.
 */
static void has_ended(struct wf_peer *peer)
{
	peer->state = WF_PEER_NEW;
	peer->ended = true;
	if (wf_peer_is_wanted(peer))
		wf_live_suspect(peer->job, peer->rank, "its process has ended");
	else
		settle_all(peer);
}

bool wf_peer_is_wanted(const struct wf_peer *peer)
{
	const struct wf_list *at = peer->owed.next;

	while (at != &peer->owed &&
	       wf_container((struct wf_list *)at, struct wf_owed, link)->news)
		at = at->next;
	return peer->state == WF_PEER_READY || at != &peer->owed;
}

const char *wf_peer_why(const struct wf_peer *peer)
{
	return peer->why ? peer->why : "is gone, and there is no memory for "
				       "how that was seen";
}

int wf_peer_status(const struct wf_peer *peer)
{
	bool cut_off = peer->state == WF_PEER_UNREACHABLE &&
		       (peer->unsent_since || peer->no_backend ||
			peer->starved || peer->broken);

	return cut_off ? WEFT_ERR_DEVICE : WEFT_ERR_PEER;
}

static void set_why(struct wf_peer *peer, const char *why)
{
	size_t bytes = strlen(why) + 1;

	free(peer->why);
	peer->why = malloc(bytes);
	if (peer->why)
		memcpy(peer->why, why, bytes);
}

/* One of the reasons that look_for_lost() gives in the end. */
static void add_reason(struct wf_peer *peer, const char *name, const char *why)
{
	char text[WF_PEER_WHY] = "";

	if (peer->why)
		wf_text_add(text, sizeof(text), "%s; ", peer->why);
	wf_text_add(text, sizeof(text), "%s: %s", name, why);
	set_why(peer, text);
}

/* Of a device that did not reach it. */
static void keep_reason(struct wf_peer *peer, const struct wf_device *dev,
			const struct wf_tp_refusal *refusal, int status)
{
	add_reason(peer, dev->ops->name, refusal->why);
	peer->no_backend &= status == WEFT_ERR_UNSUPPORTED && !refusal->gone;
}

/* Since no backend was left, or something is lacking. */
static bool is_lost_for(const struct wf_peer *peer, uint64_t ms)
{
	return peer->lost && wf_job_now(peer->job) - peer->lost >=
			     ms * UINT64_C(1000000);
}

/* What is lacking may be there later, but another backend need not wait. */
static bool is_last_try(const struct wf_peer *peer)
{
	return is_lost_for(peer, peer->device + 1 < peer->job->ndevs ?
			   WF_LIVE_AGE_MS : WF_LIVE_STARVED_MS);
}

/*
 * A try may have taken a second, as where a device looks for the address of a
 * host: most of the time is for others.
 */
static void starve(struct wf_peer *peer, const char *name, const char *why,
		   uint64_t since)
{
	uint64_t now = wf_job_now(peer->job);

	if (!peer->lost)
		wf_info(&peer->job->log, "%s: rank %d: %s; it is tried again",
			name, peer->rank, why);
	peer->retry_at = now + WF_LIVE_TICK_MS * UINT64_C(1000000) +
			 TRY_PAUSE * (now - since);
}

/* WEFT_AGAIN: something is lacking, and it is tried once more. */
static int try_device(struct wf_peer *peer)
{
	struct wf_device *dev = peer->job->dev[peer->device];
	struct wf_tp_refusal refusal = { .gone = false };
	struct wf_tp_peer whom = { peer->rank, &peer->blob, &refusal,
				   is_last_try(peer) };
	uint64_t since = wf_job_now(peer->job);
	int status = dev->ops->connect(dev, &whom, &peer->ep);

	if (!status) {
		peer->ep->user = peer;
		return WEFT_OK;
	}
	if (!refusal.why[0])
		wf_text_add(refusal.why, sizeof(refusal.why), "%s",
			    weft_status_name(status));
	peer->starved |= status == WEFT_ERR_NOMEM;
	if (status == WEFT_ERR_NOMEM && !whom.last) {
		starve(peer, dev->ops->name, refusal.why, since);
		return WEFT_AGAIN;
	}
	keep_reason(peer, dev, &refusal, status);
	return status;
}

/* Take the next backend that can reach the peer. */
static void try_devices(struct wf_peer *peer)
{
	bool ended = false;
	int status;

	if (!peer->device) {
		peer->no_backend = true;
		peer->starved = false;
		free(peer->why);
		peer->why = NULL;
	}
	for (; peer->device < peer->job->ndevs; peer->device++) {
		status = try_device(peer);
		if (status >= 0)
			break;
		ended |= status == WEFT_ERR_PEER;
	}
	if (peer->ep)
		peer->lost = 0;
	else if (!peer->lost)
		peer->lost = wf_job_now(peer->job);
	if (!peer->ep && ended)
		has_ended(peer);
}

/* No backend is left.  What each said, also those that were left out here. */
static void give_up(struct wf_peer *peer)
{
	const struct weft_job *job = peer->job;
	const char *reasons = peer->why ? peer->why : "";
	char text[WF_PEER_WHY] = "";

	if (peer->starved) {
		wf_text_add(text, sizeof(text), "cannot be connected to: %s%s",
			    reasons, job->left_out);
		wf_live_cut_off(peer, text);
		return;
	}
	if (peer->no_backend)
		wf_text_add(text, sizeof(text), "has no backend in common with "
			    "this one: %s%s", reasons, job->left_out);
	else
		wf_text_add(text, sizeof(text), "cannot be reached, or has "
			    "closed its job: %s%s", reasons, job->left_out);
	wf_text_add(text, sizeof(text), "; give both ranks a backend that "
		    "joins them (WEFT_TRANSPORT in weft(7))");
	wf_peer_gone(peer, WF_PEER_UNREACHABLE, text);
}

/*
 * A dying process loses its memory some time before it has ended; one that
 * lives on cannot be reached.
 */
static bool look_for_lost(struct wf_peer *peer)
{
	struct weft_job *job = peer->job;
	bool waits = peer->device < job->ndevs;
	char why[160];

	if (waits && wf_job_now(job) >= peer->retry_at)
		try_devices(peer);
	if (peer->ep || peer->state != WF_PEER_CONNECTING)
		return true;
	if (job->env.live->probe(peer, why, sizeof(why)))
		has_ended(peer);
	else if (!waits && is_lost_for(peer, WF_LIVE_AGE_MS))
		give_up(peer);
	return peer->state != WF_PEER_CONNECTING;
}

static void peer_ready(struct wf_peer *peer)
{
	peer->state = WF_PEER_READY;
	peer->lost = 0;
	peer->starved = false;
	wf_live_connected(peer);
	wf_debug(&peer->job->log, "rank %d on host %s connected by %s",
		 peer->rank, wf_peer_host(peer),
		 peer->ep->dev->ops->name);
}

void wf_peer_connect(struct wf_peer *peer)
{
	struct weft_job *job = peer->job;

	if (peer->state != WF_PEER_NEW)
		return;
	if (wf_leave_knows(job, peer->rank)) {
		wf_peer_gone(peer, WF_PEER_LEFT, "has closed its job");
		return;
	}
	if (peer->ended) {
		has_ended(peer);
		return;
	}
	peer->state = WF_PEER_CONNECTING;
	peer->late = job->closing;
	if (wf_list_empty(&peer->busy))
		wf_list_add_tail(&job->busy_peers, &peer->busy);
	if (wf_peer_read_blob(peer))
		return;
	peer->lost = 0;
	try_devices(peer);
	if (peer->ep && peer->ep->state == WF_EP_READY)
		peer_ready(peer);
}

static void has_closed(struct wf_peer *peer)
{
	char why[160] = "";

	wf_text_add(why, sizeof(why), "has closed its job");
	if (peer->ep->where && peer->ep->failed)
		wf_text_add(why, sizeof(why), ", or nobody listens at %s any "
			    "more", peer->ep->where);
	wf_peer_gone(peer, WF_PEER_LEFT, why);
}

bool wf_peer_look(struct wf_peer *peer)
{
	if (peer->state != WF_PEER_CONNECTING)
		return false;
	if (!peer->ep)
		return look_for_lost(peer);
	switch (peer->ep->state) {
	case WF_EP_CONNECTING:
		return false;
	case WF_EP_READY:
		peer_ready(peer);
		return true;
	case WF_EP_REFUSED:
		peer->starved |= peer->ep->lack != NULL;
		add_reason(peer, peer->ep->dev->ops->name, peer->ep->lack ?
			   peer->ep->lack :
			   "it refuses, and its own error tells why");
		peer->ep->dev->ops->disconnect(peer->ep);
		peer->ep = NULL;
		peer->device++;
		try_devices(peer);
		return true;
	case WF_EP_CLOSED:
		has_closed(peer);
		return true;
	}
	return false;
}

/*
 * No mail gets through, and so nothing does: true once it is given up.  On its
 * own node the other end does not hear of it, so a want of memory, which
 * passes, has longer.
 */
static bool give_up_mails(struct wf_peer *peer, int status)
{
	uint64_t now = wf_job_now(peer->job);
	uint64_t ms = status == WEFT_ERR_NOMEM ? WF_LIVE_STARVED_MS :
						 WF_LIVE_AGE_MS;
	char why[160];

	if (!peer->unsent_since)
		peer->unsent_since = now;
	if (now - peer->unsent_since < ms * UINT64_C(1000000))
		return false;
	snprintf(why, sizeof(why), "takes no mails: %s",
		 weft_status_name(status));
	wf_live_cut_off(peer, why);
	peer->job->gave_up = true;
	/* One that has left waits for the bye in vain. */
	if (peer->bye.queued) {
		wf_owe_not(&peer->bye);
		peer->bye.settled(&peer->bye, status);
	}
	settle_all(peer);
	return true;
}

static bool send_owed(struct wf_peer *peer)
{
	_Alignas(uint64_t) char payload[WF_MAIL_LONGEST];
	bool moved = false;
	int status;

	while (!wf_list_empty(&peer->owed)) {
		struct wf_owed *owed = wf_container(wf_list_first(&peer->owed),
						    struct wf_owed, link);
		struct wf_mail head = { .kind = 0 };

		if (owed->ready && !owed->ready(owed))
			break;
		head.length = owed->build(owed, &head, payload);
		status = peer->ep->ops->mail(peer->ep, &head, payload);
		if (status < 0 && give_up_mails(peer, status))
			return true;
		if (status)
			break;		/* no credit: later */
		peer->unsent_since = 0;
		wf_owe_not(owed);
		if (owed->settled)
			owed->settled(owed, WEFT_OK);
		moved = true;
	}
	return moved;
}

bool wf_peer_mail_now(struct wf_peer *peer, const struct wf_mail *head,
		      const void *payload)
{
	/* Nothing follows the own bye. */
	if (peer->state != WF_PEER_READY || !wf_list_empty(&peer->owed) ||
	    peer->bye_sent || peer->ep->ops->mail(peer->ep, head, payload))
		return false;
	peer->unsent_since = 0;
	return true;
}

/* Also one that has left waits for our bye. */
static bool can_mail(const struct wf_peer *peer)
{
	return peer->state == WF_PEER_READY ||
	       (peer->state == WF_PEER_LEFT && peer->ep &&
		peer->ep->state == WF_EP_READY);
}

static bool send_all(struct weft_job *job)
{
	struct wf_list *at = job->busy_peers.next;
	bool moved = false;

	while (at != &job->busy_peers) {
		struct wf_peer *peer = wf_container(at, struct wf_peer, busy);

		at = at->next;
		moved |= wf_peer_look(peer);
		if (can_mail(peer))
			moved |= send_owed(peer);
		if (wf_list_empty(&peer->owed) &&
		    peer->state != WF_PEER_CONNECTING)
			wf_list_del(&peer->busy);
	}
	return moved;
}

bool wf_peers_progress(struct weft_job *job)
{
	bool moved = send_all(job), sent = moved;

	for (int i = 1; sent && i < MAILS_IN_A_PASS &&
			!wf_list_empty(&job->busy_peers); i++) {
		wf_devices_progress(job);
		sent = send_all(job);
	}
	return moved;
}

/* All but a bye, for which also a peer that has left waits. */
static void settle_all(struct wf_peer *peer)
{
	bool bye = peer->bye.queued;
	struct wf_owed *owed;

	wf_owe_not(&peer->bye);
	while (!wf_list_empty(&peer->owed)) {
		owed = wf_container(wf_list_first(&peer->owed),
				    struct wf_owed, link);
		wf_owe_not(owed);
		if (owed->settled)
			owed->settled(owed, WEFT_ERR_PEER);
	}
	if (bye)
		wf_owe_last(peer, &peer->bye);
}

void wf_peer_gone(struct wf_peer *peer, enum wf_peer_state state,
		  const char *why)
{
	struct weft_job *job = peer->job;

	/*
	 * A death is also worth to know of who could not be reached; and of who
	 * has said bye here, but died before it has to another one, which fails
	 * and trusts that all hear why.
	 */
	if (!wf_peer_is_there(peer) && (state != WF_PEER_DEAD ||
					peer->state == WF_PEER_DEAD))
		return;
	peer->state = state;
	if (peer->ep)
		peer->ep->gone = true;
	set_why(peer, why);
	job->gone++;
	if (state == WF_PEER_DEAD && job->first_dead < 0)
		job->first_dead = peer->rank;
	settle_all(peer);
	if (state == WF_PEER_DEAD)
		wf_flood_death(job, peer->rank);
	wf_debug(&job->log, "rank %d on host %s: %s", peer->rank,
		 wf_peer_host(peer), why);
}

int wf_peer_fence(struct wf_peer *peer)
{
	if (!peer->ep || peer->state == WF_PEER_LEFT)
		return WEFT_OK;
	return peer->ep->dev->ops->fence(peer->ep);
}

void wf_peer_contact(void *arg, int rank)
{
	struct wf_peer *peer = wf_peer_get(arg, rank);

	if (peer)
		wf_peer_connect(peer);
}

void wf_peers_fini(struct weft_job *job)
{
	size_t cursor = 0;
	uint64_t key;
	void *value;

	while (wf_map_next(&job->peers, &cursor, &key, &value)) {
		struct wf_peer *peer = value;

		settle_all(peer);
		job->env.live->unwatch(peer);
		if (peer->ep)
			peer->ep->dev->ops->disconnect(peer->ep);
		free(peer->why);
		free(peer);
	}
	wf_map_fini(&job->peers);
}
