/* SPDX-License-Identifier: BSD-3-Clause */
/* A job without a transport, to see the looks of its failure detector. */
#ifndef WEFT_TESTS_UNIT_DETECTOR_WORLD_H
#define WEFT_TESTS_UNIT_DETECTOR_WORLD_H

#include <stdlib.h>
#include "boot/boot_impl.h"
#include "job/job.h"
#include "job/liveness.h"
#include "job/peer.h"

enum {
	MANY = 10001,
	WHILE = 200,			/* ticks until a death is known: 2 s */
	MS = 1000000			/* nanoseconds */
};

struct world {
	struct weft_job job;
	struct wf_boot boot;
	uint64_t now, step;		/* of each look at the clock */
	int probes[MANY], told[MANY];
	int looks;			/* in this tick */
	bool lively;			/* all live but one: */
	int dead;
};

static inline uint64_t world_now(void *arg)
{
	struct world *w = arg;

	w->now += w->step;
	return w->now;
}

/* All are connected. */
static inline void world_init_of(struct world *w, int ranks,
				 const struct wf_live_ops *live)
{
	*w = (struct world){ .now = MS };
	w->boot.node = (struct wf_boot_node){ .count = 1, .size = 1 };
	w->job = (struct weft_job){
		.size = ranks, .first_dead = -1, .boot = &w->boot,
		.env = { .live = live, .now = world_now, .arg = w }
	};
	wf_map_init(&w->job.peers);
	wf_list_init(&w->job.busy_peers);
	wf_list_init(&w->job.pollers);
	wf_live_init(&w->job);
	w->job.lifeline.fd = -1;
	for (int r = 0; r < ranks; r++) {
		struct wf_peer *peer = wf_peer_get(&w->job, r);

		if (!peer)
			exit(1);
		peer->has_blob = true;
		peer->state = WF_PEER_READY;
	}
}

static inline void world_fini(struct world *w)
{
	wf_peers_fini(&w->job);
	free(w->job.deaths.rank);
}

/* The first look begins the time of a wait, and the second finds it old. */
static inline void world_look(struct world *w)
{
	for (int i = 0; i < 2; i++) {
		w->now += (uint64_t)WF_LIVE_AGE_MS * MS;
		wf_live_progress(&w->job);
	}
}

/* What has to be there, and to do nothing. */
static inline bool world_meet(struct wf_peer *peer)
{
	wf_container(peer->job, struct world, job)->looks++;
	return false;
}

#endif
