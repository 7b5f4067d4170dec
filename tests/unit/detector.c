/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the failure detector looks at while it looks at it: a death that it
 * finds ends the wait it is at, or another one.
 */
#include <stdlib.h>
#include <string.h>
#include "tests/tap.h"
#include "tests/unit/detector_world.h"

enum {
	RANKS = 5,
	TELLS = 3			/* until it has heard */
};

/* Waits for one rank after another, and to mail to the first of them. */
struct waiter {
	struct wf_poller poller;
	struct wf_owed owed;
	struct waiter *other;		/* ends as well; NULL: none */
	const int *ranks;		/* up to -1 */
};

/* All are dead, in a world that is not lively. */
static bool find_dead(struct wf_peer *peer, char *why, size_t bytes)
{
	struct world *w = wf_container(peer->job, struct world, job);

	w->looks++;
	w->probes[peer->rank]++;
	if (w->lively && peer->rank != w->dead)
		return false;
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

	w->looks++;
	return ++w->told[peer->rank] == TELLS;
}

static const struct wf_live_ops live = {
	.probe = find_dead, .meet = world_meet, .unwatch = unwatch,
	.say_lost = say_lost
};

static void world_init(struct world *w)
{
	world_init_of(w, RANKS, &live);
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

static void ends_itself(void)
{
	static const int ranks[][3] = { { 1, 2, -1 }, { 3, -1 } };
	static struct world w;

	world_init(&w);
	begin(&w, ranks[0]);
	begin(&w, ranks[1]);
	world_look(&w);
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
	static struct world w;

	world_init(&w);
	first = begin(&w, ranks[0]);
	first->other = begin(&w, ranks[1]);
	begin(&w, ranks[2]);
	world_look(&w);
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
	static struct world w;

	world_init(&w);
	first = begin(&w, ranks[0]);
	second = begin(&w, ranks[1]);
	second->other = first;
	wf_owe_not(&first->owed);
	wf_owe_not(&second->owed);
	wf_owe(wf_peer_get(&w.job, 1), &second->owed);
	world_look(&w);
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
	static struct world w;

	world_init(&w);
	w.job.dev[0] = &device;
	w.job.ndevs = 1;
	peer = wf_peer_get(&w.job, 1);
	peer->ep = &ep;
	wf_live_told_lost(&w.job, 1);
	TAP_EQUAL(peer->state, WF_PEER_UNREACHABLE);
	TAP_EQUAL(wf_peer_status(peer), WEFT_ERR_DEVICE);
	TAP_EQUAL(w.job.gone, 1);
	TAP_CHECK(wf_list_empty(&w.job.suspects));
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
	static struct world w;

	world_init(&w);
	peer = wf_peer_get(&w.job, 1);
	wf_live_told_lost(&w.job, 1);
	TAP_CHECK(!wf_peer_is_silent(peer));
	wf_poller_add(&w.job, &waiter.poller);
	world_look(&w);
	TAP_CHECK(wf_peer_is_silent(peer));
	TAP_EQUAL(peer->state, WF_PEER_UNREACHABLE);
	TAP_EQUAL(w.job.first_dead, -1);
	wf_poller_del(&w.job, &waiter.poller);
	world_fini(&w);
}

static void who_is_given_up_is_told(void)
{
	static struct world w;

	world_init(&w);
	wf_live_cut_off(wf_peer_get(&w.job, 1), "cannot be reached");
	wf_live_cut_off(wf_peer_get(&w.job, 3), "cannot be reached");
	for (int i = 0; i < 10; i++)
		world_look(&w);
	for (int r = 0; r < RANKS; r++)
		TAP_EQUAL(w.told[r], r % 2 ? TELLS : 0);
	TAP_CHECK(wf_list_empty(&w.job.suspects));
	world_fini(&w);
}

/* And so a close waits for nobody. */
static void a_lost_path_to_oneself_is_told_to_nobody(void)
{
	struct wf_ep broken = { .dev = &device, .broken = true };
	static struct world w;
	struct wf_peer *self;

	world_init(&w);
	self = wf_peer_get(&w.job, w.job.rank);
	self->ep = &broken;
	wf_live_look_at(self);
	for (int i = 0; i < 10; i++)
		world_look(&w);
	TAP_EQUAL(self->state, WF_PEER_UNREACHABLE);
	TAP_EQUAL(w.told[w.job.rank], 0);
	TAP_CHECK(!self->untold);
	world_fini(&w);
}

/* Else its own end would look like a death to them; but not for ever. */
static void a_close_lets_it_be_told(void)
{
	static const int deaf = TELLS + 1;
	static struct world w;
	uint64_t since;

	world_init(&w);
	w.step = MS;
	w.job.config.spin = UINT64_MAX;
	wf_live_cut_off(wf_peer_get(&w.job, 1), "cannot be reached");
	TAP_EQUAL(wf_job_say_bye(&w.job), WEFT_OK);
	TAP_EQUAL(w.told[1], TELLS);
	wf_live_cut_off(wf_peer_get(&w.job, 2), "cannot be reached");
	w.told[2] = deaf;
	since = w.now;
	TAP_EQUAL(wf_job_say_bye(&w.job), WEFT_OK);
	TAP_CHECK(w.told[2] > deaf + TELLS);
	TAP_CHECK(w.now - since < UINT64_C(3) * WF_LIVE_BROKEN_MS * MS);
	world_fini(&w);
}

/* ---- many ---- */

enum {
	TICKS = 1000
};

struct crowd {
	struct wf_poller poller;
	int first, n;			/* ranks */
};

static int next_of_crowd(struct wf_poller *poller, int *cursor)
{
	struct crowd *c = wf_container(poller, struct crowd, poller);

	return *cursor < c->n ? c->first + (*cursor)++ : -1;
}

static struct crowd crowd[MANY];

/* Waits for all other ranks, of so many each. */
static void await_all(struct world *w, int n)
{
	int i = 0;

	for (int first = 1; first < MANY; first += n, i++) {
		crowd[i] = (struct crowd){
			.poller = { .waits_for = next_of_crowd },
			.first = first,
			.n = MANY - first < n ? MANY - first : n
		};
		wf_poller_add(&w->job, &crowd[i].poller);
	}
}

static void lively_init(struct world *w)
{
	world_init_of(w, MANY, &live);
	w->lively = true;
	w->dead = -1;
}

/* What goes on in a tick, beside it. */
typedef void pastime(struct world *w);

/* The ticks until the death of some rank is known; the most looks of a tick. */
static int find_death(struct world *w, pastime *beside, int *most_p)
{
	const struct wf_peer *victim;
	int known = 0;

	for (int tick = 1; tick <= TICKS; tick++) {
		if (tick == TICKS / 2)
			w->dead = MANY / 3;
		victim = wf_peer_find(&w->job, MANY / 3);
		w->now += (uint64_t)WF_LIVE_TICK_MS * MS;
		w->looks = 0;
		beside(w);
		wf_live_progress(&w->job);
		if (w->looks > *most_p)
			*most_p = w->looks;
		if (!known && victim->state == WF_PEER_DEAD)
			known = tick - TICKS / 2;
	}
	return known;
}

static void look_for_death(struct world *w, pastime *beside)
{
	int most = 0, known = find_death(w, beside, &most);

	TAP_CHECK(most > 0 && most <= 256);
	TAP_CHECK(known > 0 && known <= WHILE);
	printf("# %d looks in a tick, a death is known after %d\n", most,
	       known);
	world_fini(w);
}

static void quiet(struct world *w)
{
	(void)w;
}

/* Who uses all the time what is of others. */
static void visit_all(struct world *w)
{
	for (int r = 1; r < MANY; r++)
		wf_live_visit(wf_peer_get(&w->job, r));
}

static void visit_others(struct world *w)
{
	for (int r = MANY / 2; r < MANY; r++)
		wf_live_visit(wf_peer_get(&w->job, r));
}

static void one_waits_for_many(void)
{
	static struct world w;

	lively_init(&w);
	await_all(&w, MANY);
	look_for_death(&w, quiet);
}

static void many_wait(void)
{
	static struct world w;

	lively_init(&w);
	await_all(&w, 1);
	look_for_death(&w, quiet);
}

static void many_are_visited(void)
{
	static struct world w;

	lively_init(&w);
	look_for_death(&w, visit_all);
}

/* None of them answers, and of some the path is given up. */
static void many_are_new(void)
{
	static struct world w;

	lively_init(&w);
	await_all(&w, 3);
	for (int r = 1; r < MANY; r++)
		wf_live_connected(wf_peer_get(&w.job, r));
	for (int r = MANY / 2; r < MANY; r++)
		wf_live_cut_off(wf_peer_get(&w.job, r), "cannot be reached");
	look_for_death(&w, visit_others);
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
		{ "who is given up is told", who_is_given_up_is_told },
		{ "a lost path to oneself is told to nobody",
		  a_lost_path_to_oneself_is_told_to_nobody },
		{ "a close lets it be told", a_close_lets_it_be_told },
		{ "one wait for 10000 is looked at in turn",
		  one_waits_for_many },
		{ "so are 10000 waits", many_wait },
		{ "and 10000 who are visited", many_are_visited },
		{ "and 10000 new ones", many_are_new }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
