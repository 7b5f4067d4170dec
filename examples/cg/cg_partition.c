/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who owns which rows.  A pure function of the matrix and the number of
 * ranks: all ranks (and the repetition on one rank) get the same blocks.
 */
#include "cg_partition.h"

#include <stdlib.h>
#include <string.h>

int cg_blocks_alloc(struct cg_blocks *blocks, int n, struct cg_why *why)
{
	blocks->n = n;
	blocks->row = calloc(2 * ((size_t)n + 1), sizeof(*blocks->row));
	if (!blocks->row)
		return cg_fail_memory(why, "the blocks of rows");
	blocks->entry = blocks->row + n + 1;
	return 0;
}

void cg_blocks_free(struct cg_blocks *blocks)
{
	free(blocks->row);
	memset(blocks, 0, sizeof(*blocks));
}

/* The first row in [low, rows] with at least `want` entries before it. */
static int64_t first_row(int64_t low, int64_t rows, int64_t want,
			 cg_before_fn *before, const void *matrix)
{
	int64_t high = rows, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (before(matrix, middle) >= want)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

void cg_partition(struct cg_blocks *blocks, int64_t rows, cg_before_fn *before,
		  const void *matrix)
{
	int64_t all = before(matrix, rows), want, n = blocks->n;
	int r;

	blocks->row[0] = 0;
	for (r = 1; r < blocks->n; r++) {
		/* all * r / n, without the overflow of the product */
		want = all / n * r + all % n * r / n;
		blocks->row[r] = first_row(blocks->row[r - 1], rows, want,
					   before, matrix);
	}
	blocks->row[n] = rows;
	for (r = 0; r <= blocks->n; r++)
		blocks->entry[r] = before(matrix, blocks->row[r]);
}

int cg_blocks_owner(const struct cg_blocks *blocks, int64_t row)
{
	int low = 0, high = blocks->n - 1, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (row < blocks->row[middle + 1])
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}
