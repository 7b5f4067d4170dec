/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words of one part are changed by one agent: the first rank that asks decides
 * which, and one that comes by a device with another agent is refused with the
 * remedy, where it would be right at times only.  The simulator has one kind of
 * device, so the owner's says what the other kind would say.
 */
#include <weft.h>
#include "job/job.h"
#include "tests/sim/sim_job.h"
#include "tests/tap.h"

static void expect(struct wf_sim_rank *rank, struct weft_job *job, int status,
		   int wanted, const char *says)
{
	if (status != wanted || !strstr(weft_error_text(job), says))
		wf_sim_fail(rank, "%s: %s", weft_status_name(status),
			    weft_error_text(job));
}

static void meet(struct wf_sim_rank *rank, struct weft_job *job)
{
	expect(rank, job, weft_barrier(weft_job_world(job)), 0, "");
}

/* Rank 1 comes first; rank 2 when the device of rank 0 is another one. */
static void program(struct wf_sim_rank *rank, void *arg)
{
	struct weft_target at = { .peer = 0 };
	int me = wf_sim_rank(rank);
	struct weft_job *job;
	uint64_t old = 0, other = 7;

	(void)arg;
	if (wf_sim_job_open(rank, &job) ||
	    weft_region_create(weft_job_world(job), NULL, 16, &at.region)) {
		wf_sim_fail(rank, "no region");
		return;
	}
	if (me == 1)
		expect(rank, job, weft_fetch_add(&at, 5, NULL, NULL), 0, "");
	meet(rank, job);
	if (me == 0)
		job->dev[0]->caps ^= WF_CAP_OWN_AGENT;
	meet(rank, job);
	if (me == 2) {
		expect(rank, job, weft_fetch_add(&at, 5, &old, NULL),
		       WEFT_ERR_UNSUPPORTED, "(WEFT_TRANSPORT)");
		expect(rank, job, weft_cas(&at, 5, 6, &old, NULL),
		       WEFT_ERR_UNSUPPORTED, "weft_cas: other ranks change");
		at.offset = 8;
		expect(rank, job, weft_put(&at, &other, 8, NULL), 0, "");
	}
	if (me == 1)
		expect(rank, job, weft_fetch_add(&at, 5, &old, NULL), 0, "");
	expect(rank, job, weft_flush(at.region, WEFT_ALL_PEERS,
				     WEFT_FLUSH_REMOTE), 0, "");
	if (old != (me == 1 ? 5 : 0))
		wf_sim_fail(rank, "%llu was there",
			    (unsigned long long)old);
	meet(rank, job);
	if (me == 0)
		job->dev[0]->caps ^= WF_CAP_OWN_AGENT;
	expect(rank, job, weft_region_destroy(&at.region), 0, "");
	expect(rank, job, weft_job_close(job), 0, "");
}

static void one_agent(void)
{
	for (uint64_t seed = 0; seed < 20; seed++) {
		struct wf_sim_options options;
		struct wf_sim_result result;

		wf_sim_options_init(&options, 3, seed);
		wf_sim_options_vary(&options);
		wf_sim_options_unsignal(&options);
		if (!TAP_EQUAL(wf_sim_run(&options, program, NULL, &result),
			       WEFT_OK) ||
		    !TAP_EQUAL(result.violations, 0)) {
			tap_diag("seed %d: %s", (int)seed, result.text);
			return;
		}
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "one agent for the words of a part", one_agent }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
