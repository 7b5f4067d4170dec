/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the failure detector looks at while it looks at it: a death that it
 * finds ends the wait it is at, or another one.
 */
#include "job/liveness.h"

#include <stdlib.h>
#include "boot/boot_impl.h"
#include "job/job.h"
#include "job/peer.h"
#include "tests/tap.h"

enum {
	RANKS = 5,
	TELLS = 3,			/* until it has heard */
	MS = 1000000
};

/* Waits for one rank after another, and to mail to the first of them. */
struct waiter {
	struct wf_poller poller;
	struct wf_owed owed;
	struct waiter *other;		/* ends as well; NULL: none */
	const int *ranks;		/* up to -1 */
};

struct world {
	struct weft_job job;
	struct wf_boot boot;
	uint64_t now;
	int probes[RANKS], told[RANKS];
};

static uint64_t now(void *arg)
{
	return ((struct world *)arg)->now;
}

/* All are dead. */
static bool find_dead(struct wf_peer *peer, char *why, size_t bytes)
{
	struct world *w = wf_container(peer->job, struct world, job);

	w->probes[peer->rank]++;
	snprintf(why, bytes, "is dead");
	return true;
}

static void unwatch(struct wf_peer *peer)
{
	(void)peer;
}

static bool say_lost(struct wf_peer *peer)
{
	struct world *w = wf_container(peer->job, struct world, job);

	return ++w->told[peer->rank] == TELLS;
}

static const struct wf_live_ops live = {
	.probe = find_dead, .unwatch = unwatch, .say_lost = say_lost
};

static void world_init(struct world *w)
{
	*w = (struct world){ .now = MS };
	w->boot.node = (struct wf_boot_node){ .count = 1, .size = 1 };
	w->job = (struct weft_job){
		.size = RANKS, .first_dead = -1, .boot = &w->boot,
		.env = { .live = &live, .now = now, .arg = w }
	};
	wf_map_init(&w->job.peers);
	wf_list_init(&w->job.busy_peers);
	wf_list_init(&w->job.pollers);
	w->job.lifeline.fd = -1;
	for (int r = 0; r < RANKS; r++) {
		struct wf_peer *peer = wf_peer_get(&w->job, r);

		if (!peer)
			exit(1);
		peer->has_blob = true;
		peer->state = WF_PEER_READY;
	}
}

static void world_fini(struct world *w)
{
	wf_peers_fini(&w->job);
	free(w->job.deaths.rank);
}

static int waits_for(struct wf_poller *poller, int *cursor)
{
	return wf_container(poller, struct waiter, poller)->ranks[(*cursor)++];
}

/* With its mail it is gone altogether. */
static void end(struct waiter *waiter)
{
	wf_owe_not(&waiter->owed);
	wf_poller_del(waiter->poller.job, &waiter->poller);
	free(waiter);
}

static void settled(struct wf_owed *owed, int status)
{
	struct waiter *waiter = wf_container(owed, struct waiter, owed);

	TAP_EQUAL(status, WEFT_ERR_PEER);
	if (waiter->other)
		end(waiter->other);
	end(waiter);
}

static struct waiter *begin(struct world *w, const int *ranks)
{
	struct waiter *waiter = calloc(1, sizeof(*waiter));

	if (!waiter)
		exit(1);
	waiter->ranks = ranks;
	waiter->poller.waits_for = waits_for;
	waiter->owed.settled = settled;
	wf_poller_add(&w->job, &waiter->poller);
	wf_owe(wf_peer_get(&w->job, ranks[0]), &waiter->owed);
	return waiter;
}

/* The first look begins the time of a wait, and the second finds it old. */
static void look(struct world *w)
{
	for (int i = 0; i < 2; i++) {
		w->now += (uint64_t)WF_LIVE_AGE_MS * MS;
		wf_live_progress(&w->job);
	}
}

static void ends_itself(void)
{
	static const int ranks[][3] = { { 1, 2, -1 }, { 3, -1 } };
	struct world w;

	world_init(&w);
	begin(&w, ranks[0]);
	begin(&w, ranks[1]);
	look(&w);
	TAP_CHECK(wf_list_empty(&w.job.pollers));
	TAP_EQUAL(w.probes[1], 1);
	/* nobody waits for it any more */
	TAP_EQUAL(w.probes[2], 0);
	TAP_EQUAL(w.probes[3], 1);
	world_fini(&w);
}

static void ends_the_next(void)
{
	static const int ranks[][2] = { { 1, -1 }, { 2, -1 }, { 3, -1 } };
	struct waiter *first;
	struct world w;

	world_init(&w);
	first = begin(&w, ranks[0]);
	first->other = begin(&w, ranks[1]);
	begin(&w, ranks[2]);
	look(&w);
	TAP_CHECK(wf_list_empty(&w.job.pollers));
	TAP_EQUAL(w.probes[2], 0);
	TAP_EQUAL(w.probes[3], 1);
	world_fini(&w);
}

/* Of the second one, which takes along the one that is looked at. */
static void ends_both(void)
{
	static const int ranks[][3] = { { 1, 2, -1 }, { 3, -1 } };
	struct waiter *first, *second;
	struct world w;

	world_init(&w);
	first = begin(&w, ranks[0]);
	second = begin(&w, ranks[1]);
	second->other = first;
	wf_owe_not(&first->owed);
	wf_owe_not(&second->owed);
	wf_owe(wf_peer_get(&w.job, 1), &second->owed);
	look(&w);
	TAP_CHECK(wf_list_empty(&w.job.pollers));
	TAP_EQUAL(w.probes[1], 1);
	TAP_EQUAL(w.probes[2], 0);
	TAP_EQUAL(w.probes[3], 0);
	world_fini(&w);
}

/* ---- paths that are given up ---- */

static struct wf_peer *leaves;		/* at the next progress */
static int fenced;

static int progress(struct wf_device *dev)
{
	(void)dev;
	if (leaves)
		wf_peer_gone(leaves, WF_PEER_LEFT, "has left");
	leaves = NULL;
	return 0;
}

static int fence(struct wf_ep *ep)
{
	(void)ep;
	fenced++;
	return WEFT_OK;
}

static void disconnect(struct wf_ep *ep)
{
	(void)ep;
}

static const struct wf_tp_ops ops = {
	.progress = progress, .fence = fence, .disconnect = disconnect
};
static struct wf_device device = { .ops = &ops };
static struct wf_ep ep = { .dev = &device };

static void a_lost_peer_is_cut_off(void)
{
	struct wf_peer *peer;
	struct world w;

	world_init(&w);
	w.job.dev[0] = &device;
	w.job.ndevs = 1;
	peer = wf_peer_get(&w.job, 1);
	peer->ep = &ep;
	wf_live_told_lost(&w.job, 1);
	TAP_EQUAL(peer->state, WF_PEER_UNREACHABLE);
	TAP_EQUAL(wf_peer_status(peer), WEFT_ERR_DEVICE);
	TAP_EQUAL(w.job.gone, 1);
	TAP_CHECK(!w.job.untold);
	TAP_EQUAL(fenced, 1);
	wf_live_told_lost(&w.job, 1);
	TAP_EQUAL(w.job.gone, 1);
	/* what it has mailed before counts */
	peer = wf_peer_get(&w.job, 2);
	leaves = peer;
	wf_live_told_lost(&w.job, 2);
	TAP_EQUAL(peer->state, WF_PEER_LEFT);
	TAP_EQUAL(fenced, 1);
	/* nobody else is meant */
	wf_live_told_lost(&w.job, w.job.rank);
	wf_live_told_lost(&w.job, RANKS);
	TAP_CHECK(!wf_peer_find(&w.job, RANKS));
	TAP_EQUAL(w.job.gone, 2);
	/* before anything of it has come */
	w.job.size++;
	wf_live_told_lost(&w.job, RANKS);
	TAP_EQUAL(w.job.gone, 3);
	world_fini(&w);
}

/* What is under way to it may not be done then. */
static void an_end_is_seen_behind_a_lost_path(void)
{
	static const int ranks[] = { 1, -1 };
	struct waiter waiter = { .ranks = ranks,
				 .poller = { .waits_for = waits_for } };
	struct wf_peer *peer;
	struct world w;

	world_init(&w);
	peer = wf_peer_get(&w.job, 1);
	wf_live_told_lost(&w.job, 1);
	TAP_CHECK(!wf_peer_is_silent(peer));
	wf_poller_add(&w.job, &waiter.poller);
	look(&w);
	TAP_CHECK(wf_peer_is_silent(peer));
	TAP_EQUAL(peer->state, WF_PEER_UNREACHABLE);
	TAP_EQUAL(w.job.first_dead, -1);
	wf_poller_del(&w.job, &waiter.poller);
	world_fini(&w);
}

static void who_is_given_up_is_told(void)
{
	struct world w;

	world_init(&w);
	wf_live_cut_off(wf_peer_get(&w.job, 1), "cannot be reached");
	wf_live_cut_off(wf_peer_get(&w.job, 3), "cannot be reached");
	for (int i = 0; i < 10; i++)
		look(&w);
	for (int r = 0; r < RANKS; r++)
		TAP_EQUAL(w.told[r], r % 2 ? TELLS : 0);
	TAP_CHECK(!w.job.untold);
	world_fini(&w);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a death that ends the wait", ends_itself },
		{ "a death that ends the next wait, too", ends_the_next },
		{ "a death that ends both waits", ends_both },
		{ "a lost peer is cut off", a_lost_peer_is_cut_off },
		{ "an end is seen behind a lost path",
		  an_end_is_seen_behind_a_lost_path },
		{ "who is given up is told", who_is_given_up_is_told }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
