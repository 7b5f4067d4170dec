/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ragged recursive multiplying against a recursive definition.
 *
 * The oracle cuts the ranks by plain recursion and writes down, for every
 * rank and level, the blocks of its group and a hash of the bracket; it knows
 * nothing of stages. Running the stages of all ranks must give the hash of
 * the whole, in ceil(log_radix(size)) stages, and the targets must be the
 * sources turned round.
 *
 * Sizes up to 1024; radices above 8 on a sample of the sizes that SEEDS
 * chooses (SEEDS=1000: all).
 */
#include "tests/tap.h"

#include "base/random.h"
#include "coll/peers.h"

#include <stdint.h>

enum {
	SIZES = 1024,
	LEVELS = 10		/* of radix 2 */
};

struct oracle {
	int size;
	int radix;
	int levels;
	int low[LEVELS][SIZES];		/* of the group at a level, per rank */
	int end[LEVELS][SIZES];
	int child[LEVELS][SIZES];	/* low of the rank's block below */
};

static struct oracle oracle;
static struct wf_ragged_stage stages[SIZES];

static uint64_t mix(uint64_t a, uint64_t b)
{
	a = (a ^ b) * 0x9e3779b97f4a7c15u;
	return a ^ (a >> 29);
}

static uint64_t leaf(int rank)
{
	return mix(0x5157u, (uint64_t)rank + 1);
}

/* Integer logarithm by counting, as the definition reads. */
static int log_up(int size, int radix)
{
	int levels = 0;

	for (long reach = 1; reach < size; reach *= radix)
		levels++;
	return levels;
}

/*
 * Cuts [low, end) into as few near-equal blocks as fit below; returns the
 * bracket of the group.
 */
static uint64_t cut(int low, int end, int level)
{
	long fit = 1;
	int blocks, at = low;
	uint64_t hash = 0;

	if (level == oracle.levels)
		return leaf(low);
	for (int i = level + 1; i < oracle.levels; i++)
		fit *= oracle.radix;
	for (blocks = 1; blocks * fit < end - low; blocks++)
		;
	for (int b = 0; b < blocks; b++) {
		int longer = b < (end - low) % blocks;
		int next = at + (end - low) / blocks + longer;
		uint64_t below = cut(at, next, level + 1);

		hash = b ? mix(hash, below) : below;
		for (int r = at; r < next; r++) {
			oracle.low[level][r] = low;
			oracle.end[level][r] = end;
			oracle.child[level][r] = at;
		}
		at = next;
	}
	return hash;
}

/* The blocks and sources of one rank, as the oracle's tables give them. */
static void check_sources(int rank, int level)
{
	const struct wf_ragged_stage *stage = &stages[rank];
	const int *child = oracle.child[level];
	int n = 0, at = rank - child[rank];

	TAP_EQUAL(stage->low, oracle.low[level][rank]);
	TAP_EQUAL(stage->end, oracle.end[level][rank]);
	for (int low = stage->low; low < stage->end; n++) {
		int end = low;

		while (end < stage->end && child[end] == low)
			end++;
		TAP_CHECK((n == stage->own) == (low == child[rank]));
		TAP_EQUAL(stage->source[n], low + at % (end - low));
		low = end;
	}
	TAP_EQUAL(stage->nblocks, n);
	TAP_CHECK(n <= oracle.radix);
	TAP_EQUAL(stage->source[stage->own], rank);
}

/* Targets behind the own block come first, then those before it. */
static int way_round(int rank, int target, int level)
{
	const struct wf_ragged_stage *stage = &stages[rank];

	if (target > oracle.child[level][rank])
		return target;
	return target + stage->end - stage->low;
}

/* Each taking is known to the giver, and nothing else is. */
static void check_targets(int level)
{
	static int seen[SIZES];
	int taken = 0;

	memset(seen, 0, sizeof(seen));
	for (int r = 0; r < oracle.size; r++) {
		const struct wf_ragged_stage *stage = &stages[r];

		taken += stage->nblocks - 1;
		TAP_CHECK(stage->ntargets <= 2 * (oracle.radix - 1));
		for (int t = 0; t < stage->ntargets; t++) {
			const struct wf_ragged_stage *to =
				&stages[stage->target[t]];
			int from = 0;

			TAP_CHECK(!t || way_round(r, stage->target[t - 1],
						  level) <
					way_round(r, stage->target[t], level));
			for (int b = 0; b < to->nblocks; b++)
				from += b != to->own && to->source[b] == r;
			TAP_EQUAL(from, 1);
		}
		seen[r] = stage->ntargets;
	}
	for (int r = 0; r < oracle.size; r++)
		taken -= seen[r];
	TAP_EQUAL(taken, 0);
}

static void run_stage(uint64_t *value)
{
	static uint64_t next[SIZES];

	for (int r = 0; r < oracle.size; r++) {
		next[r] = value[stages[r].source[0]];
		for (int b = 1; b < stages[r].nblocks; b++)
			next[r] = mix(next[r], value[stages[r].source[b]]);
	}
	memcpy(value, next, sizeof(next));
}

static void check(int size, int radix)
{
	static uint64_t value[SIZES];
	uint64_t want;

	oracle.size = size;
	oracle.radix = radix;
	oracle.levels = log_up(size, radix);
	want = cut(0, size, 0);
	if (!TAP_EQUAL(wf_ragged_stages(size, radix), oracle.levels))
		return;
	for (int r = 0; r < size; r++)
		value[r] = leaf(r);
	for (int s = 0; s < oracle.levels; s++) {
		for (int r = 0; r < size; r++) {
			wf_ragged_stage(size, radix, r, s, &stages[r]);
			check_sources(r, oracle.levels - 1 - s);
		}
		check_targets(oracle.levels - 1 - s);
		run_stage(value);
	}
	for (int r = 0; r < size; r++)
		TAP_CHECK(value[r] == want);
}

/* Sizes that are checked: all, or less where everything is slow. */
static int most(void)
{
	long ranks = tap_figure("MOST_RANKS", SIZES);

	return ranks < SIZES ? (int)ranks : SIZES;
}

static void small_radices(void)
{
	for (int radix = 2; radix <= 8; radix++)
		for (int size = 1; size <= most(); size++)
			check(size, radix);
}

static void large_radices(void)
{
	long of_1000 = tap_figure("SEEDS", 100);
	struct wf_random random;

	wf_random_init(&random, 1);
	for (int radix = 9; radix <= WF_RAGGED_RADIX_MAX; radix++)
		for (int size = 1; size <= most(); size++)
			if (size <= 64 || (long)wf_random_below(&random, 1000)
					  < of_1000)
				check(size, radix);
}

/* With equal blocks the k-th posts of a stage go to different ranks. */
static void check_spread(int size, int radix, int s)
{
	for (int k = 0; k < radix - 1; k++) {
		bool hit[SIZES] = { false };

		for (int r = 0; r < size; r++) {
			struct wf_ragged_stage stage;

			wf_ragged_stage(size, radix, r, s, &stage);
			TAP_EQUAL(stage.ntargets, radix - 1);
			TAP_CHECK(!hit[stage.target[k]]);
			hit[stage.target[k]] = true;
		}
	}
}

static void posts_spread(void)
{
	for (int radix = 2; radix <= WF_RAGGED_RADIX_MAX; radix++)
		for (int size = radix; size <= most(); size *= radix)
			for (int s = 0; s < wf_ragged_stages(size, radix); s++)
				check_spread(size, radix, s);
}

/* A case by hand: 11 ranks of radix 4 are (0 1 2 3)(4 5 6 7)(8 9 10). */
static void eleven_by_hand(void)
{
	struct wf_ragged_stage stage;

	TAP_EQUAL(wf_ragged_stages(11, 4), 2);
	wf_ragged_stage(11, 4, 7, 0, &stage);
	TAP_EQUAL(stage.low, 4);
	TAP_EQUAL(stage.end, 8);
	TAP_EQUAL(stage.nblocks, 4);
	TAP_EQUAL(stage.own, 3);
	TAP_EQUAL(stage.ntargets, 3);
	wf_ragged_stage(11, 4, 7, 1, &stage);
	TAP_EQUAL(stage.nblocks, 3);
	TAP_EQUAL(stage.source[0], 3);
	TAP_EQUAL(stage.source[1], 7);
	TAP_EQUAL(stage.source[2], 8);
	TAP_EQUAL(stage.ntargets, 1);
	TAP_EQUAL(stage.target[0], 3);
	wf_ragged_stage(11, 4, 8, 1, &stage);
	TAP_EQUAL(stage.ntargets, 4);
	TAP_EQUAL(stage.target[1], 3);
	TAP_EQUAL(stage.target[3], 7);
	wf_ragged_stage(11, 4, 5, 1, &stage);
	TAP_EQUAL(stage.ntargets, 2);
	TAP_EQUAL(stage.target[0], 9);
	TAP_EQUAL(stage.target[1], 1);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "11 ranks, radix 4, by hand", eleven_by_hand },
		{ "all sizes, radix 2 to 8", small_radices },
		{ "radix 9 to 16", large_radices },
		{ "no two posts at a time to one rank", posts_spread },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
