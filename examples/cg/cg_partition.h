/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CG_PARTITION_H
#define CG_PARTITION_H

#include <stdint.h>

#include "cg_why.h"

/*
 * Contiguous blocks of rows, one per rank, maybe empty: rank r owns the rows
 * [row[r], row[r + 1]), which hold entry[r + 1] - entry[r] entries.
 */
struct cg_blocks {
	int n;
	int64_t *row;		/* n + 1, and behind them in one piece: */
	int64_t *entry;		/* n + 1 */
};

/* The number of entries in the rows [0, row); ascending in row. */
typedef int64_t cg_before_fn(const void *matrix, int64_t row);

int cg_blocks_alloc(struct cg_blocks *blocks, int n, struct cg_why *why);
void cg_blocks_free(struct cg_blocks *blocks);

/* Gives each block about the same number of entries. */
void cg_partition(struct cg_blocks *blocks, int64_t rows, cg_before_fn *before,
		  const void *matrix);

/* The block that has a row. */
int cg_blocks_owner(const struct cg_blocks *blocks, int64_t row);

#endif
