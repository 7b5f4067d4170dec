/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CG_BRACKET_H
#define CG_BRACKET_H

/*
 * The sum of one number per rank, with the bits that weft_allreduce() gives:
 * the ranks are split at their middle, the first half one longer if their
 * number is odd, each half is summed in the same way, and the sums are added.
 */
double cg_bracket_sum(const double *of_rank, int ranks);

#endif
