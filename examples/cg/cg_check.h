/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The serial check: what rank 0 finds when it solves the same system alone.
 */
#ifndef CG_CHECK_H
#define CG_CHECK_H

#include <stdbool.h>

#include "cg_csr.h"
#include "cg_partition.h"
#include "cg_serial.h"

struct cg_verdict {
	struct cg_outcome serial;
	int64_t allowed_iterations;	/* difference to the serial count */
	double difference;		/* |x - serial| / |serial| */
	double allowed_difference;
	double allowed_residual;	/* |b - A x| / |b| */
	bool iterations_ok, difference_ok, residual_ok;
	bool bits_ok;			/* the same arithmetic, the same bits */
};

/* A finished parallel solve, gathered on rank 0. */
struct cg_solved {
	const struct cg_csr *a;		/* the whole matrix */
	const struct cg_blocks *blocks;
	struct cg_limits limits;
	const double *x;
	struct cg_outcome outcome;
};

/* Local to rank 0.  Fails for want of memory only. */
int cg_check(const struct cg_solved *solved, struct cg_verdict *verdict,
	     struct cg_why *why);

bool cg_verdict_ok(const struct cg_verdict *verdict);

#endif
