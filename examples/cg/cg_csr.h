/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of a sparse matrix.  The columns of each row ascend: the order in
 * which its products are summed, on any number of ranks.
 */
#ifndef CG_CSR_H
#define CG_CSR_H

#include <stdint.h>

#include "cg_why.h"

struct cg_csr {
	int64_t rows;
	int64_t *start;		/* rows + 1: where each row begins */
	int64_t *col;		/* from 0 */
	double *val;
};

static inline int64_t cg_csr_entries(const struct cg_csr *a)
{
	return a->start[a->rows];
}

/* Storage for rows and entries; start is zeroed, the rest is not set. */
int cg_csr_alloc(struct cg_csr *a, int64_t rows, int64_t entries,
		 struct cg_why *why);

/* Storage of all zeros is fine, too. */
void cg_csr_free(struct cg_csr *a);

/*
 * t becomes the transpose of a square matrix; the columns of each row ascend,
 * whatever their order was before.
 */
int cg_csr_transpose(const struct cg_csr *a, struct cg_csr *t,
		     struct cg_why *why);

/*
 * Brings the rows of a square matrix into the order of columns, and checks
 * what the solver needs: no entry twice, a(i,j) = a(j,i), a(i,i) > 0.
 * Columns must be within [0, rows).
 */
int cg_csr_make_symmetric(struct cg_csr *a, struct cg_why *why);

#endif
