/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages that grow from exchange to exchange, with others in flight: each
 * arrives whole, and once the larger slots are in use the older ones and their
 * signals are given back.
 */
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	ROUNDS = 30,
	GROWN = 22,		/* from here on all have the same size */
	IN_FLIGHT = 4
};

static char *env[] = {
	"WEFT_LINE_MAX=28", "WEFT_SLOT_MAX=4096", "WEFT_CHUNK=64",
	"WEFT_ARENA=64k", "WEFT_ARENA_MAX=64m", NULL
};

static int both_ways(int from, int to, int ranks)
{
	return from != to && (to == (from + 1) % ranks ||
			      from == (to + 1) % ranks);
}

/* Classes come one by one; in between a line, or a smaller slot. */
static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	size_t class = (size_t)64 << (round * 7 / GROWN);

	if (round < 2)
		return 40;		/* what is compared with later */
	if (round >= GROWN)
		return 4000;
	if ((round + from + k) % 5 == 4)
		return 10;
	if ((round + to) % 7 == 3)
		return shape->variant ? 5000 : 60;
	return class / 2 + 1 + (size_t)(from * 5 + round) % 30;
}

static const struct sim_flow_shape shapes[] = {
	{ both_ways, bytes, 5000, 0 }, { both_ways, bytes, 5000, 1 },
	{ sim_edges_slope, bytes, 5000, 0 },
	{ sim_edges_slope, bytes, 5000, 1 }
};

static void grow(struct wf_sim_rank *rank, void *arg)
{
	const struct sim_flow_shape *shape = arg;
	struct sim_parcel parcel[IN_FLIGHT];
	struct sim_holdings before;
	struct sim_flow flow;

	if (!sim_flow_join(&flow, shape, rank))
		return;
	for (int i = 0; i < IN_FLIGHT; i++)
		if (!sim_parcel_init(&parcel[i], &flow, i % 2))
			return;
	sim_parcel_exchange(&parcel[0], 0);
	sim_parcel_exchange(&parcel[0], 1);
	sim_flow_settle(&flow);
	before = sim_flow_holdings(&flow);
	for (int round = 2; round < ROUNDS + IN_FLIGHT; round++) {
		struct sim_parcel *p = &parcel[round % IN_FLIGHT];

		sim_parcel_wait(p);
		if (flow.me == round % 3)
			sim_flow_compute(&flow, 5000);
		if (round < ROUNDS)
			sim_parcel_start(p, round);
	}
	sim_flow_settle(&flow);
	if (!shape->variant)		/* else its chunk areas stay, too */
		sim_flow_check_holdings(&flow, before);
	for (int i = 0; i < IN_FLIGHT; i++)
		sim_parcel_fini(&parcel[i]);
	sim_flow_part(&flow);
}

static void run(int from)
{
	for (int s = from; s < from + 2; s++)
		for (int ranks = 2; ranks <= 4; ranks++)
			if (!sim_flow_seeds(ranks, 25, env, grow,
					    (void *)&shapes[s]))
				return;
}

static void symmetric(void)
{
	run(0);
}

static void credited(void)
{
	run(2);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "edges with a reverse", symmetric },
		{ "edges without", credited }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
