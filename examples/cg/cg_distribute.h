/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CG_DISTRIBUTE_H
#define CG_DISTRIBUTE_H

#include "cg_csr.h"
#include "cg_partition.h"
#include "cg_star.h"

/*
 * Hands out the rows of a matrix that rank 0 has (`whole`, not read on other
 * ranks).  All ranks get the blocks, and `mine`: their own rows, with columns
 * of the whole matrix.  Collective; failures are told, and leave both empty.
 */
int cg_distribute(struct cg_star *star, const struct cg_csr *whole,
		  struct cg_blocks *blocks, struct cg_csr *mine);

#endif
