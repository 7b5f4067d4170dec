/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Twins, two edges of the same two ranks: their lines go with one message, or
 * each with its own where one of them has to wait, or is longer than a line;
 * every byte comes to its own edge.
 */
#include "job/peer.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	ROUNDS = 40,
	LONG = 200			/* more than a line */
};

/* So many to each other rank, and to oneself. */
static int five_each(int from, int to, int ranks)
{
	(void)from;
	(void)to;
	(void)ranks;
	return 5;
}

/* With nothing that comes back: by credits. */
static int four_on(int from, int to, int ranks)
{
	(void)ranks;
	return to == from + 1 ? 4 : 0;
}

/* Variant: the edge whose messages are long, or -1. */
static size_t words(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	(void)round;
	return k == shape->variant && from != to ? LONG : 8;
}

/* Lines of all lengths, and what is longer. */
static size_t mixed(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	static const size_t any[] = { 8, 0, 1, 28, 8, 29, 56, 57, 8, LONG };

	(void)shape;
	return any[(3 * from + to + 3 * k + round) % 10];
}

/* To the other rank, by an exchange. */
static uint64_t messages(struct sim_parcel *parcel, int round)
{
	struct sim_flow *flow = parcel->flow;
	const struct wf_peer *peer = wf_peer_find(flow->job, !flow->me);
	uint64_t before = peer->ep->posted;

	sim_parcel_exchange(parcel, round);
	return peer->ep->posted - before;
}

/* Rounds; once all edges are open, one takes so many messages. */
struct trial {
	struct sim_flow_shape shape;
	uint64_t want;			/* 0: they are not counted */
};

static void exchange(struct wf_sim_rank *rank, void *arg)
{
	const struct trial *trial = arg;
	struct sim_parcel parcel;
	struct sim_flow flow;
	uint64_t n;

	if (!sim_flow_join(&flow, &trial->shape, rank))
		return;
	if (sim_parcel_init(&parcel, &flow, true)) {
		for (int round = 0; round < ROUNDS; round++)
			sim_parcel_exchange(&parcel, round);
		n = trial->want ? messages(&parcel, ROUNDS) : 0;
		if (n != trial->want)
			wf_sim_fail(rank, "%llu messages instead of %llu",
				    (unsigned long long)n,
				    (unsigned long long)trial->want);
		sim_parcel_fini(&parcel);
	}
	sim_flow_part(&flow);
}

static void run_count(int long_edge, uint64_t want)
{
	struct trial trial = {
		{ five_each, words, LONG, long_edge }, want
	};
	struct wf_sim_options options;

	wf_sim_options_init(&options, 2, 1);
	sim_flow_run(&options, exchange, &trial);
	options.ll_lines = true;
	sim_flow_run(&options, exchange, &trial);
}

static void short_ones(void)
{
	run_count(-1, 3);
}

static void elder_is_long(void)
{
	run_count(2, 4);
}

static void younger_is_long(void)
{
	run_count(3, 4);
}

static void use_ll(struct wf_sim_options *options)
{
	options->ll_lines = options->seed % 2;
}

static void both_ways(void)
{
	struct trial trial = { { five_each, mixed, LONG, 0 }, 0 };

	sim_flow_seeds_set(3, 20, NULL, use_ll, exchange, &trial);
}

static void one_way(void)
{
	struct trial trial = { { four_on, mixed, LONG, 0 }, 0 };

	sim_flow_seeds_set(3, 20, NULL, use_ll, exchange, &trial);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "two lines are one message", short_ones },
		{ "the elder is longer than a line", elder_is_long },
		{ "the younger is longer than a line", younger_is_long },
		{ "all lengths, both ways", both_ways },
		{ "all lengths, one way", one_way }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
