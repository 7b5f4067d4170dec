/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks any of which would do are watched in turn, a few at a time, and each
 * until it has answered.
 */
#include <string.h>
#include "tests/tap.h"
#include "tests/unit/detector_world.h"

enum {
	MEMBERS = 100,
	MUTE = 6,
	ANSWERS = 6			/* that many looks later */
};

static bool is_open[MEMBERS];
static int n_open, most_open, n_cut;	/* before they answer */
static bool mute;			/* ranks 1 to MUTE never answer */
static int looked[MEMBERS];

static bool call(struct wf_peer *peer, char *why, size_t bytes)
{
	(void)why;
	(void)bytes;
	n_open += !is_open[peer->rank];
	if (!is_open[peer->rank])
		looked[peer->rank] = 0;
	is_open[peer->rank] = true;
	looked[peer->rank]++;
	most_open = n_open > most_open ? n_open : most_open;
	return false;
}

static bool answers(const struct wf_peer *peer)
{
	return looked[peer->rank] >= ANSWERS && !(mute && peer->rank <= MUTE);
}

static void hang_up(struct wf_peer *peer)
{
	n_cut += is_open[peer->rank] && !answers(peer) &&
		 !(mute && peer->rank <= MUTE);
	n_open -= is_open[peer->rank];
	is_open[peer->rank] = false;
}

static const struct wf_live_ops lines = {
	.probe = call, .meet = world_meet, .unwatch = hang_up,
	.is_seen = answers
};

static int next_member(struct wf_listener *listener, struct wf_round *round)
{
	(void)listener;
	round->among = MEMBERS - 1;
	return round->at < round->among ? ++round->at : -1;
}

static int nobody(struct wf_poller *poller, int *cursor)
{
	(void)poller;
	(void)cursor;
	return -1;
}

/* How many are called in 2 s, all others having answered. */
static int count_called(struct world *w)
{
	int n = 0;

	for (int tick = 0; tick < WHILE; tick++) {
		w->now += (uint64_t)WF_LIVE_TICK_MS * MS;
		wf_live_progress(&w->job);
	}
	for (int r = 1; r < MEMBERS; r++)
		n += looked[r] > 0;
	return n;
}

static void watch_members(struct world *w)
{
	struct wf_listener anybody = {
		.poller = { .waits_for = nobody, .listens = true },
		.may_hear = next_member
	};

	memset(looked, 0, sizeof(looked));
	world_init_of(w, MEMBERS, &lines);
	w->job.leave.on = true;
	most_open = n_cut = 0;
	wf_poller_add(&w->job, &anybody.poller);
	world_look(w);
	TAP_EQUAL(count_called(w), MEMBERS - 1);
	TAP_EQUAL(most_open, WF_WATCHED);
	TAP_EQUAL(n_cut, 0);
	wf_poller_del(&w->job, &anybody.poller);
	w->job.leave.on = false;
	world_fini(w);
	TAP_EQUAL(n_open, 0);
}

static void eight_at_a_time(void)
{
	static struct world w;

	mute = false;
	watch_members(&w);
}

/* Those that are silent hold half of the places, not all. */
static void around_the_silent(void)
{
	static struct world w;

	mute = true;
	watch_members(&w);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "eight are watched at a time", eight_at_a_time },
		{ "also if some are silent", around_the_silent }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
