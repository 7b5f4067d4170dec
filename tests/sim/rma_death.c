/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank dies in the middle of one-sided operations: what the others await of
 * it ends with WEFT_ERR_PEER and its name, regions can be destroyed, and
 * nothing lands in memory given back, which the simulator looks at.
 */
#include <weft.h>
#include "tests/sim/sim_job.h"
#include "tests/tap.h"

enum {
	ROUNDS = 400,		/* far more than a victim lives to see */
	SLOT = 512,
	MOST = 16
};

struct shared {
	int victim;		/* its rank; at last, when it dies */
	bool exposed;		/* the region of rank 0 alone */
	struct weft_region_key key;
	bool ready;
	int heard;
};

struct player {
	struct wf_sim_rank *rank;
	struct weft_job *job;
	struct weft_region *region;
	struct weft_signal *signal;
	void *bytes;		/* in the arena, so that uses show */
	uint64_t old;		/* of atomics */
	bool quiet;		/* a failed request has said so */
	int me, n;
};

/* To one peer: a signal, bytes back, a word; all of it awaited. */
static int deal_with(struct player *p, int peer, int round)
{
	struct weft_target at = { p->region, peer, 64 + (size_t)p->me * SLOT };
	struct weft_target word = { p->region, peer, 0 };
	struct weft_request *req = NULL;
	int status;

	status = weft_put_signal(&at, p->bytes, SLOT, 0,
				 round % 2 ? &req : NULL);
	if (req) {
		status = weft_request_wait(req);
		p->quiet = status != WEFT_OK;
		if (weft_request_free(&req))
			wf_sim_fail(p->rank, "cannot free a request");
	}
	if (!status)
		status = weft_fetch_add(&word, 1, &p->old, NULL);
	if (!status)
		status = weft_get(&at, p->bytes, SLOT, NULL);
	return status ? status : weft_flush(p->region, peer,
					    WEFT_FLUSH_REMOTE);
}

/* Neighbours of a ring, each of whom waits for the sum of all signals. */
static int ring_round(struct player *p, int round)
{
	int status = deal_with(p, (p->me + 1) % p->n, round);

	if (!status)
		status = deal_with(p, (p->me + p->n - 1) % p->n, round);
	return status ? status : weft_signal_wait(p->signal,
						  2 * (uint64_t)round + 2);
}

/* Names the victim; with the statuses that a call may have. */
static void expect_death(struct player *p, struct shared *shared, int status,
			 const char *what)
{
	char name[16];

	snprintf(name, sizeof(name), "rank %d ", shared->victim);
	if (status != WEFT_ERR_PEER || !strstr(weft_error_text(p->job), name))
		wf_sim_fail(p->rank, "%s: %s: %s", what,
			    weft_status_name(status), weft_error_text(p->job));
}

/* The source of puts goes as soon as the rules of buffers allow it. */
static void free_source(struct player *p)
{
	int status = p->quiet ? WEFT_OK : weft_flush(p->region, WEFT_ALL_PEERS,
						     WEFT_FLUSH_LOCAL);

	if (status && status != WEFT_ERR_PEER)
		wf_sim_fail(p->rank, "flush: %s", weft_status_name(status));
	weft_mem_free(p->job, p->bytes);
}

static void use_created(struct player *p, struct shared *shared)
{
	int status = weft_region_create(weft_job_world(p->job), NULL,
					64 + MOST * SLOT, &p->region);

	if (status) {
		expect_death(p, shared, status, "create");
		shared->heard++;
		weft_mem_free(p->job, p->bytes);
		return;
	}
	status = weft_signal_create(p->region, WEFT_ALL_PEERS, 0, &p->signal);
	for (int i = 0; !status && i < ROUNDS; i++)
		status = ring_round(p, i);
	/* Also if who has heard before has taken its part back, and left. */
	expect_death(p, shared, status, "the loop");
	free_source(p);
	expect_death(p, shared, weft_region_free(&p->region), "destroy");
	shared->heard++;
}

/* Everybody writes to rank 0, which then takes its memory back. */
static void use_exposed(struct player *p, struct shared *shared)
{
	struct weft_comm *world = weft_job_world(p->job);
	int status;

	if (p->me == 0) {
		status = weft_region_expose(world, NULL, 64 + MOST * SLOT,
					    &p->region);
		if (status || weft_region_key(p->region, &shared->key))
			wf_sim_fail(p->rank, "cannot expose a region");
		shared->ready = true;
	}
	while (!shared->ready && !weft_job_progress(p->job))
		wf_sim_idle(p->rank, wf_sim_now(p->rank) + 1000000);
	if (p->me == 0) {
		status = weft_signal_create(p->region, shared->victim, 0,
					    &p->signal);
		if (!status)
			status = weft_signal_wait(p->signal, UINT64_MAX);
		expect_death(p, shared, status, "a signal");
	} else {
		status = weft_region_attach(world, &shared->key, &p->region);
		for (int i = 0; !status; i++) {
			status = deal_with(p, 0, i);
			/* the detector takes 200 ms to look */
			wf_sim_idle(p->rank, wf_sim_now(p->rank) + 2000000);
		}
		expect_death(p, shared, status, "the loop");
	}
	free_source(p);
	status = weft_region_free(&p->region);
	if (status && status != WEFT_ERR_PEER)
		wf_sim_fail(p->rank, "destroy: %s", weft_status_name(status));
	shared->heard++;
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct shared *shared = arg;
	struct player p = { .rank = rank, .me = wf_sim_rank(rank),
			    .n = wf_sim_size(rank) };

	if (wf_sim_job_open(rank, &p.job) ||
	    weft_mem_alloc(p.job, SLOT, &p.bytes)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	if (shared->exposed)
		use_exposed(&p, shared);
	else
		use_created(&p, shared);
	if (weft_job_close(p.job) != WEFT_ERR_PEER)
		wf_sim_fail(rank, "the close does not tell of the dead");
}

static bool run(int ranks, int seed, bool exposed)
{
	static char *env[] = { "WEFT_ARENA_MAX=64m", NULL };
	struct shared shared = { .exposed = exposed };
	struct wf_sim_options options;
	struct wf_sim_result result;
	bool good;

	wf_sim_options_init(&options, ranks, (uint64_t)seed);
	wf_sim_options_vary(&options);
	wf_sim_options_unsignal(&options);
	options.environ = env;
	options.kill_rank = exposed ? 1 + seed % (ranks - 1) : seed % ranks;
	/* After the job is open: before, WEFT_TIMEOUT ends it. */
	options.kill_event = 200 + (uint64_t)(seed * 7919 % 1500);
	shared.victim = options.kill_rank;
	good = TAP_EQUAL(wf_sim_run(&options, program, &shared, &result),
			 WEFT_OK) &&
	       TAP_EQUAL(result.violations, 0) &&
	       TAP_EQUAL(result.killed, shared.victim) &&
	       TAP_EQUAL(shared.heard, ranks - 1);
	if (!good)
		tap_diag("%d ranks, seed %d: %s", ranks, seed, result.text);
	return good;
}

static void run_all(bool exposed)
{
	int n = (int)tap_figure("SEEDS", 20);
	int first = (int)tap_figure("FIRST_SEED", 0);

	for (int ranks = 2; ranks <= 9; ranks++)
		for (int seed = first; seed < first + n; seed++)
			if (!run(ranks, seed, exposed))
				return;
}

static void in_a_created_region(void)
{
	run_all(false);
}

static void of_a_user_of_an_exposed_one(void)
{
	run_all(true);
}

/* ---- without a fence ---- */

enum {
	MS = 1000000,		/* of virtual time, in ns */
	LEFT_ALONE = 0x5a5a
};

_Noreturn static void live_and_die(struct wf_sim_rank *rank,
				   struct weft_job *job, int passes)
{
	for (int i = 0; i < passes; i++)
		if (!weft_job_progress(job))
			wf_sim_idle(rank, wf_sim_now(rank) + MS);
	wf_sim_die(rank);
}

/* Rank 0 changes a word of rank 1, which dies; answers take long. */
static void fetch_from_dying(struct wf_sim_rank *rank, void *arg)
{
	struct shared *shared = arg;
	struct weft_target at = { .peer = 1 };
	struct player p = { .rank = rank };
	uint64_t old;
	int status;

	if (wf_sim_rank(rank) == 1)
		wf_sim_doom(rank);
	if (wf_sim_job_open(rank, &p.job) ||
	    weft_region_create(weft_job_world(p.job), NULL, 8, &at.region)) {
		wf_sim_fail(rank, "no region");
		return;
	}
	if (wf_sim_rank(rank) == 1)
		live_and_die(rank, p.job, shared->victim);
	do {
		struct weft_request *req;

		status = weft_fetch_add(&at, 1, &old, &req);
		if (!status)
			status = weft_request_wait(req);
		if (weft_request_free(&req))
			wf_sim_fail(rank, "cannot free a request");
	} while (!status);
	old = LEFT_ALONE;
	for (int i = 0; i < 100; i++) {
		if (weft_job_progress(p.job) != WEFT_ERR_PEER)
			wf_sim_fail(rank, "nobody is dead");
		wf_sim_idle(rank, wf_sim_now(rank) + MS);
	}
	if (status != WEFT_ERR_PEER || old != LEFT_ALONE)
		wf_sim_fail(rank, "%s, and then there is %#llx",
			    weft_status_name(status), (unsigned long long)old);
	if (weft_region_free(&at.region) != WEFT_ERR_PEER ||
	    weft_job_close(p.job) != WEFT_ERR_PEER)
		wf_sim_fail(rank, "%s", weft_error_text(p.job));
	shared->heard++;
}

static void without_a_fence(void)
{
	for (int seed = 0; seed < 40; seed++) {
		struct shared shared = { .victim = 100 + seed };
		struct wf_sim_options options;
		struct wf_sim_result result;

		wf_sim_options_init(&options, 2, (uint64_t)seed);
		options.no_fence = true;
		options.target_idle = true;
		options.max_delay_ns = 50 * MS;
		options.told_ns = 1;
		if (!TAP_EQUAL(wf_sim_run(&options, fetch_from_dying, &shared,
					  &result), WEFT_OK) ||
		    !TAP_EQUAL(result.violations, 0) ||
		    !TAP_EQUAL(shared.heard, 1)) {
			tap_diag("seed %d: %s", seed, result.text);
			return;
		}
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "death in a created region", in_a_created_region },
		{ "death of a user of an exposed one",
		  of_a_user_of_an_exposed_one },
		{ "an answer behind a death, without a fence",
		  without_a_fence }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
