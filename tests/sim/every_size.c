/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every number of ranks: exchanges in each class of messages, by blocking
 * calls and a persistent request, allreduces and barriers give the right
 * answer everywhere, and all memory comes back, from 1 rank to 64 and beyond,
 * with all hardships that a seed draws; in every other one flushes are refused,
 * too.
 */
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	LARGE = 700,			/* more chunks than an area has */
	TO_SLOTS = 5			/* collectives until slots serve them */
};

struct effort {
	int exchanges;			/* of either kind */
};

/* Neighbours on a ring, and those an eighth of it away. */
static int edges(int from, int to, int ranks)
{
	int away = (to - from + ranks) % ranks;

	return (away == 1 % ranks) + (away == (ranks - 1) % ranks) +
	       (ranks > 16 && away == ranks / 8);
}

static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	static const size_t any[] = { 8, 200, 0, LARGE, 28, 29, 256, 257 };

	(void)shape;
	return any[(from + 2 * to + 3 * k + round) % 8];
}

static const struct sim_flow_shape shape = { edges, bytes, LARGE, 0 };

/* Each rank gives its own number, and one that depends on the round. */
static void reduce(struct sim_flow *flow, int round)
{
	int64_t ranks = wf_sim_size(flow->rank);
	int64_t give[2] = { flow->me, round }, sum[2];
	int status = weft_allreduce(weft_job_world(flow->job), give,
				    weft_part(sum, 2, &weft_type_int64),
				    &weft_op_sum);

	if (status || sum[0] != ranks * (ranks - 1) / 2 ||
	    sum[1] != ranks * round)
		wf_sim_fail(flow->rank, "allreduce %d: %s, %lld and %lld",
			    round, weft_status_name(status),
			    (long long)sum[0], (long long)sum[1]);
}

/* The blocking call, buffers of both kinds and sizes that change. */
static void exchange(struct sim_flow *flow, int rounds)
{
	struct sim_parcel arena, heap;

	if (!sim_parcel_init(&arena, flow, true) ||
	    !sim_parcel_init(&heap, flow, false))
		return;
	for (int round = 0; round < rounds; round++) {
		sim_parcel_exchange(round % 2 ? &arena : &heap, round);
		reduce(flow, round);
		if (weft_barrier(weft_job_world(flow->job)))
			wf_sim_fail(flow->rank, "barrier %d", round);
	}
	sim_parcel_fini(&arena);
	sim_parcel_fini(&heap);
}

/* A request for messages of one size each. */
static void repeat(struct sim_flow *flow, int rounds)
{
	struct sim_parcel p;

	if (!sim_parcel_init(&p, flow, true))
		return;
	p.sizes = 1;
	sim_parcel_fill(&p, 0);
	if (weft_neighbor_alltoallv_init(flow->graph, &p.out, &p.in, &p.req))
		wf_sim_fail(flow->rank, "no request");
	for (int round = 0; p.req && round < rounds; round++) {
		sim_parcel_fill(&p, round);
		if (weft_request_start(p.req) || weft_request_wait(p.req) ||
		    !sim_parcel_check(&p))
			wf_sim_fail(flow->rank, "request, round %d", round);
	}
	if (weft_request_free(&p.req))
		wf_sim_fail(flow->rank, "cannot free the request");
	sim_parcel_fini(&p);
}

/* Until nobody is busy any more with what was before. */
static void come_to_rest(struct sim_flow *flow)
{
	for (int round = 0; round < TO_SLOTS; round++) {
		reduce(flow, round);
		if (weft_barrier(weft_job_world(flow->job)))
			wf_sim_fail(flow->rank, "no barrier");
	}
	sim_flow_settle(flow);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct sim_holdings before;
	const struct effort *effort = arg;
	struct sim_flow keep, flow;

	if (!sim_flow_join(&keep, &shape, rank))
		return;
	/* What the first collectives take stays. */
	come_to_rest(&keep);
	before = sim_flow_holdings(&keep);
	if (sim_flow_open(&flow, &shape, rank, keep.job)) {
		exchange(&flow, effort->exchanges);
		repeat(&flow, effort->exchanges);
		sim_flow_close(&flow);
	}
	come_to_rest(&keep);
	sim_flow_check_holdings(&keep, before);
	sim_flow_part(&keep);
}

/* A share, of 300, of the seeds that smaller jobs have; one at least. */
static bool run(int ranks, long share, int exchanges)
{
	struct effort effort = { exchanges };
	long seeds = tap_figure("SEEDS", 30) * share / 300;
	long first = tap_figure("FIRST_SEED", 1);

	for (long seed = first; seed == first || seed < first + seeds;
	     seed++) {
		struct wf_sim_options options;

		wf_sim_options_init(&options, ranks, (uint64_t)seed);
		wf_sim_options_vary(&options);
		wf_sim_options_harden(&options);
		wf_sim_options_unsignal(&options);
		options.environ = sim_small_env;
		if (!sim_flow_run(&options, program, &effort))
			return false;
	}
	return true;
}

static void to_64(void)
{
	for (int ranks = 1; ranks <= 64; ranks++)
		if (!run(ranks, 30, 7))
			return;
}

static void to_128(void)
{
	for (int ranks = 127; ranks <= 128; ranks++)
		if (!run(ranks, 20, 7))
			return;
}

static void large(void)
{
	run((int)tap_figure("MOST_RANKS", 1000), 1, 2);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "1 to 64 ranks", to_64 },
		{ "127 and 128", to_128 },
		{ "1000", large }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
