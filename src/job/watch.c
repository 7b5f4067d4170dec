/* SPDX-License-Identifier: BSD-3-Clause */
/* Peers that have descriptors in turn: see watch.h. */
#include "job/watch.h"

#include "base/clock.h"
#include "job/job.h"
#include "job/liveness.h"
#include "job/peer.h"

enum {
	IN_USE_MS = 1000		/* since the last look */
};

static struct wf_watch_place *find(struct wf_watch *watch,
				   const struct wf_peer *peer)
{
	for (int i = 0; i < WF_WATCHED; i++)
		if (watch->place[i].peer == peer)
			return &watch->place[i];
	return NULL;
}

static struct wf_watch_place *give(struct wf_watch *watch, struct wf_peer *peer)
{
	struct wf_watch_place *place = &watch->place[watch->next++ %
						     WF_WATCHED];

	/* What is under way to a lifeline has an end of its own. */
	if (place->peer && place->peer->live_fd >= 0)
		place->peer->job->env.live->unwatch(place->peer);
	place->peer = peer;
	return place;
}

void wf_watch_take(struct wf_watch *watch, struct wf_peer *peer, uint64_t now)
{
	struct wf_watch_place *place = find(watch, peer);

	if (!place && peer->live_fd < 0)
		place = give(watch, peer);
	if (place)
		place->seen = now;
}

bool wf_watch_uses(const struct wf_watch_place *place, uint64_t now)
{
	return place->peer && now - place->seen < IN_USE_MS * WF_NS_PER_MS;
}
