/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bracket of weft-cg against the stages that the library runs: all ranks
 * are played through stage by stage, in doubles whose sums depend on the
 * order, and each must end with the bits of cg_bracket_sum().
 */
#include "coll/peers.h"
#include "examples/cg/cg_bracket.h"
#include "tests/tap.h"

#include <stdint.h>

enum { SIZES = 600, RADIX = 8 };

static double start_value(int rank)
{
	uint64_t x = ((uint64_t)rank + 1) * UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ (x >> 29)) * UINT64_C(0xbf58476d1ce4e5b9);
	return (double)(x >> 11) * 0x1p-53 * (x & 1 ? 1.0 : 1e-3);
}

static void run_stage(int size, int stage, const double *value, double *next)
{
	struct wf_ragged_stage s;

	for (int rank = 0; rank < size; rank++) {
		wf_ragged_stage(size, RADIX, rank, stage, &s);
		next[rank] = value[s.source[0]];
		for (int b = 1; b < s.nblocks; b++)
			next[rank] += value[s.source[b]];
	}
}

static void same_bits(void)
{
	double of_rank[SIZES], value[SIZES], next[SIZES], sum;
	int size, rank, stage;

	for (size = 1; size <= SIZES; size++) {
		for (rank = 0; rank < size; rank++)
			of_rank[rank] = value[rank] = start_value(rank);
		for (stage = 0; stage < wf_ragged_stages(size, RADIX);
		     stage++) {
			run_stage(size, stage, value, next);
			memcpy(value, next, sizeof(value));
		}
		sum = cg_bracket_sum(of_rank, size);
		for (rank = 0; rank < size; rank++)
			TAP_CHECK(memcmp(&value[rank], &sum, sizeof(sum)) == 0);
	}
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
		{ "same bits", same_bits },
		{ "order matters", order_matters },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
