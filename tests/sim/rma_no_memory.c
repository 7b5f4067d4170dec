/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory runs out for some allocations, at each place in turn, while ranks use
 * each other's parts of a region for the first time: a call may say so, and
 * ends well when it is repeated; nobody waits for ever, and nothing is lost or
 * doubled.
 */
#include <weft.h>
#include "tests/fail_malloc.h"
#include "tests/sim/sim_job.h"
#include "tests/tap.h"

/*
 * Of the leak sanitizer, where that is linked: where it is the simulator that
 * has no memory it ends, and leaves the ranks as they are.
 */
extern void __lsan_disable(void) __attribute__((weak));
extern void __lsan_enable(void) __attribute__((weak));

enum {
	RANKS = 3,
	NUMBERS = 3,
	TRIES = 20,
	MISSING = 3		/* allocations that fail one after the other */
};

struct shared {
	long fail_at;		/* 0: none */
	long used;		/* allocations of the part that is tested */
	int armed, over;	/* ranks that have come so far */
};

struct player {
	struct wf_sim_rank *rank;
	struct shared *shared;
	struct weft_job *job;
	struct weft_region *region;
	uint64_t word;		/* that is put, until the flush */
	int tries;
};

/* After so many it is no want of memory that passes. */
static bool again(struct player *p, int status)
{
	if (status == WEFT_ERR_NOMEM && ++p->tries < TRIES)
		return true;
	if (status)
		wf_sim_fail(p->rank, "%s: %s", weft_status_name(status),
			    weft_error_text(p->job));
	return false;
}

static int put(struct player *p, const struct weft_target *to,
	       uint32_t number, bool asks)
{
	struct weft_request *req = NULL;
	int status;

	if (!asks)
		return weft_put_signal(to, &p->word, 8, number, NULL);
	status = weft_put_signal(to, &p->word, 8, number, &req);
	if (status)
		return status;
	status = weft_request_wait(req);
	return weft_request_free(&req) ? WEFT_ERR_INTERNAL : status;
}

/* Each raises each number once at each. */
static void use(struct player *p)
{
	struct weft_target to = { p->region, 0, 8 };

	for (to.peer = 0; to.peer < RANKS; to.peer++)
		for (uint32_t number = 0; number < NUMBERS; number++)
			while (again(p, put(p, &to, number, number % 2)))
				;
	if (weft_flush(p->region, WEFT_ALL_PEERS, WEFT_FLUSH_REMOTE))
		wf_sim_fail(p->rank, "flush: %s", weft_error_text(p->job));
}

static void look(struct player *p, uint32_t number)
{
	struct weft_signal *signal = NULL;
	bool more = false;

	while (again(p, weft_signal_create(p->region, WEFT_ALL_PEERS, number,
					   &signal)))
		;
	if (weft_signal_wait(signal, RANKS) ||
	    weft_signal_test(signal, RANKS + 1, &more) || more)
		wf_sim_fail(p->rank, "signal %u: %s", (unsigned)number,
			    weft_error_text(p->job));
}

/* All start from the same number of allocations. */
static void meet(struct player *p, int *come)
{
	if (++*come == RANKS)
		fail_malloc_some(p->shared->fail_at, MISSING);
	while (*come < RANKS && !weft_job_progress(p->job))
		wf_sim_idle(p->rank, wf_sim_now(p->rank) + 1000);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct player p = { .rank = rank, .shared = arg };

	if (wf_sim_job_open(rank, &p.job) ||
	    weft_region_create(weft_job_world(p.job), NULL, 64, &p.region)) {
		wf_sim_fail(rank, "no region");
		return;
	}
	meet(&p, &p.shared->armed);
	use(&p);
	if (++p.shared->over == RANKS) {
		p.shared->used = fail_malloc_count();
		fail_malloc_at(0);
	}
	for (uint32_t number = 0; number < NUMBERS; number++)
		look(&p, number);
	if (weft_region_free(&p.region))
		wf_sim_fail(rank, "destroy: %s", weft_error_text(p.job));
	if (weft_job_close(p.job))
		wf_sim_fail(rank, "close: %s", weft_error_text(p.job));
}

/* False: it was an allocation of the simulator, which ends where it is. */
static bool run(struct shared *shared, uint64_t seed)
{
	static char *env[] = { "WEFT_ARENA_MAX=16m", NULL };
	struct wf_sim_options options;
	struct wf_sim_result result;
	int status;

	wf_sim_options_init(&options, RANKS, seed);
	options.environ = env;
	if (__lsan_disable)
		__lsan_disable();
	status = wf_sim_run(&options, program, shared, &result);
	if (__lsan_enable)
		__lsan_enable();
	if (status)
		return false;
	if (!TAP_EQUAL(result.violations, 0) ||
	    !TAP_EQUAL(result.finished, RANKS))
		tap_diag("seed %d, allocation %ld: %s", (int)seed,
			 shared->fail_at, result.text);
	return true;
}

static void first_use(void)
{
	for (uint64_t seed = 0; seed < 4; seed++) {
		struct shared first = { .fail_at = 0 };
		int ended = 0;

		TAP_CHECK(run(&first, seed));
		TAP_CHECK(first.used > RANKS * RANKS);
		for (long k = 1; k <= first.used && !tap.failures; k++) {
			struct shared shared = { .fail_at = k };

			ended += run(&shared, seed);
		}
		TAP_CHECK(ended > RANKS * RANKS);
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "first use of a region", first_use }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
