/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bracket of weft_allreduce() (see <weft/coll.h>), written independently
 * of the library as the oracle for "the same bits on one rank".
 */
#include "cg_bracket.h"

double cg_bracket_sum(const double *of_rank, int ranks)
{
	int first = ranks / 2 + ranks % 2;

	if (ranks == 1)
		return of_rank[0];
	return cg_bracket_sum(of_rank, first) +
	       cg_bracket_sum(of_rank + first, ranks - first);
}
