/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows from rank 0 to their owners.  Called once, after rank 0 has read a
 * file.  The blocks go first, so that each rank has its storage, and all have
 * agreed that they have, before the rows travel.
 */
#include "cg_distribute.h"

#include <string.h>
#include <weft.h>

static int64_t entries_before(const void *matrix, int64_t row)
{
	return ((const struct cg_csr *)matrix)->start[row];
}

/* Rank 0 computes the blocks apart, since it sends them to itself, too. */
static int share_blocks(struct cg_star *star, const struct cg_csr *whole,
			struct cg_blocks *blocks)
{
	const struct cg_ranks *ranks = star->ranks;
	struct cg_blocks sent = { 0 };
	struct cg_why why;
	int status;

	status = cg_blocks_alloc(blocks, ranks->size, &why);
	if (!status && ranks->rank == 0)
		status = cg_blocks_alloc(&sent, ranks->size, &why);
	if (!status && ranks->rank == 0)
		cg_partition(&sent, whole->rows, entries_before, whole);
	status = cg_agree(ranks, status, &why);
	if (!status)
		status = cg_star_copy(star, &weft_type_int64, sent.row,
				      blocks->row,
				      2 * ((int64_t)ranks->size + 1));
	cg_blocks_free(&sent);
	return status;
}

static int share_rows(struct cg_star *star, const struct cg_csr *whole,
		      const struct cg_blocks *blocks, struct cg_csr *mine)
{
	int64_t begin = blocks->entry[star->ranks->rank];
	int64_t n = blocks->entry[star->ranks->rank + 1] - begin, i;
	struct cg_whole start = { .base = whole->start, .first = blocks->row };
	struct cg_whole col = { .base = whole->col, .first = blocks->entry };
	struct cg_whole val = { .base = whole->val, .first = blocks->entry };

	if (cg_star_scatter(star, &weft_type_int64, &start, mine->start,
			    mine->rows) ||
	    cg_star_scatter(star, &weft_type_int64, &col, mine->col, n) ||
	    cg_star_scatter(star, &weft_type_double, &val, mine->val, n))
		return -1;
	for (i = 0; i < mine->rows; i++)
		mine->start[i] -= begin;
	mine->start[mine->rows] = n;
	return 0;
}

int cg_distribute(struct cg_star *star, const struct cg_csr *whole,
		  struct cg_blocks *blocks, struct cg_csr *mine)
{
	const struct cg_ranks *ranks = star->ranks;
	struct cg_why why;
	int64_t rows, n;
	int status, rank = ranks->rank;

	memset(mine, 0, sizeof(*mine));
	if (share_blocks(star, whole, blocks))
		goto free_blocks;
	rows = blocks->row[rank + 1] - blocks->row[rank];
	n = blocks->entry[rank + 1] - blocks->entry[rank];
	status = cg_csr_alloc(mine, rows, n, &why);
	if (cg_agree(ranks, status, &why))
		goto free_rows;
	if (share_rows(star, whole, blocks, mine))
		goto free_rows;
	return 0;

free_rows:
	cg_csr_free(mine);
free_blocks:
	cg_blocks_free(blocks);
	return -1;
}
