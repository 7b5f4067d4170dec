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
	MOST = 5000,
	SLOT = 256, CHUNK = 64		/* of sim_small_env */
};

static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	static const size_t any[] = { 257, 5000, 320, 512, 4097, 600, 100 };

	if (!shape->variant)
		return 300 + (size_t)(from * 100 + to * 30 + round);
	return any[(from + 2 * to + k + 3 * round) % 7];
}

static const struct sim_flow_shape shapes[] = {
	{ sim_edges_ring, bytes, MOST, 0 }, { sim_edges_ring, bytes, MOST, 1 },
	{ sim_edges_chain, bytes, MOST, 0 }, { sim_edges_chain, bytes, MOST, 1 }
};

struct way {
	const struct sim_flow_shape *shape;
	bool arena, malloced;		/* what the buffers are */
	bool chunked;			/* whatever they are */
};

/* Those whose slot is used again, of a large message; the area has four. */
static uint64_t paid_chunks(uint64_t bytes)
{
	uint64_t chunks = (bytes + CHUNK - 1) / CHUNK;

	return bytes > SLOT && chunks > 4 ? chunks - 4 : 0;
}

/* Chunks went exactly where memory is not of the arena. */
static void check_way(struct sim_flow *flow, const struct way *way,
		      const uint64_t paid[])
{
	struct wf_set *set = wf_graph_of(flow->graph)->set;

	for (int e = 0; e < flow->nout; e++)
		if (set->out[e].area_due != paid[e])
			wf_sim_fail(flow->rank, "edge %d awaits %llu credits, "
				    "of %llu", e,
				    (unsigned long long)set->out[e].area_due,
				    (unsigned long long)paid[e]);

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
	uint64_t paid[SIM_FLOW_EDGES] = { 0 };
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
		if (round >= ROUNDS)
			continue;
		sim_parcel_start(p, round);
		for (int e = 0; e < flow.nout; e++)
			if (!p->arena || way->chunked)
				paid[e] += paid_chunks(p->send_bytes[e]);
	}
	check_way(&flow, way, paid);
	for (int i = 0; i < IN_FLIGHT; i++)
		sim_parcel_fini(&parcel[i]);
	sim_flow_part(&flow);
}

static void run(bool arena, bool malloced)
{
	for (int s = 0; s < TAP_COUNT(shapes); s++) {
		struct way way = { &shapes[s], arena, malloced, false };

		for (int ranks = 1; ranks <= 4; ranks++)
			if (!sim_flow_seeds(ranks, 12, sim_small_env, program,
					    &way))
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

static void set_unfenced(struct wf_sim_options *options)
{
	options->no_fence = true;
}

/* Where no fence ends a peer's writes, nobody gets the user's addresses. */
static void unfenced(void)
{
	for (int at = 0; at < TAP_COUNT(shapes) * 4; at++) {
		struct way way = { &shapes[at / 4], true, false, true };

		if (!sim_flow_seeds_set(1 + at % 4, 12, sim_small_env,
					set_unfenced, program, &way))
			return;
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
