/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks that close their jobs, some without having met anybody, while one
 * waits for a signal of all: what they have raised counts, and so does what it
 * raises itself; when nobody is left who could, it hears that.
 */
#include <weft.h>
#include "tests/sim/sim_job.h"
#include "tests/tap.h"

enum {
	MS = 1000000		/* of virtual time, in ns */
};

struct shared {
	struct weft_region_key key;
	bool ready;
	bool tests;		/* instead of a wait */
	int heard;
};

static void expect(struct wf_sim_rank *rank, struct weft_job *job, int status,
		   int wanted, const char *what)
{
	if (status != wanted)
		wf_sim_fail(rank, "%s: %s: %s", what, weft_status_name(status),
			    weft_error_text(job));
}

static int await(struct weft_signal *signal, uint64_t count, bool tests)
{
	bool reached = false;
	int status = WEFT_OK;

	if (!tests)
		return weft_signal_wait(signal, count);
	while (!status && !reached)
		status = weft_signal_test(signal, count, &reached);
	return status;
}

static void stay(struct wf_sim_rank *rank, struct weft_job *job,
		 struct shared *shared)
{
	uint64_t raisers = (uint64_t)wf_sim_size(rank) / 2;
	struct weft_target self = { .peer = 0 };
	struct weft_signal *signal;
	struct weft_request *req;
	int status;

	expect(rank, job, weft_region_expose(weft_job_world(job), NULL, 8,
					     &self.region), 0, "expose");
	expect(rank, job, weft_region_key(self.region, &shared->key), 0,
	       "key");
	shared->ready = true;
	expect(rank, job, weft_signal_create(self.region, WEFT_ALL_PEERS, 3,
					     &signal), 0, "signal");
	expect(rank, job, await(signal, raisers, shared->tests), 0,
	       "what was raised");
	/* All are gone by then. */
	wf_sim_idle(rank, wf_sim_now(rank) + 500 * MS);
	expect(rank, job, weft_put_signal(&self, NULL, 0, 3, &req), 0, "own");
	expect(rank, job, await(signal, raisers + 1, shared->tests), 0,
	       "the own");
	expect(rank, job, weft_request_wait(req), 0, "request");
	expect(rank, job, weft_request_free(&req), 0, "free");
	status = await(signal, raisers + 2, shared->tests);
	expect(rank, job, status, WEFT_ERR_PEER, "none");
	if (!strstr(weft_error_text(job), "nobody else is there; rank "))
		wf_sim_fail(rank, "%s", weft_error_text(job));
	expect(rank, job, weft_region_free(&self.region), 0, "destroy");
	shared->heard++;
}

static void raise_once(struct wf_sim_rank *rank, struct weft_job *job,
		       struct shared *shared)
{
	struct weft_target at = { .peer = 0 };

	while (!shared->ready && !weft_job_progress(job))
		wf_sim_idle(rank, wf_sim_now(rank) + MS);
	expect(rank, job, weft_region_attach(weft_job_world(job), &shared->key,
					     &at.region), 0, "attach");
	expect(rank, job, weft_put_signal(&at, NULL, 0, 3, NULL), 0, "raise");
	expect(rank, job, weft_region_free(&at.region), 0, "detach");
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct shared *shared = arg;
	struct weft_job *job;

	if (wf_sim_job_open(rank, &job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	if (wf_sim_rank(rank) == 0)
		stay(rank, job, shared);
	else if (wf_sim_rank(rank) % 2)
		raise_once(rank, job, shared);
	expect(rank, job, weft_job_close(job), 0, "close");
}

static void run_all(bool tests)
{
	uint64_t n = (uint64_t)tap_figure("SEEDS", 3);
	uint64_t first = (uint64_t)tap_figure("FIRST_SEED", 0);

	for (int ranks = 2; ranks <= 16; ranks += ranks / 2)
		for (uint64_t seed = first; seed < first + n; seed++) {
			struct shared shared = { .tests = tests };
			struct wf_sim_options options;
			struct wf_sim_result result;

			wf_sim_options_init(&options, ranks, seed);
			wf_sim_options_vary(&options);
			wf_sim_options_unsignal(&options);
			if (!TAP_EQUAL(wf_sim_run(&options, program, &shared,
						  &result), WEFT_OK) ||
			    !TAP_EQUAL(result.violations, 0) ||
			    !TAP_EQUAL(shared.heard, 1)) {
				tap_diag("%d ranks, seed %d: %s", ranks,
					 (int)seed, result.text);
				return;
			}
		}
}

static void waits(void)
{
	run_all(false);
}

static void tests(void)
{
	run_all(true);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a wait for those that leave", waits },
		{ "tests for those that leave", tests }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
