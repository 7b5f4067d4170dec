/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Jacobi-preconditioned conjugate gradients on all ranks, each with its own
 * block of rows.
 */
#ifndef CG_SOLVE_H
#define CG_SOLVE_H

#include "cg_halo.h"
#include "cg_serial.h"

/* Where the time of one rank went, in seconds. */
struct cg_times {
	double compute, exchange, reduce;
};

/* Called while solving; each may be NULL. */
struct cg_watch {
	void (*step)(void *arg, int64_t iteration, double residual);
	/*
	 * The halo of iteration 1, 2, ... has arrived and will be used next;
	 * 0: of the check of the residual behind the last one.
	 */
	void (*arrived)(void *arg, int64_t iteration, double *halo,
			int64_t n);
	void *arg;
};

struct cg_solver {
	const struct cg_ranks *ranks;
	const struct cg_csr *a;		/* columns are places in the vector */
	struct cg_halo *halo;
	struct cg_limits limits;
	struct cg_watch watch;
	struct cg_times times;

	/* one element per own row; p is the vector of the halo */
	double *x, *r, *z, *q, *diagonal, *p;
	double norm;			/* |b| */
	double rr, rz;			/* r.r and r.z */
	int64_t iteration;
};

/*
 * Storage for the solver of the rows `a`, whose columns cg_halo_open() has
 * renumbered.  Collective; failures are told.
 */
int cg_solver_open(struct cg_solver *s, const struct cg_ranks *ranks,
		   const struct cg_csr *a, struct cg_halo *halo);
void cg_solver_close(struct cg_solver *s);

/*
 * Solves A x = (1, ..., 1) from x = 0 within s->limits; all ranks get the same
 * outcome, and s->x is this rank's part.  Collective; failures are told.
 */
int cg_solve(struct cg_solver *s, struct cg_outcome *outcome);

#endif
