/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Connecting to a peer that one backend refuses and another lacks memory for:
 * it is tried again for a while, and then given up, or works.
 */
#include "job/peer.h"

#include <stdlib.h>
#include <string.h>
#include "job/liveness.h"
#include "tests/tap.h"

enum {
	PEER = 1,
	MS = 1000000,
	STEPS = 500			/* of one millisecond */
};

/* A job with two devices: the first refuses, the second has no memory. */
struct world {
	struct weft_job job;
	struct wf_tp_ops refusing, starving;
	struct wf_device first, second;
	struct wf_ep ep;
	uint64_t now;
	bool has_memory;
	int connects;
};

static uint64_t now(void *arg)
{
	return ((struct world *)arg)->now;
}

static bool no_verdict(struct wf_peer *peer, char *why, size_t bytes)
{
	(void)peer;
	(void)why;
	(void)bytes;
	return false;
}

static void unwatch(struct wf_peer *peer)
{
	(void)peer;
}

static const struct wf_live_ops live = {
	.probe = no_verdict, .unwatch = unwatch
};

/* The answer comes later. */
static int begin(struct wf_device *dev, const struct wf_tp_peer *peer,
		 struct wf_ep **ep_p)
{
	struct world *w = wf_container(dev, struct world, first);

	(void)peer;
	w->connects++;
	w->ep = (struct wf_ep){ .dev = dev, .state = WF_EP_CONNECTING };
	*ep_p = &w->ep;
	return WEFT_OK;
}

static int lack(struct wf_device *dev, const struct wf_tp_peer *peer,
		struct wf_ep **ep_p)
{
	struct world *w = wf_container(dev, struct world, second);

	(void)peer;
	if (!w->has_memory)
		return WEFT_ERR_NOMEM;
	w->ep = (struct wf_ep){ .dev = dev, .state = WF_EP_READY };
	*ep_p = &w->ep;
	return WEFT_OK;
}

static void disconnect(struct wf_ep *ep)
{
	ep->dev = NULL;
}

static struct wf_peer *world_init(struct world *w)
{
	struct wf_peer *peer;

	*w = (struct world){ .now = MS };
	w->refusing = (struct wf_tp_ops){
		.name = "refusing", .connect = begin, .disconnect = disconnect
	};
	w->starving = w->refusing;
	w->starving.name = "starving";
	w->starving.connect = lack;
	w->first.ops = &w->refusing;
	w->second.ops = &w->starving;
	w->job = (struct weft_job){
		.size = 2, .first_dead = -1, .ndevs = 2,
		.env = { .live = &live, .now = now, .arg = w }
	};
	strcpy(w->job.left_out, "; third: not in WEFT_TRANSPORT");
	w->job.dev[0] = &w->first;
	w->job.dev[1] = &w->second;
	wf_map_init(&w->job.peers);
	wf_list_init(&w->job.busy_peers);
	wf_live_init(&w->job);
	peer = wf_peer_get(&w->job, PEER);
	if (!peer)
		exit(1);
	peer->has_blob = true;
	return peer;
}

/* Time passes, and whoever is asked refuses. */
static void step(struct world *w, struct wf_peer *peer)
{
	w->now += MS;
	if (peer->ep && peer->ep->state == WF_EP_CONNECTING)
		peer->ep->state = WF_EP_REFUSED;
	wf_peer_look(peer);
}

static void gives_up(void)
{
	static const char reasons[] = "cannot be reached, or has closed its "
		"job: refusing: it refuses, and its own error tells why; "
		"starving: WEFT_ERR_NOMEM; third: not in WEFT_TRANSPORT; ";
	struct world w;
	struct wf_peer *peer = world_init(&w);
	int steps = 0;

	wf_peer_connect(peer);
	while (peer->state == WF_PEER_CONNECTING && steps < STEPS) {
		step(&w, peer);
		steps++;
	}
	TAP_EQUAL(peer->state, WF_PEER_UNREACHABLE);
	/* not at once: there might have been memory */
	TAP_CHECK(steps >= WF_LIVE_AGE_MS);
	TAP_CHECK(w.connects > 2);
	/* of the last time, and of a backend that was never opened */
	if (!TAP_CHECK(!strncmp(wf_peer_why(peer), reasons, strlen(reasons))))
		tap_diag("%s", wf_peer_why(peer));
	wf_peers_fini(&w.job);
}

static void tries_again(void)
{
	struct world w;
	struct wf_peer *peer = world_init(&w);

	wf_peer_connect(peer);
	for (int i = 0; i < WF_LIVE_AGE_MS / 2; i++)
		step(&w, peer);
	TAP_EQUAL(peer->state, WF_PEER_CONNECTING);
	w.has_memory = true;
	for (int i = 0; i < 4; i++)
		step(&w, peer);
	TAP_EQUAL(peer->state, WF_PEER_READY);
	/* a connection that breaks later has its own time */
	TAP_EQUAL(peer->lost, 0);
	wf_peers_fini(&w.job);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "given up when it was tried for long", gives_up },
		{ "connected when there is memory again", tries_again }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
