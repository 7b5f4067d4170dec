/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The limits between the ways of a message: lengths around each of them,
 * whatever it is set to, and with receivers that choose another one each, from
 * memory that peers can write and from other memory.
 */
#include "plan/channel.h"
#include "tests/exchange/exchange_program.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"
#include "topo/graph.h"

enum {
	ROUNDS = 16,
	IN_FLIGHT = 4,
	CHUNK = 192,			/* of the settings below */
	EVEN = 1024, ODD = 4096,	/* of the receivers by their ranks */
	MOST = 2 * ODD + 1,
	MOST_RANKS = 9
};

#define USUAL "WEFT_LINE_MAX=28", "WEFT_CHUNK=192", "WEFT_ARENA=64k", \
	      "WEFT_ARENA_MAX=64m"

static char *const env_28[] = { USUAL, "WEFT_SLOT_MAX=28", NULL };
static char *const env_256[] = { USUAL, "WEFT_SLOT_MAX=256", NULL };
static char *const env_1k[] = { USUAL, "WEFT_SLOT_MAX=1024", NULL };
static char *const env_4k[] = { USUAL, "WEFT_SLOT_MAX=4096", NULL };
static char *const env_auto[] = { USUAL, NULL };

static const struct limit {
	int bytes;			/* 0: that of each receiver */
	char *const *environ;
} limits[] = {
	{ 28, env_28 }, { 256, env_256 }, { 1024, env_1k }, { 4096, env_4k },
	{ 0, env_auto }
};

static size_t limit_of(int variant, int receiver)
{
	if (limits[variant].bytes)
		return (size_t)limits[variant].bytes;
	return receiver % 2 ? ODD : EVEN;
}

static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	size_t limit = limit_of(shape->variant, to);
	const size_t any[] = {
		limit + 1, limit, limit - 1, limit + CHUNK, 28, 29, 0,
		2 * limit + 1, limit + 4 * CHUNK + 1, limit / 2, EVEN + 1, EVEN
	};

	return any[(from + 2 * to + 5 * k + 7 * round) % TAP_COUNT(any)];
}

struct way {
	struct sim_flow_shape shape;
	bool arena, heap;		/* where the buffers are */
};

/* Both ends of an edge go by the limit of its receiver. */
static void check_limits(const struct sim_flow *flow, int variant)
{
	const struct wf_set *set = wf_graph_of(flow->graph)->set;

	for (int i = 0; i < flow->nin; i++)
		if (set->in[i].slot_max != limit_of(variant, flow->me))
			wf_sim_fail(flow->rank, "in-edge %d has a limit of %u",
				    i, set->in[i].slot_max);
	for (int i = 0; i < flow->nout; i++)
		if (set->out[i].slot_max != limit_of(variant, flow->to[i]))
			wf_sim_fail(flow->rank, "out-edge %d has a limit of %u",
				    i, set->out[i].slot_max);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	const struct way *way = arg;
	struct sim_parcel parcel[IN_FLIGHT];
	struct sim_flow flow;

	if (!sim_flow_join(&flow, &way->shape, rank))
		return;
	for (int i = 0; i < IN_FLIGHT; i++)
		if (!sim_parcel_init(&parcel[i], &flow,
				     way->arena && !(way->heap && i % 2)))
			return;
	for (int round = 0; round < ROUNDS + IN_FLIGHT; round++) {
		struct sim_parcel *p = &parcel[round % IN_FLIGHT];

		sim_parcel_wait(p);
		if (flow.me == round % 4)
			sim_flow_compute(&flow, 10000);
		if (round < ROUNDS)
			sim_parcel_start(p, round);
	}
	check_limits(&flow, way->shape.variant);
	for (int i = 0; i < IN_FLIGHT; i++)
		sim_parcel_fini(&parcel[i]);
	if (weft_barrier(weft_job_world(flow.job)))
		wf_sim_fail(rank, "no barrier");
	sim_flow_settle(&flow);
	sim_flow_check_credits(&flow, flow.graph);
	sim_flow_part(&flow);
}

static void choose(struct wf_sim_options *options)
{
	options->slot_max[0] = EVEN;
	options->slot_max[1] = ODD;
}

static bool run(int variant, int (*edges)(int, int, int))
{
	struct way way = { { edges, bytes, MOST, variant }, false, false };

	for (int kind = 1; kind <= 3; kind++) {
		way.arena = kind & 1;
		way.heap = kind & 2;
		for (int ranks = 1; ranks <= 4; ranks++)
			if (!sim_flow_seeds_set(ranks, 6,
						limits[variant].environ,
						choose, program, &way))
				return false;
	}
	return true;
}

static void each_setting(void)
{
	for (int v = 0; v < TAP_COUNT(limits) - 1; v++)
		if (!run(v, sim_edges_ring) || !run(v, sim_edges_chain))
			return;
}

static void each_receiver(void)
{
	run(TAP_COUNT(limits) - 1, sim_edges_ring);
	run(TAP_COUNT(limits) - 1, sim_edges_slope);
}

/* ---- random programs ---- */

static void report(void *arg, const char *text)
{
	const struct sim_flow *flow = arg;

	wf_sim_fail(flow->rank, "%s", text);
}

static void random_program(struct wf_sim_rank *rank, void *arg)
{
	struct exchange_options options = *(const struct exchange_options *)arg;
	struct exchange_result result = { .exchanges = 0 };
	struct sim_flow flow = { .rank = rank, .me = wf_sim_rank(rank) };

	if (wf_sim_job_open(rank, &flow.job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	options.arg = &flow;
	exchange_run(flow.job, &options, &result);
	if (!result.failures && weft_job_close(flow.job))
		wf_sim_fail(rank, "cannot close the job");
}

/* Some ends of some edges disagree about lengths, too. */
static bool one_seed(uint64_t seed)
{
	struct exchange_options exchange = {
		.seed = seed, .exchanges = 20, .max_bytes = MOST,
		.max_degree = 4, .graphs = 2, .replace_one_in = 10,
		.collective_one_in = 4, .mismatch_one_in = seed % 2 ? 8 : 0,
		.fail = report
	};
	struct wf_sim_options options;

	wf_sim_options_init(&options, 2 + (int)(seed % MOST_RANKS), seed);
	wf_sim_options_vary(&options);
	wf_sim_options_harden(&options);
	choose(&options);
	options.environ = env_auto;
	return sim_flow_run(&options, random_program, &exchange);
}

static void random_programs(void)
{
	long seeds = tap_figure("SEEDS", 60);
	long first = tap_figure("FIRST_SEED", 1);

	for (long seed = first; seed < first + seeds; seed++)
		if (!one_seed((uint64_t)seed))
			return;
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "lengths around each setting", each_setting },
		{ "each receiver chooses", each_receiver },
		{ "random exchanges, each receiver chooses", random_programs },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
