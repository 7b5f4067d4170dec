/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a simulation may bring: the defaults, and what a seed chooses.
 *
 * Called by tests and tools before a run. Each group of choices has numbers of
 * its own, so that a new one leaves what a seed meant to the others.
 */
#include "base/random.h"
#include "transport/sim/sim.h"

void wf_sim_options_init(struct wf_sim_options *options, int ranks,
			 uint64_t seed)
{
	*options = (struct wf_sim_options){
		.size = sizeof(*options),
		.ranks = ranks,
		.seed = seed,
		.tx_depth = 32,
		.min_delay_ns = 500,
		.max_delay_ns = 5000,
		.poll_ns = 100,
		.told_ns = 1000000000,
		.hang_ns = 120000000000,
		.kill_rank = -1,
		.slow_rank = -1,
		.local_any = true,
		.target_idle = true,
	};
}

void wf_sim_options_vary(struct wf_sim_options *options)
{
	static const unsigned int one_in[] = { 0, 2, 4, 16, 64 };
	static const uint64_t delays[] = { 100, 1000, 5000, 50000 };
	struct wf_random random;

	wf_random_init(&random, options->seed ^ 0x73696d6f707473);
	options->again_one_in = one_in[wf_random_below(&random, 5)];
	options->switch_one_in = one_in[wf_random_below(&random, 5)];
	options->slow_one_in = one_in[wf_random_below(&random, 5)];
	options->tx_depth = 1u << wf_random_below(&random, 7);
	options->min_delay_ns = 1 + wf_random_below(&random, 1000);
	options->max_delay_ns = options->min_delay_ns +
				delays[wf_random_below(&random, 4)];
	options->put_mail_order = wf_random_below(&random, 2);
	options->target_idle = wf_random_below(&random, 4);
	wf_random_init(&random, options->seed ^ 0x6d61696c6d6f7374);
	options->long_mails = wf_random_below(&random, 2);
}

static int nodes(const struct wf_sim_options *o)
{
	return o->ranks_per_node ?
	       (o->ranks + o->ranks_per_node - 1) / o->ranks_per_node : 1;
}

bool wf_sim_options_cut(struct wf_sim_options *options, uint64_t from_ns,
			uint64_t until_ns)
{
	uint64_t n = (uint64_t)nodes(options), a, b;
	struct wf_random random;

	if (n < 2)
		return false;
	wf_random_init(&random, options->seed ^ 0x73696d637574);
	a = wf_random_below(&random, n);
	b = (a + 1 + wf_random_below(&random, n - 1)) % n;
	options->down = (struct wf_sim_down){
		.node = { (int)a, (int)b },
		.from_ns = from_ns, .until_ns = until_ns
	};
	return true;
}

/* From soon after the start, for less or longer than a wait is old. */
static void cut_for_a_time(struct wf_sim_options *options,
			   struct wf_random *random)
{
	uint64_t from = wf_random_below(random, (uint64_t)1 <<
					(14 + wf_random_below(random, 8)));
	uint64_t time = wf_random_below(random, (uint64_t)1 <<
					(14 + wf_random_below(random, 17)));

	wf_sim_options_cut(options, from, from + time);
}

void wf_sim_options_harden(struct wf_sim_options *options)
{
	static const unsigned int one_in[] = { 0, 1, 2, 8 };
	static const uint64_t contacts[] = { 0, 0, 10000, 1000000, 300000000 };
	static const int per_node[] = { 0, 0, 1, 2, 5 };
	struct wf_random random;

	wf_random_init(&random, options->seed ^ 0x73696d68617264);
	if (!wf_random_below(&random, 4))
		options->slow_rank = (int)wf_random_below(&random,
						(uint64_t)options->ranks);
	options->tear_one_in = one_in[wf_random_below(&random, 4)];
	options->contact_ns = contacts[wf_random_below(&random, 5)];
	options->ranks_per_node = per_node[wf_random_below(&random, 5)];
	options->no_fence = !wf_random_below(&random, 4);
	if (!wf_random_below(&random, 4))
		cut_for_a_time(options, &random);
}

void wf_sim_options_unsignal(struct wf_sim_options *options)
{
	static const unsigned int one_in[] = { 0, 2, 2, 8 };
	static const unsigned int unsignaled[] = { 0, 2, 16, 64 };
	struct wf_random random;

	wf_random_init(&random, options->seed ^ 0x73696d666c757368);
	options->flush_again_one_in = one_in[wf_random_below(&random, 4)];
	options->unsignaled = unsignaled[wf_random_below(&random, 4)];
}
