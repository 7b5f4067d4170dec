/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bracket of weft-cg against the stages that the library runs: all ranks
 * are played through stage by stage, in doubles whose sums depend on the
 * order, and each must end with the bits of cg_bracket_sum(), whatever the
 * radix.
 */
#include "coll/peers.h"
#include "examples/cg/cg_bracket.h"
#include "tests/tap.h"

#include <stdint.h>

enum { SIZES = 600 };

static double start_value(int rank)
{
	uint64_t x = ((uint64_t)rank + 1) * UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ (x >> 29)) * UINT64_C(0xbf58476d1ce4e5b9);
	return (double)(x >> 11) * 0x1p-53 * (x & 1 ? 1.0 : 1e-3);
}

static double fold(const double *value, const int *source, int n)
{
	int half = wf_ragged_half(n);

	if (n == 1)
		return value[source[0]];
	return fold(value, source, half) +
	       fold(value, source + half, n - half);
}

static void run_stage(const struct wf_ragged_cuts *cuts, int stage,
		      double *value)
{
	struct wf_ragged_stage s;
	double next[SIZES];

	for (int rank = 0; rank < cuts->size; rank++) {
		wf_ragged_stage(cuts, rank, stage, &s);
		next[rank] = fold(value, s.source, s.nblocks);
	}
	memcpy(value, next, (size_t)cuts->size * sizeof(*value));
}

static void check(int size, int radix)
{
	struct wf_ragged_cuts cuts = wf_ragged_cut(size, radix);
	double of_rank[SIZES], value[SIZES], sum;

	for (int rank = 0; rank < size; rank++)
		of_rank[rank] = value[rank] = start_value(rank);
	for (int stage = 0; stage < cuts.stages; stage++)
		run_stage(&cuts, stage, value);
	sum = cg_bracket_sum(of_rank, size);
	for (int rank = 0; rank < size; rank++)
		TAP_CHECK(memcmp(&value[rank], &sum, sizeof(sum)) == 0);
}

static void same_bits(void)
{
	for (int radix = 2; radix <= WF_RAGGED_RADIX_MAX; radix *= 2)
		for (int size = 1; size <= SIZES; size++)
			check(size, radix);
}

/* The values above do tell brackets apart. */
static void order_matters(void)
{
	double of_rank[SIZES], sum;
	int size, rank, differ = 0;

	for (size = 9; size <= SIZES; size++) {
		for (rank = 0, sum = 0.0; rank < size; rank++)
			sum += of_rank[rank] = start_value(rank);
		differ += sum != cg_bracket_sum(of_rank, size);
	}
	TAP_CHECK(differ > SIZES / 2);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "same bits, radix 2, 4, 8 and 16", same_bits },
		{ "order matters", order_matters },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
