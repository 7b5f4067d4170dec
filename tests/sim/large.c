/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Large messages: straight into the user's memory where that is of the arena,
 * through the four chunk slots of the edge where it is not, mixed from one
 * exchange to the next and with several in flight, on which only one at a time
 * uses the area.
 */
#include "plan/channel.h"
#include "tests/sim/sim_flow.h"
#include "topo/graph.h"
#include "tests/tap.h"

enum {
	ROUNDS = 18,
	IN_FLIGHT = 6,
	MOST = 5000
};

static char *env[] = {
	"WEFT_LINE_MAX=28", "WEFT_SLOT_MAX=256", "WEFT_CHUNK=64",
	"WEFT_ARENA=64k", "WEFT_ARENA_MAX=64m", NULL
};

static int ring(int from, int to, int ranks)
{
	return (to == (from + 1) % ranks) + (from == (to + 1) % ranks);
}

static int chain(int from, int to, int ranks)
{
	(void)ranks;
	return to == from + 1;
}

static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	static const size_t any[] = { 257, 5000, 320, 512, 4097, 600, 100 };

	if (!shape->variant)
		return 300 + (size_t)(from * 100 + to * 30 + round);
	return any[(from + 2 * to + k + 3 * round) % 7];
}

static const struct sim_flow_shape shapes[] = {
	{ ring, bytes, MOST, 0 }, { ring, bytes, MOST, 1 },
	{ chain, bytes, MOST, 0 }, { chain, bytes, MOST, 1 }
};

struct way {
	const struct sim_flow_shape *shape;
	bool arena, malloced;		/* what the buffers are */
	bool chunked;			/* whatever they are */
};

/* Chunks went exactly where memory is not of the arena. */
static void check_way(struct sim_flow *flow, const struct way *way)
{
	struct wf_set *set = wf_graph_of(flow->graph)->set;

	for (int e = 0; e < flow->nin; e++) {
		bool chunks = set->in[e].area_taken > 0;

		if (chunks != (way->malloced || way->chunked))
			wf_sim_fail(flow->rank, "edge %d took %llu chunks", e,
				    (unsigned long long)
				    set->in[e].area_taken);
	}
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	const struct way *way = arg;
	struct sim_parcel parcel[IN_FLIGHT];
	struct sim_flow flow;

	if (!sim_flow_join(&flow, way->shape, rank))
		return;
	for (int i = 0; i < IN_FLIGHT; i++) {
		bool arena = way->arena && !(way->malloced && i % 2);

		if (!sim_parcel_init(&parcel[i], &flow, arena))
			return;
	}
	for (int round = 0; round < ROUNDS + IN_FLIGHT; round++) {
		struct sim_parcel *p = &parcel[round % IN_FLIGHT];

		sim_parcel_wait(p);
		if (flow.me == round % 4)
			sim_flow_compute(&flow, 10000);
		if (round < ROUNDS)
			sim_parcel_start(p, round);
	}
	check_way(&flow, way);
	for (int i = 0; i < IN_FLIGHT; i++)
		sim_parcel_fini(&parcel[i]);
	sim_flow_part(&flow);
}

static void run(bool arena, bool malloced)
{
	for (int s = 0; s < TAP_COUNT(shapes); s++) {
		struct way way = { &shapes[s], arena, malloced, false };

		for (int ranks = 1; ranks <= 4; ranks++)
			if (!sim_flow_seeds(ranks, 12, env, program, &way))
				return;
	}
}

static void direct(void)
{
	run(true, false);
}

static void chunks(void)
{
	run(false, true);
}

static void mixed(void)
{
	run(true, true);
}

/* Where no fence ends a peer's writes, nobody gets the user's addresses. */
static void unfenced(void)
{
	long seeds = tap_figure("SEEDS", 12);
	long first = tap_figure("FIRST_SEED", 1);

	for (int at = 0; at < TAP_COUNT(shapes) * 4; at++) {
		struct way way = { &shapes[at / 4], true, false, true };
		struct wf_sim_options options;

		for (long seed = first; seed < first + seeds; seed++) {
			wf_sim_options_init(&options, 1 + at % 4,
					    (uint64_t)seed);
			wf_sim_options_vary(&options);
			options.environ = env;
			options.no_fence = true;
			if (!sim_flow_run(&options, program, &way))
				return;
		}
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "into memory of the arena", direct },
		{ "through chunk slots", chunks },
		{ "mixed, with several in flight", mixed },
		{ "memory of the arena on a device without a fence", unfenced }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
