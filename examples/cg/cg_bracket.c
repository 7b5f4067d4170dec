/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bracket of weft_allreduce() (see <weft/coll.h>), written independently
 * of the library as the oracle for "the same bits on one rank".
 */
#include "cg_bracket.h"

#include <stdint.h>

#define RADIX 8

/* Sum of ranks[0, n), where a block below holds at most `room` ranks. */
static double block_sum(const double *of_rank, int n, int64_t room)
{
	int blocks, size, j;
	double sum;

	if (room == 0)
		return of_rank[0];
	blocks = (int)((n + room - 1) / room);
	size = n / blocks + (n % blocks > 0);
	sum = block_sum(of_rank, size, room / RADIX);
	of_rank += size;
	for (j = 1; j < blocks; j++) {
		size = n / blocks + (j < n % blocks);
		sum += block_sum(of_rank, size, room / RADIX);
		of_rank += size;
	}
	return sum;
}

double cg_bracket_sum(const double *of_rank, int ranks)
{
	int64_t room = 1;

	while (room < ranks)
		room *= RADIX;
	return block_sum(of_rank, ranks, room / RADIX);
}
