/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CG_BRACKET_H
#define CG_BRACKET_H

/*
 * The sum of one number per rank, with the bits that weft_allreduce() gives:
 * the ranks are split into near-equal contiguous blocks, at most 8 per level
 * and all leaves at one depth; each level sums its blocks in ascending order.
 */
double cg_bracket_sum(const double *of_rank, int ranks);

#endif
