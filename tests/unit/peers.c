/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ragged recursive multiplying against the tree of halves, written down by
 * plain recursion.
 *
 * The oracle knows nothing of stages: it notes for every rank and level the
 * node of the tree that has the rank, and a hash of the bracket. A way to cut
 * the levels into stages is then a list of levels; the one taken must have
 * ceil(log_radix(size)) stages and as few messages as the best of all. Running
 * the stages of all ranks must give the hash of the whole, and the targets must
 * be the sources turned round.
 *
 * Sizes up to 1024; radix 16 on a sample of the sizes that SEEDS chooses
 * (SEEDS=1000: all).
 */
#include "tests/tap.h"

#include "base/random.h"
#include "coll/peers.h"

#include <limits.h>
#include <stdint.h>

enum {
	SIZES = 1024,
	LEVELS = 10,		/* of that many ranks */
	LARGEST = 519		/* ranks for which all cuts are tried */
};

struct oracle {
	int size;
	int radix;
	int levels;
	int low[LEVELS + 1][SIZES];	/* of the node at a level, per rank */
	int end[LEVELS + 1][SIZES];
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
 * Splits [low, end) at its middle, down to single ranks, which are their own
 * nodes below; returns the bracket.
 */
static uint64_t halve(int low, int end, int level)
{
	int middle = (low + end + 1) / 2;

	for (int r = low; r < end; r++) {
		oracle.low[level][r] = low;
		oracle.end[level][r] = end;
	}
	if (level == oracle.levels)
		return leaf(low);
	if (end - low == 1)
		return halve(low, end, level + 1);
	return mix(halve(low, middle, level + 1),
		   halve(middle, end, level + 1));
}

/* Messages in which every rank takes those of its node of `top` below it. */
static long messages_between(int top, int below)
{
	const int *low = oracle.low[below];
	long all = 0;

	for (int r = 0; r < oracle.size; r++) {
		int end = oracle.end[top][r];

		for (int at = oracle.low[top][r]; at < end;
		     at = oracle.end[below][at])
			all += low[r] != at;
	}
	return all;
}

/* The fewest messages of so many stages above the level `below`. */
static long fewest(const long (*between)[LEVELS + 1], int below, int nstages)
{
	long least = LONG_MAX;

	if (nstages == 0)
		return below ? LONG_MAX : 0;
	for (int top = 0; top < below; top++) {
		long rest;

		if (1 << (below - top) > oracle.radix)
			continue;
		rest = fewest(between, top, nstages - 1);
		if (rest < LONG_MAX && rest + between[top][below] < least)
			least = rest + between[top][below];
	}
	return least;
}

static void check_fewest(long messages, int nstages)
{
	static long between[LEVELS + 1][LEVELS + 1];

	for (int below = 1; below <= oracle.levels; below++)
		for (int top = 0; top < below; top++)
			between[top][below] = messages_between(top, below);
	TAP_EQUAL(messages, fewest(between, oracle.levels, nstages));
}

/* The blocks and sources of one rank are nodes of the tree; the last ones. */
static void check_sources(int rank, int top, int below)
{
	const struct wf_ragged_stage *stage = &stages[rank];
	int n = 0, at = rank - oracle.low[below][rank];

	TAP_EQUAL(stage->low, oracle.low[top][rank]);
	TAP_EQUAL(stage->end, oracle.end[top][rank]);
	for (int low = stage->low; low < stage->end; n++) {
		int end = oracle.end[below][low];

		TAP_EQUAL(stage->first[n], low);
		TAP_CHECK((n == stage->own) == (low <= rank && rank < end));
		TAP_EQUAL(stage->source[n], low + at % (end - low));
		low = end;
	}
	TAP_EQUAL(stage->nblocks, n);
	TAP_EQUAL(stage->first[n], stage->end);
	TAP_CHECK(n <= oracle.radix);
	TAP_EQUAL(stage->source[stage->own], rank);
}

/* Targets behind the own block come first, then those before it. */
static int way_round(int rank, int target)
{
	const struct wf_ragged_stage *stage = &stages[rank];

	if (target > stage->first[stage->own])
		return target;
	return target + stage->end - stage->low;
}

/* Each taking is known to the giver, and nothing else is.  How many. */
static int check_targets(void)
{
	int taken = 0, given = 0;

	for (int r = 0; r < oracle.size; r++) {
		const struct wf_ragged_stage *stage = &stages[r];

		taken += stage->nblocks - 1;
		TAP_CHECK(stage->ntargets <= 2 * (oracle.radix - 1));
		for (int t = 0; t < stage->ntargets; t++) {
			const struct wf_ragged_stage *to =
				&stages[stage->target[t]];
			int from = 0;

			TAP_CHECK(!t || way_round(r, stage->target[t - 1]) <
					way_round(r, stage->target[t]));
			for (int b = 0; b < to->nblocks; b++)
				from += b != to->own && to->source[b] == r;
			TAP_EQUAL(from, 1);
		}
		given += stage->ntargets;
	}
	TAP_EQUAL(taken, given);
	return given;
}

/* By halves of the blocks. */
static uint64_t fold(const uint64_t *value, const int *source, int n)
{
	int half = wf_ragged_half(n);

	if (n == 1)
		return value[source[0]];
	return mix(fold(value, source, half),
		   fold(value, source + half, n - half));
}

static void run_stage(uint64_t *value)
{
	static uint64_t next[SIZES];

	for (int r = 0; r < oracle.size; r++)
		next[r] = fold(value, stages[r].source, stages[r].nblocks);
	memcpy(value, next, sizeof(next));
}

/* The level of the nodes that a stage makes out of those of a level. */
static int level_above(int below)
{
	int level = below;

	while (level && oracle.end[level][0] < stages[0].end)
		level--;
	/* rank 0 is in the longest node of each level */
	return level;
}

static void check(int size, int radix)
{
	struct wf_ragged_cuts cuts = wf_ragged_cut(size, radix);
	static uint64_t value[SIZES];
	int below, messages = 0;
	uint64_t want;

	oracle.size = size;
	oracle.radix = radix;
	below = oracle.levels = log_up(size, 2);
	want = halve(0, size, 0);
	if (!TAP_EQUAL(cuts.stages, log_up(size, radix)))
		return;
	for (int r = 0; r < size; r++)
		value[r] = leaf(r);
	for (int s = 0; s < cuts.stages; s++) {
		for (int r = 0; r < size; r++)
			wf_ragged_stage(&cuts, r, s, &stages[r]);
		for (int r = 0; r < size; r++)
			check_sources(r, level_above(below), below);
		below = level_above(below);
		messages += check_targets();
		run_stage(value);
	}
	TAP_EQUAL(below, 0);
	for (int r = 0; r < size; r++)
		TAP_CHECK(value[r] == want);
	if (size <= LARGEST)
		check_fewest(messages, cuts.stages);
}

/* Sizes that are checked: all, or less where everything is slow. */
static int most(void)
{
	long ranks = tap_figure("MOST_RANKS", SIZES);

	return ranks < SIZES ? (int)ranks : SIZES;
}

static void small_radices(void)
{
	for (int radix = 2; radix <= 8; radix *= 2)
		for (int size = 1; size <= most(); size++)
			check(size, radix);
}

static void large_radix(void)
{
	long of_1000 = tap_figure("SEEDS", 100);
	struct wf_random random;

	wf_random_init(&random, 1);
	for (int size = 1; size <= most(); size++)
		if (size <= 64 ||
		    (long)wf_random_below(&random, 1000) < of_1000)
			check(size, WF_RAGGED_RADIX_MAX);
}

/* With equal blocks the k-th posts of a stage go to different ranks. */
static void check_spread(const struct wf_ragged_cuts *cuts, int s)
{
	struct wf_ragged_stage stage;

	wf_ragged_stage(cuts, 0, s, &stage);
	for (int k = 0; k < stage.nblocks - 1; k++) {
		bool hit[SIZES] = { false };

		for (int r = 0; r < cuts->size; r++) {
			wf_ragged_stage(cuts, r, s, &stage);
			TAP_EQUAL(stage.ntargets, stage.nblocks - 1);
			TAP_CHECK(!hit[stage.target[k]]);
			hit[stage.target[k]] = true;
		}
	}
}

static void posts_spread(void)
{
	for (int radix = 2; radix <= WF_RAGGED_RADIX_MAX; radix *= 2)
		for (int size = radix; size <= most(); size *= 2) {
			struct wf_ragged_cuts cuts = wf_ragged_cut(size, radix);

			for (int s = 0; s < cuts.stages; s++)
				check_spread(&cuts, s);
		}
}

/* How many stages, and the levels of the first one. */
static void check_cut(int size, int radix, int stages_wanted, int bottom)
{
	struct wf_ragged_cuts cuts = wf_ragged_cut(size, radix);

	TAP_EQUAL(cuts.stages, stages_wanted);
	TAP_EQUAL(cuts.bottom, bottom);
}

/*
 * 16 ranks of radix 8 take 3 messages twice, not 7 and 1; where messages are as
 * many, the long stage comes first.  No size has too many levels.
 */
static void some_cuts_by_hand(void)
{
	check_cut(1, 8, 0, 0);
	check_cut(2, 16, 1, 1);
	check_cut(16, 8, 2, 2);
	check_cut(32, 8, 2, 3);
	check_cut(17, 8, 2, 3);
	check_cut(INT_MAX, 2, 31, 1);
	check_cut(INT_MAX, 16, 8, 4);
}

/* 11 ranks of radix 4 are ((0 1) 2) ((3 4) 5) ((6 7) 8) (9 10). */
static void eleven_by_hand(void)
{
	struct wf_ragged_cuts cuts = wf_ragged_cut(11, 4);
	struct wf_ragged_stage stage;

	TAP_EQUAL(cuts.stages, 2);
	wf_ragged_stage(&cuts, 7, 0, &stage);
	TAP_EQUAL(stage.low, 6);
	TAP_EQUAL(stage.end, 9);
	TAP_EQUAL(stage.nblocks, 3);
	TAP_EQUAL(stage.own, 1);
	TAP_EQUAL(stage.ntargets, 2);
	wf_ragged_stage(&cuts, 7, 1, &stage);
	TAP_EQUAL(stage.nblocks, 4);
	TAP_EQUAL(stage.source[0], 1);
	TAP_EQUAL(stage.source[2], 7);
	TAP_EQUAL(stage.source[3], 10);
	TAP_EQUAL(stage.ntargets, 3);
	TAP_EQUAL(stage.target[0], 10);
	TAP_EQUAL(stage.target[1], 1);
	wf_ragged_stage(&cuts, 9, 1, &stage);
	TAP_EQUAL(stage.ntargets, 6);
	TAP_EQUAL(stage.target[1], 2);
	TAP_EQUAL(stage.target[5], 8);
	wf_ragged_stage(&cuts, 8, 1, &stage);
	TAP_EQUAL(stage.source[3], 9);
	TAP_EQUAL(stage.ntargets, 2);
	TAP_EQUAL(stage.target[0], 2);
	TAP_EQUAL(stage.target[1], 5);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "11 ranks, radix 4, by hand", eleven_by_hand },
		{ "some cuts by hand", some_cuts_by_hand },
		{ "all sizes, radix 2, 4 and 8", small_radices },
		{ "all sizes, radix 16", large_radix },
		{ "no two posts at a time to one rank", posts_spread },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
