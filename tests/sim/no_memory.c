/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory runs out once, at each allocation of opening, connecting, and closing
 * a job in turn: every rank ends with a status that says so, nobody hangs, and
 * all memory is given back.
 */
#include <weft.h>
#include "tests/fail_malloc.h"
#include "tests/meet.h"
#include "tests/sim/sim_job.h"
#include "tests/tap.h"

enum { MOST = 4 };			/* ranks */

/*
 * Of the leak sanitizer, where that is linked: where it is the simulator that
 * has no memory it ends, and leaves the ranks as they are.  Blocks are counted
 * here for all other runs.
 */
extern void __lsan_disable(void) __attribute__((weak));
extern void __lsan_enable(void) __attribute__((weak));

struct shared {
	bool meets;
	int opened[MOST], met[MOST], closed[MOST];
};

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct shared *shared = arg;
	int me = wf_sim_rank(rank);
	struct weft_job *job = NULL;

	shared->opened[me] = wf_sim_job_open(rank, &job);
	if (shared->opened[me]) {
		if (job)
			wf_sim_fail(rank, "a job that was refused is there");
		return;
	}
	if (shared->meets)
		shared->met[me] = meet(job);
	shared->closed[me] = weft_job_close(job);
}

static int simulate(int ranks, struct shared *shared, long fail_at,
		    struct wf_sim_result *result)
{
	static char *env[] = { "WEFT_ARENA=64k", "WEFT_ARENA_MAX=16m", NULL };
	struct wf_sim_options options;
	int status;

	wf_sim_options_init(&options, ranks, 1);
	options.environ = env;
	memset(result, 0, sizeof(*result));
	if (__lsan_disable)
		__lsan_disable();
	fail_malloc_once(fail_at);
	status = wf_sim_run(&options, program, shared, result);
	if (__lsan_enable)
		__lsan_enable();
	return status;
}

static bool is_any_of(int status, const int *wanted)
{
	while (*wanted && *wanted != status)
		wanted++;
	return *wanted == status;
}

/* Some rank says what happened, and the others what follows of it. */
static void judge(int ranks, const struct shared *shared)
{
	static const int open[] = { WEFT_ERR_NOMEM, WEFT_ERR_TIMEOUT,
				    WEFT_OK };
	static const int meet[] = { WEFT_ERR_NOMEM, WEFT_ERR_PEER, WEFT_OK };
	int told = 0, follow = 0;

	for (int r = 0; r < ranks; r++) {
		TAP_CHECK(is_any_of(shared->opened[r], open));
		TAP_CHECK(is_any_of(shared->met[r], meet));
		TAP_EQUAL(shared->closed[r], WEFT_OK);
		told += shared->opened[r] == WEFT_ERR_NOMEM ||
			shared->met[r] == WEFT_ERR_NOMEM;
		follow += shared->opened[r] == WEFT_ERR_TIMEOUT;
	}
	/* Who waits for one that did not come has nothing else to tell. */
	TAP_EQUAL(follow, told && follow ? ranks - 1 : 0);
}

static void sweep(int ranks, bool meets)
{
	struct wf_sim_result result;
	struct shared shared = { .meets = meets };
	long all;

	TAP_EQUAL(simulate(ranks, &shared, 0, &result), WEFT_OK);
	all = fail_malloc_count();
	TAP_EQUAL(result.finished, ranks);
	TAP_CHECK(all > 5 * ranks);
	for (long k = 1; k <= all && !tap.failures; k++) {
		shared = (struct shared){ .meets = meets };
		/* one of the simulator's own, which ends where it is */
		if (simulate(ranks, &shared, k, &result) == WEFT_ERR_NOMEM)
			continue;
		TAP_EQUAL(fail_malloc_blocks(), 0);
		TAP_EQUAL(result.finished, ranks);
		if (!TAP_EQUAL(result.violations, 0))
			tap_diag("%s", result.text);
		judge(ranks, &shared);
		if (tap.failures)
			tap_diag("%d ranks, allocation %ld of %ld", ranks, k,
				 all);
	}
}

static void opens(void)
{
	for (int ranks = 1; ranks <= MOST; ranks++)
		sweep(ranks, false);
}

static void meets(void)
{
	for (int ranks = 1; ranks <= MOST; ranks++)
		sweep(ranks, true);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "at each allocation of open and close", opens },
		{ "at each allocation of connecting ranks", meets }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
