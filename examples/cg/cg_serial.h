/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The solver on one rank, over the whole matrix: the reference for the
 * parallel one, and, given its blocks of rows, the repetition of its
 * arithmetic bit for bit.
 */
#ifndef CG_SERIAL_H
#define CG_SERIAL_H

#include <stdbool.h>

#include "cg_csr.h"
#include "cg_partition.h"

/* When a solve ends. */
struct cg_limits {
	double tol;		/* relative residual |r| / |b| */
	int64_t maxit;
};

/* How a solve ended, serial or parallel. */
struct cg_outcome {
	int64_t iterations;
	double residual;	/* |r| / |b|, r by recursion */
	double true_residual;	/* |b - A x| / |b| */
	bool converged;
};

/*
 * Solves A x = (1, ..., 1) from x = 0.  Sums run within the blocks of
 * rows, then over the blocks as weft_allreduce() does; without blocks (NULL)
 * this is the plain serial solver.  x has a->rows places.
 */
int cg_serial_solve(const struct cg_csr *a, const struct cg_blocks *blocks,
		    const struct cg_limits *limits, double *x,
		    struct cg_outcome *outcome, struct cg_why *why);

#endif
