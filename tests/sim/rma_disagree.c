/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls on a region that end well at one rank and with an error at another,
 * because a third one died between what it told them: nothing is written to
 * memory given back, which the simulator looks at, and nobody waits for ever.
 */
#include <weft.h>
#include "tests/sim/sim_job.h"
#include "tests/tap.h"

enum {
	RANKS = 4,
	SLOT = 256,
	PUTS = 200,
	MS = 1000000		/* of virtual time, in ns */
};

struct shared {
	int made, failed;	/* creates of those who live on */
	bool destroyed;		/* by rank 0 */
	int together;		/* ranks that have come so far */
	int good;		/* ranks that did what they should */
};

struct player {
	struct wf_sim_rank *rank;
	struct weft_job *job;
	struct weft_region *region;
	void *bytes;		/* in the arena, so that uses show */
	int me;
};

static bool is_end(int status)
{
	return status == WEFT_ERR_PEER || status == WEFT_ERR_RANGE;
}

static bool join(struct player *p, struct wf_sim_rank *rank)
{
	p->rank = rank;
	p->me = wf_sim_rank(rank);
	if (wf_sim_job_open(rank, &p->job))
		return false;
	if (!weft_mem_alloc(p->job, SLOT, &p->bytes))
		return true;
	wf_sim_fail(rank, "no memory");
	return false;
}

static void part(struct player *p)
{
	int status;

	weft_mem_free(p->job, p->bytes);
	status = weft_job_close(p->job);
	if (status && status != WEFT_ERR_PEER)
		wf_sim_fail(p->rank, "close: %s", weft_status_name(status));
}

/* One put to each rank; what it says of each is an end, or none. */
static void put_to_all(struct player *p)
{
	struct weft_target at = { p->region, 0, (size_t)p->me * SLOT };

	for (at.peer = 0; at.peer < RANKS; at.peer++) {
		int status = weft_put(&at, p->bytes, SLOT, NULL);

		if (status && !is_end(status))
			wf_sim_fail(p->rank, "put: %s",
				    weft_error_text(p->job));
	}
}

/* Progress, and 2 ms. */
static void breathe(struct player *p)
{
	int status = weft_job_progress(p->job);

	if (status && status != WEFT_ERR_PEER)
		wf_sim_fail(p->rank, "progress: %s", weft_status_name(status));
	wf_sim_idle(p->rank, wf_sim_now(p->rank) + 2 * MS);
}

/* For longer than it takes to see a death. */
static void live_on(struct player *p)
{
	for (int i = 0; i < PUTS; i++) {
		if (p->region)
			put_to_all(p);
		breathe(p);
	}
}

/* ---- creation ---- */

static void create_and_write(struct wf_sim_rank *rank, void *arg)
{
	struct shared *shared = arg;
	struct player p = { .rank = rank };
	int status;

	if (!join(&p, rank))
		return;
	status = weft_region_create(weft_job_world(p.job), NULL, RANKS * SLOT,
				    &p.region);
	if (status && status != WEFT_ERR_PEER)
		wf_sim_fail(rank, "create: %s", weft_error_text(p.job));
	if (status)
		shared->failed++;
	else
		shared->made++;
	live_on(&p);
	status = weft_region_free(&p.region);
	if (status && !is_end(status))
		wf_sim_fail(rank, "destroy: %s", weft_error_text(p.job));
	part(&p);
}

/* True: one has made it, and another one has not. */
static bool cut_creation(uint64_t kill_event, uint64_t seed)
{
	static char *env[] = { "WEFT_ARENA_MAX=64m", "WEFT_TIMEOUT=1", NULL };
	struct shared shared = { .made = 0 };
	struct wf_sim_options options;
	struct wf_sim_result result;

	wf_sim_options_init(&options, RANKS, seed);
	wf_sim_options_vary(&options);
	wf_sim_options_unsignal(&options);
	options.environ = env;
	options.kill_rank = (int)(seed % RANKS);
	options.kill_event = kill_event;
	if (!TAP_EQUAL(wf_sim_run(&options, create_and_write, &shared,
				  &result), WEFT_OK) ||
	    !TAP_EQUAL(result.violations, 0))
		tap_diag("event %d, seed %d: %s", (int)kill_event, (int)seed,
			 result.text);
	return shared.made && shared.failed;
}

static void creation(void)
{
	uint64_t n = (uint64_t)tap_figure("SEEDS", 4);
	uint64_t first = (uint64_t)tap_figure("FIRST_SEED", 0);
	int split = 0;

	for (uint64_t seed = first; seed < first + n; seed++)
		for (uint64_t event = 1; event < 120; event++) {
			split += cut_creation(event, seed);
			if (tap.failures)
				return;
		}
	TAP_CHECK(split > 0);
}

static bool simulate(uint64_t seed, struct shared *shared,
		     void (*program)(struct wf_sim_rank *rank, void *arg))
{
	static char *env[] = { "WEFT_ARENA_MAX=64m", NULL };
	struct wf_sim_options options;
	struct wf_sim_result result;

	wf_sim_options_init(&options, RANKS, seed);
	wf_sim_options_vary(&options);
	wf_sim_options_unsignal(&options);
	options.environ = env;
	if (TAP_EQUAL(wf_sim_run(&options, program, shared, &result),
		      WEFT_OK) &&
	    TAP_EQUAL(result.violations, 0))
		return true;
	tap_diag("seed %d: %s", (int)seed, result.text);
	return false;
}

/* ---- destroying ---- */

static void expect_end(struct player *p, int status, const char *what)
{
	if (status != WEFT_ERR_PEER)
		wf_sim_fail(p->rank, "%s: %s: %s", what,
			    weft_status_name(status), weft_error_text(p->job));
}

/* The last rank dies; rank 0 destroys, and the others later. */
static void destroy_alone(struct wf_sim_rank *rank, void *arg)
{
	struct shared *shared = arg;
	struct player p = { .rank = rank };
	struct weft_comm *world;

	if (wf_sim_rank(rank) == RANKS - 1)
		wf_sim_doom(rank);
	if (!join(&p, rank)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	world = weft_job_world(p.job);
	if (weft_region_create(world, NULL, RANKS * SLOT, &p.region))
		wf_sim_fail(rank, "create: %s", weft_error_text(p.job));
	put_to_all(&p);
	if (weft_flush(p.region, WEFT_ALL_PEERS, WEFT_FLUSH_REMOTE) ||
	    weft_barrier(world))
		wf_sim_fail(rank, "barrier: %s", weft_error_text(p.job));
	shared->together++;
	if (p.me == RANKS - 1) {
		while (shared->together < RANKS)
			breathe(&p);
		wf_sim_die(rank);
	}
	while (p.me && !shared->destroyed) {
		put_to_all(&p);
		breathe(&p);
	}
	expect_end(&p, weft_region_free(&p.region), "destroy");
	shared->destroyed = true;
	shared->good++;
	part(&p);
}

static void destruction(void)
{
	/* Ranks that wait for a death look at their memory all the time. */
	for (uint64_t seed = 4; seed < 7; seed++) {
		struct shared shared = { .made = 0 };

		if (!simulate(seed, &shared, destroy_alone) ||
		    !TAP_EQUAL(shared.good, RANKS - 1))
			return;
	}
}

/* The region holds what it needs of its communicator. */
static void destroy_behind_free(struct wf_sim_rank *rank, void *arg)
{
	const struct weft_edges none = { 0, NULL, NULL };
	struct shared *shared = arg;
	struct player p = { .rank = rank };
	struct weft_comm *graph;

	if (!join(&p, rank) ||
	    weft_graph_create_adjacent(weft_job_world(p.job), &none, &none,
				       NULL, false, &graph) ||
	    weft_region_create(graph, NULL, RANKS * SLOT, &p.region) ||
	    weft_comm_free(&graph)) {
		wf_sim_fail(rank, "no region");
		return;
	}
	for (int i = 0; i < 10 * p.me; i++)
		breathe(&p);
	put_to_all(&p);
	shared->together++;
	if (weft_region_free(&p.region))
		wf_sim_fail(rank, "destroy: %s", weft_error_text(p.job));
	/* It synchronises: nobody is behind it before all have come. */
	if (shared->together < RANKS)
		wf_sim_fail(rank, "destroyed before %d have come",
			    RANKS - shared->together);
	part(&p);
}

static void freed(void)
{
	for (uint64_t seed = 0; seed < 20; seed++) {
		struct shared shared = { .made = 0 };

		if (!simulate(seed, &shared, destroy_behind_free))
			return;
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "creation that some ranks have seen end well", creation },
		{ "destruction that some ranks come to late", destruction },
		{ "destruction behind its communicator's", freed }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
