/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who waits for 10,000 ranks looks at 256 of them in a tick at most, and knows
 * of a death among them within 2 s, whether it names those whom it waits for,
 * takes what comes from any, or tests signals, of any number, that any of them
 * may raise.  Nobody tells of the death: it must be looked for.
 */
#include <stdlib.h>
#include "job/liveness.h"
#include "job/peer.h"
#include "tests/sim/p2p_scene.h"

enum {
	RANKS = 10001,
	VICTIM = 7001,
	TICKS = 1000,
	SIGNALS = 20,
	TICK_NS = WF_LIVE_TICK_MS * 1000000
};

#define DEATH_NS UINT64_C(5000000000)
#define END_NS UINT64_C(12000000000)
#define KNOWN_NS UINT64_C(2000000000)

static void (*wait)(const struct scene *s);	/* of rank 0 */
static bool any;			/* it takes what comes from any */
static bool dead;			/* the victim is */
static int looks, most;			/* in a tick, and in that with most */

static bool look(struct wf_peer *peer, char *why, size_t bytes)
{
	looks++;
	snprintf(why, bytes, "is dead: it was seen");
	return dead && peer->rank == VICTIM;
}

static bool meet(struct wf_peer *peer)
{
	(void)peer;
	looks++;
	return true;
}

static void unwatch(struct wf_peer *peer)
{
	(void)peer;
}

static const struct wf_live_ops live = {
	.probe = look, .meet = meet, .unwatch = unwatch
};

static void go_on_until(const struct scene *s, uint64_t end)
{
	while (wf_sim_now(s->rank) < end) {
		wf_job_look(s->job);
		wf_sim_idle(s->rank, end);
	}
}

static struct weft_request **receive(const struct scene *s)
{
	struct weft_request **req = calloc(RANKS, sizeof(*req));
	static char word;

	for (int r = 1; req && r < RANKS; r++)
		ok(s, weft_irecv(s->world, &word, 1, &weft_type_byte,
				 weft_from(any ? WEFT_ANY_SOURCE : r, r),
				 &req[r]), "irecv");
	return req;
}

static struct weft_region *region;
static struct weft_signal *signals[SIGNALS];

static void make_signals(const struct scene *s)
{
	ok(s, weft_region_expose(s->world, NULL, 8, &region), "expose");
	for (uint32_t i = 0; i < SIGNALS; i++)
		ok(s, weft_signal_create(region, WEFT_ALL_PEERS, i,
					 &signals[i]), "signal");
}

/* One more in each tick; one that may come from the dead fails. */
static void test_signals(const struct scene *s, int tick)
{
	for (int i = 0; i < SIGNALS && i < tick; i++) {
		bool reached = false;
		int status = weft_signal_test(signals[i], 1, &reached);

		if (reached || (status && status != WEFT_ERR_PEER))
			wf_sim_fail(s->rank, "test: %s",
				    weft_error_text(s->job));
	}
}

/* When the death was known; 0: never. */
static uint64_t wait_in_ticks(const struct scene *s)
{
	uint64_t start = wf_sim_now(s->rank), known = 0;
	const struct wf_peer *victim;

	for (int i = 1; i <= TICKS; i++) {
		looks = 0;
		if (region)
			test_signals(s, i);
		go_on_until(s, start + (uint64_t)i * TICK_NS);
		most = looks > most ? looks : most;
		victim = wf_peer_find(s->job, VICTIM);
		if (!known && victim && victim->state == WF_PEER_DEAD)
			known = wf_sim_now(s->rank);
	}
	return known;
}

static void check_ticks(const struct scene *s)
{
	uint64_t known;

	s->job->env.live = &live;
	known = wait_in_ticks(s);
	if (known < DEATH_NS || known > DEATH_NS + KNOWN_NS)
		wf_sim_fail(s->rank, "the death is known after %lld ms",
			    ((long long)known - (long long)DEATH_NS) / 1000000);
	tap_diag("%d looks in a tick, the death is known after %lld ms", most,
		 ((long long)known - (long long)DEATH_NS) / 1000000);
}

static void wait_for_all(const struct scene *s)
{
	struct weft_request **req = receive(s);

	check_ticks(s);
	for (int r = 1; req && r < RANKS; r++) {
		if (r != VICTIM && !any)
			ok(s, weft_request_cancel(req[r]), "cancel");
		(void)!weft_request_free(&req[r]);
	}
	free(req);
}

static void test_for_all(const struct scene *s)
{
	make_signals(s);
	check_ticks(s);
	(void)!weft_region_free(&region);
}

static void serve(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank);
	struct scene s;

	(void)arg;
	if (me == VICTIM)
		wf_sim_doom(rank);
	if (!start(&s, rank))
		return;
	if (me == VICTIM) {
		go_on_until(&s, DEATH_NS);
		dead = true;
		wf_sim_die(rank);
	}
	if (me == 0)
		wait(&s);
	else
		go_on_until(&s, END_NS);
	(void)!weft_job_close(s.job);
}

static void run_many(void (*way)(const struct scene *s), bool from_any)
{
	struct wf_sim_options options;

	wait = way;
	any = from_any;
	dead = false;
	most = 0;
	wf_sim_options_init(&options, RANKS, 1);
	options.kill_rank = VICTIM;
	options.told_ns = 1000 * DEATH_NS;
	sim_flow_run(&options, serve, NULL);
	TAP_CHECK(most > 0 && most <= 256);
}

static void named(void)
{
	run_many(wait_for_all, false);
}

static void from_any(void)
{
	run_many(wait_for_all, true);
}

static void tests(void)
{
	run_many(test_for_all, true);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "named receives", named },
		{ "receives from any", from_any },
		{ "tests of signals from any", tests }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
