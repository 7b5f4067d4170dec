/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines whose words say themselves that they are there, as over devices that
 * keep no order within a write: random exchanges of all classes on random
 * graphs, allreduces, barriers and wrong lengths, with all hardships that a
 * seed draws. Every byte is checked by the random program.
 */
#include <weft.h>

#include "tests/sim/sim_exchange.h"
#include "tests/tap.h"

enum {
	MOST_RANKS = 17,
	PAUSE_NS = 1000000
};

static long mismatches;

static void sleep_a_little(void *arg)
{
	sim_flow_compute(arg, PAUSE_NS);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	const struct exchange_options *options = arg;
	struct exchange_result result;

	sim_exchange_play(rank, *options, &result);
	if (wf_sim_rank(rank) == 0)
		mismatches += result.mismatches;
}

static bool one_seed(uint64_t seed, unsigned int mismatch_one_in)
{
	struct exchange_options exchange = {
		.seed = seed, .exchanges = 25, .max_bytes = 2000,
		.max_degree = 4, .graphs = 2, .replace_one_in = 10,
		.pause_one_in = 20, .collective_one_in = 4,
		.mismatch_one_in = mismatch_one_in,
		.pause = sleep_a_little
	};
	static char *const usual[] = {
		"WEFT_ARENA=64k", "WEFT_ARENA_MAX=64m", NULL
	};
	struct wf_sim_options options;

	wf_sim_options_init(&options, 1 + (int)(seed % MOST_RANKS), seed);
	wf_sim_options_vary(&options);
	wf_sim_options_harden(&options);
	options.ll_lines = true;
	/* half of them with the usual limits: a line takes what it can */
	options.environ = seed % 2 ? sim_small_env : usual;
	return sim_flow_run(&options, program, &exchange);
}

static void run_seeds(unsigned int mismatch_one_in)
{
	long seeds = tap_figure("SEEDS", 60);
	long first = tap_figure("FIRST_SEED", 1);

	mismatches = 0;
	for (long seed = first; seed < first + seeds; seed++)
		if (!one_seed((uint64_t)seed, mismatch_one_in))
			return;
	TAP_CHECK(!mismatches == !mismatch_one_in);
}

static void all_agree(void)
{
	run_seeds(0);
}

static void some_disagree(void)
{
	run_seeds(8);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "all agree", all_agree },
		{ "some give a wrong length", some_disagree },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
