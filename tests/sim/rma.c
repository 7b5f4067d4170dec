/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One-sided operations over simulated ranks, with all that wf_sim_options_vary
 * draws, and in pieces of a few bytes: every byte, signal and word is checked,
 * and all memory comes back.
 */
#include <weft.h>
#include "job/job.h"
#include "rma/rma.h"
#include "tests/rma/rma_program.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

struct play {
	struct wf_sim_rank *rank;
	size_t piece;
};

static void report(void *arg, const char *text)
{
	struct play *play = arg;

	wf_sim_fail(play->rank, "%s", text);
}

static void made(void *arg, struct weft_region *region)
{
	struct play *play = arg;

	region->rma->piece = play->piece;
}

/* Most as a device that reports raises, and has room for some or many. */
static void report_raises(struct wf_sim_rank *rank, struct weft_job *job)
{
	uint32_t room = (uint32_t)(wf_sim_seed(rank) % 3) * 400;

	if (!room)
		return;
	job->dev[0]->caps |= WF_CAP_REPORTS;
	wf_signals_limit(&job->signals, 0, room);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	const struct rma_options *shared = arg;
	struct play play = { rank, shared->seed % 2 ? 100 : WF_RMA_PIECE };
	struct rma_options options = *shared;
	struct sim_flow flow = { .rank = rank };

	options.made = made;
	options.fail = report;
	options.arg = &play;
	if (wf_sim_job_open(rank, &flow.job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	report_raises(rank, flow.job);
	rma_run(flow.job, &options);
	if (weft_job_close(flow.job))
		wf_sim_fail(rank, "cannot close the job");
}

static void many_seeds(void)
{
	for (int ranks = 1; ranks <= 9; ranks++)
		for (uint64_t seed = 1; seed <= 2; seed++) {
			struct rma_options options = {
				.seed = seed, .rounds = 8, .slot = 700
			};

			if (!sim_flow_seeds_set(ranks, 8, sim_small_env,
						wf_sim_options_unsignal,
						program, &options))
				return;
		}
}

static void many_ranks(void)
{
	static const int sizes[] = { 16, 33, 64, 127 };

	for (int i = 0; i < TAP_COUNT(sizes); i++) {
		struct rma_options options = {
			.seed = (uint64_t)i, .rounds = 3, .slot = 64
		};

		if (!sim_flow_seeds_set(sizes[i], 1, sim_small_env,
					wf_sim_options_unsignal, program,
					&options))
			return;
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "many seeds", many_seeds },
		{ "many ranks", many_ranks }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
