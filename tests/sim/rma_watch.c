/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who awaits a signal of all peers for long, by a wait or by tests, looks for
 * the death of each of them; who is answered again and again, for that of
 * nobody.
 */
#include "job/liveness.h"
#include "job/peer.h"
#include "tests/sim/scene.h"

enum {
	RANKS = 5,
	NUMBER = 3,			/* of the signal */
	RAISES = 60,
	MS = 1000000,
	PAUSE = 10 * MS			/* in all three times WF_LIVE_AGE_MS */
};

#define LONG_NS (2000 * (uint64_t)MS)

enum way { WAIT, TEST, SHORT_TESTS };

static struct weft_region_key key;
static bool looked_for[RANKS];

static bool note_look(struct wf_peer *peer, char *why, size_t bytes)
{
	(void)why;
	(void)bytes;
	looked_for[peer->rank] = true;
	return false;
}

static void await(const struct scene *s, struct weft_signal *signal,
		  uint64_t count, enum way way)
{
	bool reached = false;

	if (way == WAIT)
		ok(s, weft_signal_wait(signal, count), "wait");
	while (way != WAIT && !reached)
		ok(s, weft_signal_test(signal, count, &reached), "test");
}

static void listen_for(const struct scene *s, struct weft_signal *signal,
		       enum way way)
{
	struct wf_live_ops live = *s->job->env.live;
	uint64_t raises = way == SHORT_TESTS ? RAISES : 1;

	live.probe = note_look;
	s->job->env.live = &live;
	memset(looked_for, 0, sizeof(looked_for));
	for (uint64_t count = 1; count <= raises; count++)
		await(s, signal, count, way);
	s->job->env.live = &wf_live_told;
	for (int r = 1; r < RANKS; r++)
		if (looked_for[r] != (way != SHORT_TESTS))
			wf_sim_fail(s->rank, "it has%s looked for rank %d",
				    looked_for[r] ? "" : " not", r);
}

static void own(const struct scene *s, enum way way)
{
	struct weft_region *region;
	struct weft_signal *signal;

	ok(s, weft_region_expose(s->world, NULL, 8, &region), "expose");
	ok(s, weft_region_key(region, &key), "key");
	ok(s, weft_signal_create(region, WEFT_ALL_PEERS, NUMBER, &signal),
	   "signal");
	ok(s, weft_barrier(s->world), "barrier");
	listen_for(s, signal, way);
	ok(s, weft_barrier(s->world), "barrier");
	ok(s, weft_region_free(&region), "destroy");
}

static void raise_it(const struct scene *s, enum way way)
{
	struct weft_target at = { .peer = 0 };
	int raises = way == SHORT_TESTS ? RAISES : 1;

	ok(s, weft_barrier(s->world), "barrier");
	if (wf_sim_rank(s->rank) == 1) {
		ok(s, weft_region_attach(s->world, &key, &at.region),
		   "attach");
		for (int i = 0; i < raises; i++) {
			pause_for(s, way == SHORT_TESTS ? PAUSE : LONG_NS);
			ok(s, weft_put_signal(&at, NULL, 0, NUMBER, NULL),
			   "raise");
		}
		ok(s, weft_region_free(&at.region), "detach");
	}
	ok(s, weft_barrier(s->world), "barrier");
}

static void watch(struct wf_sim_rank *rank, void *arg)
{
	enum way way = *(enum way *)arg;
	struct scene s;

	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 0)
		own(&s, way);
	else
		raise_it(&s, way);
	stop(&s);
}

static void run_way(enum way way)
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, RANKS, 1);
	options.ranks_per_node = 1;	/* none looks for the next of a node */
	options.poll_ns = MS / 100;	/* of tests there are many */
	sim_flow_run(&options, watch, &way);
}

static void waits(void)
{
	run_way(WAIT);
}

static void tests(void)
{
	run_way(TEST);
}

static void short_tests(void)
{
	run_way(SHORT_TESTS);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a long wait looks for each rank", waits },
		{ "tests for long look for each rank", tests },
		{ "tests that are answered look for nobody", short_tests }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
