/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Edges without a reverse: credits alone keep a fast sender from overwriting
 * what a slow receiver has not taken, in all classes of messages and with
 * exchanges overtaking each other on the way.
 */
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	ROUNDS = 20,
	AHEAD = 4		/* 2w: exchanges that need no credit */
};

static char *env[] = {
	"WEFT_LINE_MAX=28", "WEFT_SLOT_MAX=256", "WEFT_CHUNK=64",
	"WEFT_ARENA=64k", "WEFT_ARENA_MAX=64m", NULL
};

/* ---- shapes: nothing ever comes back ---- */

static int chain(int from, int to, int ranks)
{
	(void)ranks;
	return to == from + 1;
}

static int fan_out(int from, int to, int ranks)
{
	(void)ranks;
	return from == 0 && to > 0;
}

static int fan_in(int from, int to, int ranks)
{
	return to == ranks - 1 && from < to;
}

/* All pairs, downhill; next to each other twice. */
static int downhill(int from, int to, int ranks)
{
	(void)ranks;
	return from < to ? 1 + (to == from + 1) : 0;
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
	{ chain, bytes, 700, 0 }, { chain, bytes, 700, 1 },
	{ chain, bytes, 700, 2 }, { chain, bytes, 700, 3 },
	{ fan_out, bytes, 700, 0 }, { fan_out, bytes, 700, 3 },
	{ fan_in, bytes, 700, 0 }, { fan_in, bytes, 700, 3 },
	{ downhill, bytes, 700, 0 }, { downhill, bytes, 700, 1 },
	{ downhill, bytes, 700, 3 }, { ring, bytes, 700, 3 }
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
			if (!sim_flow_seeds(ranks, 10, env, queue_all,
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
	struct sim_flow_shape shape = { chain, bytes, 700, variant };
	struct shared shared = { .shape = &shape, .slow = 1 };
	long seeds = tap_figure("SEEDS", 40);
	long first = tap_figure("FIRST_SEED", 1);
	int most = 0;

	for (long seed = first; seed < first + seeds; seed++) {
		struct wf_sim_options options;
		struct wf_sim_result result;

		shared.taken = shared.most_ahead = 0;
		shared.arena = seed % 2;
		wf_sim_options_init(&options, 2, (uint64_t)seed);
		wf_sim_options_vary(&options);
		options.environ = env;
		if (!TAP_EQUAL(wf_sim_run(&options, fast_and_slow, &shared,
					  &result), WEFT_OK))
			return;
		if (!TAP_EQUAL(result.violations, 0)) {
			tap_diag("variant %d, seed %ld: %s", variant, seed,
				 result.text);
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

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "several exchanges in flight", several_in_flight },
		{ "a fast sender and a slow receiver: lines", lines },
		{ "a fast sender and a slow receiver: slots", slots },
		{ "a fast sender and a slow receiver: large ones", large }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
