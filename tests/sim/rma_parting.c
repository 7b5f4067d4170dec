/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An owner takes its region back while its user lets go of it by itself:
 * whatever each has heard of the other by then, both calls end.
 */
#include "base/random.h"
#include "tests/sim/scene.h"

enum {
	OWNER, USER, RANKS,
	ROUNDS = 30,
	BYTES = 64,
	LATE_NS = 30000			/* at most, behind the other one */
};

static struct weft_region_key key;

/* The other one has done its part. */
static void meet(const struct scene *s)
{
	ok(s, weft_barrier(s->world), "barrier");
}

/* Without progress: what comes meanwhile is found by the call behind it. */
static void be_late(const struct scene *s, struct wf_random *dice)
{
	uint64_t until = wf_sim_now(s->rank) +
			 wf_random_below(dice, LATE_NS);

	while (wf_sim_now(s->rank) < until)
		wf_sim_idle(s->rank, until);
}

static void own(const struct scene *s, struct wf_random *dice)
{
	struct weft_region *region;

	ok(s, weft_region_expose(s->world, NULL, BYTES, &region), "expose");
	ok(s, weft_region_key(region, &key), "key");
	meet(s);
	meet(s);
	be_late(s, dice);
	ok(s, weft_region_destroy(&region), "take back");
}

static void use_it(const struct scene *s, struct wf_random *dice)
{
	struct weft_target at = { .peer = OWNER };
	char bytes[BYTES] = "";

	meet(s);
	ok(s, weft_region_attach(s->world, &key, &at.region), "attach");
	ok(s, weft_put(&at, bytes, BYTES, NULL), "put");
	if (wf_random_below(dice, 2))
		ok(s, weft_flush(at.region, OWNER, WEFT_FLUSH_REMOTE),
		   "flush");
	meet(s);
	be_late(s, dice);
	ok(s, weft_region_destroy(&at.region), "let go");
}

static void both(struct wf_sim_rank *rank, void *arg)
{
	uint64_t seed = *(uint64_t *)arg;
	struct wf_random dice;
	struct scene s;

	if (!start(&s, rank))
		return;
	wf_random_init(&dice, 2 * seed + (uint64_t)wf_sim_rank(rank));
	for (int i = 0; i < ROUNDS; i++) {
		if (wf_sim_rank(rank) == OWNER)
			own(&s, &dice);
		else
			use_it(&s, &dice);
		meet(&s);
	}
	stop(&s);
}

static void at_once(void)
{
	long seeds = tap_figure("SEEDS", 10);
	long first = tap_figure("FIRST_SEED", 1);

	for (long i = first; i < first + seeds; i++) {
		struct wf_sim_options options;
		uint64_t seed = (uint64_t)i;

		wf_sim_options_init(&options, RANKS, seed);
		wf_sim_options_vary(&options);
		wf_sim_options_unsignal(&options);
		if (!sim_flow_run(&options, both, &seed))
			return;
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "owner and user end it at the same time", at_once }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
