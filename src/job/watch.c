/* SPDX-License-Identifier: BSD-3-Clause */
/* Peers that have descriptors in turn: see watch.h. */
#include "job/watch.h"

#include "base/clock.h"
#include "job/job.h"
#include "job/liveness.h"
#include "job/peer.h"

enum {
	IN_USE_MS = 1000,		/* since the last look */
	SILENT_MS = 1000,		/* then a place may be given on, */
	KEPT = WF_WATCHED / 2		/* but for so many */
};

static struct wf_watch_place *find(struct wf_watch *watch,
				   const struct wf_peer *peer)
{
	for (int i = 0; i < WF_WATCHED; i++)
		if (watch->place[i].peer == peer)
			return &watch->place[i];
	return NULL;
}

bool wf_watch_has_seen(const struct wf_watch_place *place)
{
	const struct wf_live_ops *live = place->peer->job->env.live;

	return !wf_peer_is_there(place->peer) || place->peer->ended ||
	       !live->is_seen || live->is_seen(place->peer);
}

static bool is_free(const struct wf_watch *watch,
		    const struct wf_watch_place *place, uint64_t now)
{
	return !place->peer || wf_watch_has_seen(place) ||
	       (place - watch->place >= KEPT &&
		now - place->taken >= SILENT_MS * WF_NS_PER_MS &&
		!wf_probe_is_doubted(place->peer->probe));
}

/* NULL: all are taken by some that have not answered yet. */
static struct wf_watch_place *give(struct wf_watch *watch, struct wf_peer *peer,
				   uint64_t now)
{
	struct wf_watch_place *place = NULL;

	for (int i = 0; i < WF_WATCHED && !place; i++, watch->next++)
		if (is_free(watch, &watch->place[watch->next % WF_WATCHED],
			    now))
			place = &watch->place[watch->next % WF_WATCHED];
	if (!place)
		return NULL;
	if (place->peer)
		place->peer->job->env.live->unwatch(place->peer);
	place->peer = peer;
	place->taken = now;
	return place;
}

bool wf_watch_take(struct wf_watch *watch, struct wf_peer *peer, uint64_t now)
{
	struct wf_watch_place *place = find(watch, peer);

	if (!place && (peer->live_fd >= 0 || peer->probe))
		return true;
	if (!place)
		place = give(watch, peer, now);
	if (place)
		place->seen = now;
	return place;
}

bool wf_watch_uses(const struct wf_watch_place *place, uint64_t now)
{
	return place->peer && now - place->seen < IN_USE_MS * WF_NS_PER_MS;
}
