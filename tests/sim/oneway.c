/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Edges without a reverse: credits alone keep a fast sender from overwriting
 * what a slow receiver has not taken, in all classes of messages and with
 * exchanges overtaking each other on the way.
 */
#include <string.h>
#include "plan/channel.h"
#include "tests/sim/sim_flow.h"
#include "topo/graph.h"
#include "tests/tap.h"

enum {
	ROUNDS = 20,
	AHEAD = 4		/* 2w: exchanges that need no credit */
};

/* ---- shapes: nothing ever comes back ---- */

static int fan_out(int from, int to, int ranks)
{
	(void)ranks;
	return from == 0 && to > 0;
}

static int fan_in(int from, int to, int ranks)
{
	return to == ranks - 1 && from < to;
}

static int ring(int from, int to, int ranks)
{
	return ranks > 2 && to == (from + 1) % ranks;
}

/* variant 0: lines, 1: slots, 2: large, 3: all, and none */
static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	static const size_t any[] = { 8, 200, 0, 700, 28, 29, 256, 257 };

	switch (shape->variant) {
	case 0:
		return (size_t)(from + to + round) % 29;
	case 1:
		return 100 + (size_t)(from + to) % 100;
	case 2:
		return 300 + (size_t)round % 300;
	default:
		return any[(from + 2 * to + 3 * k + round) % 8];
	}
}

static const struct sim_flow_shape shapes[] = {
	{ sim_edges_chain, bytes, 700, 0 }, { sim_edges_chain, bytes, 700, 1 },
	{ sim_edges_chain, bytes, 700, 2 }, { sim_edges_chain, bytes, 700, 3 },
	{ fan_out, bytes, 700, 0 }, { fan_out, bytes, 700, 3 },
	{ fan_in, bytes, 700, 0 }, { fan_in, bytes, 700, 3 },
	{ sim_edges_slope, bytes, 700, 0 }, { sim_edges_slope, bytes, 700, 1 },
	{ sim_edges_slope, bytes, 700, 3 }, { ring, bytes, 700, 3 }
};

/* What the ranks of a run share. */
struct shared {
	const struct sim_flow_shape *shape;
	int slow;			/* rank that computes a lot */
	bool arena;
	int taken;			/* by rank 1, in order */
	int most_ahead;			/* that rank 0 ever was */
};

/* All exchanges queued at once; the window lets two of them go. */
static void queue_all(struct wf_sim_rank *rank, void *arg)
{
	struct shared *shared = arg;
	struct sim_parcel *parcel = calloc(ROUNDS, sizeof(*parcel));
	struct sim_flow flow;

	if (!parcel || !sim_flow_join(&flow, shared->shape, rank))
		return;
	for (int i = 0; i < ROUNDS; i++) {
		if (!sim_parcel_init(&parcel[i], &flow, shared->arena))
			return;
		if (flow.me == shared->slow)
			sim_flow_compute(&flow, 20000);
		sim_parcel_start(&parcel[i], i);
	}
	for (int i = 0; i < ROUNDS; i++) {
		if (flow.me == shared->slow)
			sim_flow_compute(&flow, 50000);
		sim_parcel_wait(&parcel[i]);
	}
	for (int i = 0; i < ROUNDS; i++)
		sim_parcel_fini(&parcel[i]);
	free(parcel);
	sim_flow_part(&flow);
}

static void several_in_flight(void)
{
	struct shared shared = { 0 };

	for (int s = 0; s < TAP_COUNT(shapes); s++) {
		for (int ranks = 2; ranks <= 5; ranks++) {
			shared.shape = &shapes[s];
			shared.slow = (s + ranks) % (ranks + 1) - 1;
			shared.arena = s % 2;
			if (!sim_flow_seeds(ranks, 10, sim_small_env, queue_all,
					    &shared))
				return;
		}
	}
}

/*
 * Rank 0 sends blocking as fast as it can, rank 1 takes one every 30 us: the
 * sender gets ahead by as many exchanges as there are slots, and no further.
 */
static void fast_and_slow(struct wf_sim_rank *rank, void *arg)
{
	struct shared *shared = arg;
	struct sim_parcel parcel;
	struct sim_flow flow;

	if (!sim_flow_join(&flow, shared->shape, rank) ||
	    !sim_parcel_init(&parcel, &flow, shared->arena))
		return;
	for (int i = 0; i < ROUNDS; i++) {
		if (flow.me == 1)
			sim_flow_compute(&flow, 200000);
		sim_parcel_exchange(&parcel, i);
		if (flow.me == 1)
			shared->taken = i + 1;
		else if (i + 1 - shared->taken > shared->most_ahead)
			shared->most_ahead = i + 1 - shared->taken;
	}
	sim_parcel_fini(&parcel);
	sim_flow_part(&flow);
}

static void fast_sender(int variant)
{
	struct sim_flow_shape shape = { sim_edges_chain, bytes, 700, variant };
	struct shared shared = { .shape = &shape, .slow = 1 };
	long seeds = tap_figure("SEEDS", 40);
	long first = tap_figure("FIRST_SEED", 1);
	int most = 0;

	for (long seed = first; seed < first + seeds; seed++) {
		struct wf_sim_options options;

		shared.taken = shared.most_ahead = 0;
		shared.arena = seed % 2;
		wf_sim_options_init(&options, 2, (uint64_t)seed);
		wf_sim_options_vary(&options);
		options.environ = sim_small_env;
		if (!sim_flow_run(&options, fast_and_slow, &shared)) {
			tap_diag("variant %d", variant);
			return;
		}
		/* taken is counted after the wait: one may be on its way */
		TAP_CHECK(shared.most_ahead <= AHEAD + 1);
		if (shared.most_ahead > most)
			most = shared.most_ahead;
	}
	if (variant < 2)
		TAP_CHECK(most >= AHEAD);
}

static void lines(void)
{
	fast_sender(0);
}

static void slots(void)
{
	fast_sender(1);
}

static void large(void)
{
	fast_sender(2);
}

/*
 * As if the mail that tells where to raise credits was lost: the receiver, who
 * is in no exchange that would ask, wants it when some are due.
 */
static void forgetful(struct wf_sim_rank *rank, void *arg)
{
	struct sim_parcel p;
	struct sim_flow flow;
	struct wf_in *in;
	uint64_t until;

	if (!sim_flow_join(&flow, arg, rank) ||
	    !sim_parcel_init(&p, &flow, false))
		return;
	in = wf_graph_of(flow.graph)->set->in;
	sim_parcel_exchange(&p, 0);
	sim_flow_settle(&flow);
	if (flow.me) {
		in->heard = false;
		in->ep = NULL;
	}
	for (int round = 1; round < AHEAD; round++)
		sim_parcel_exchange(&p, round);
	until = wf_sim_now(rank) + UINT64_C(3000000000);
	while (wf_sim_now(rank) < until)
		sim_flow_settle(&flow);
	if (flow.me && (!in->heard || in->credits_due))
		wf_sim_fail(rank, "%u credits are due", in->credits_due);
	sim_parcel_fini(&p);
	sim_flow_part(&flow);
}

static void lost_signals(void)
{
	struct sim_flow_shape shape = { sim_edges_chain, bytes, 700, 0 };

	sim_flow_seeds(2, 10, sim_small_env, forgetful, &shape);
}

/*
 * Were there a credit too many, the sender would overwrite a slot that is not
 * taken yet, and the check of all bytes would see it.
 */
static bool is_overwritten(long seed)
{
	struct sim_flow_shape shape = { sim_edges_chain, bytes, 700, 1 };
	struct shared shared = { .shape = &shape };
	struct wf_sim_options options;
	struct wf_sim_result result;

	wf_sim_options_init(&options, 2, (uint64_t)seed);
	wf_sim_options_vary(&options);
	options.environ = sim_small_env;
	options.forge_one_in = 2;
	if (!TAP_EQUAL(wf_sim_run(&options, fast_and_slow, &shared, &result),
		       WEFT_OK))
		return true;
	return strstr(result.text, ", byte ");
}

static void forged_credits(void)
{
	long seed = 1;

	while (seed <= 1000 && !is_overwritten(seed))
		seed++;
	if (TAP_CHECK(seed <= 1000))
		tap_diag("seed %ld is the first that overwrites", seed);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "several exchanges in flight", several_in_flight },
		{ "a fast sender and a slow receiver: lines", lines },
		{ "a fast sender and a slow receiver: slots", slots },
		{ "a fast sender and a slow receiver: large ones", large },
		{ "credits that the receiver cannot raise yet", lost_signals },
		{ "a credit too many overwrites, and is found", forged_credits }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
