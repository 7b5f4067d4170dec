/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Jacobi-preconditioned conjugate gradients on one rank.  Called by the
 * serial check of rank 0 and by tests.  Written apart from cg_solve.c: the
 * two share the loops of cg_kernel.c and nothing else.
 */
#include "cg_serial.h"

#include <math.h>
#include <stdlib.h>

#include "cg_bracket.h"
#include "cg_kernel.h"

struct serial {
	const struct cg_csr *a;
	const int64_t *first;
	int blocks;
	double *x, *r, *z, *p, *q, *diagonal;
	double *partial;	/* one per block */
	double *storage;
};

static int serial_init(struct serial *s, double *x, struct cg_why *why)
{
	int64_t i, n = s->a->rows;

	s->storage = calloc((size_t)n * 5 + (size_t)s->blocks,
			    sizeof(*s->storage));
	if (!s->storage)
		return cg_fail_memory(why, "the vectors of the serial solver");
	s->x = x;
	s->r = s->storage;
	s->z = s->r + n;
	s->p = s->z + n;
	s->q = s->p + n;
	s->diagonal = s->q + n;
	s->partial = s->diagonal + n;
	cg_diagonal(s->a, 0, s->diagonal);
	for (i = 0; i < n; i++) {
		s->x[i] = 0.0;
		s->r[i] = 1.0;
	}
	return 0;
}

static double dot(struct serial *s, const double *x, const double *y)
{
	int64_t at;
	int b;

	for (b = 0; b < s->blocks; b++) {
		at = s->first[b];
		s->partial[b] = cg_dot(s->first[b + 1] - at, x + at, y + at);
	}
	return cg_bracket_sum(s->partial, s->blocks);
}

static void multiply(struct serial *s, const double *x)
{
	int64_t i;

	for (i = 0; i < s->a->rows; i++)
		s->q[i] = cg_row(s->a, i, x);
}

/* One step; rz is r.z before, and the new one is returned. */
static double iterate(struct serial *s, double rz, double *rr_p)
{
	int64_t n = s->a->rows;
	double alpha, next;

	multiply(s, s->p);
	alpha = rz / dot(s, s->p, s->q);
	cg_axpy(n, alpha, s->p, s->x);
	cg_axpy(n, -alpha, s->q, s->r);
	cg_jacobi(n, s->diagonal, s->r, s->z);
	*rr_p = dot(s, s->r, s->r);
	next = dot(s, s->r, s->z);
	cg_xpay(n, s->z, next / rz, s->p);
	return next;
}

static double true_residual(struct serial *s)
{
	int64_t i;

	multiply(s, s->x);
	for (i = 0; i < s->a->rows; i++)
		s->q[i] = 1.0 - s->q[i];
	return sqrt(dot(s, s->q, s->q));
}

int cg_serial_solve(const struct cg_csr *a, const struct cg_blocks *blocks,
		    const struct cg_limits *limits, double *x,
		    struct cg_outcome *outcome, struct cg_why *why)
{
	const int64_t all[2] = { 0, a->rows };
	struct serial s = {
		.a = a,
		.first = blocks ? blocks->row : all,
		.blocks = blocks ? blocks->n : 1
	};
	double rz, rr, norm;
	int64_t i;

	if (serial_init(&s, x, why))
		return -1;
	cg_jacobi(a->rows, s.diagonal, s.r, s.z);
	for (i = 0; i < a->rows; i++)
		s.p[i] = s.z[i];
	rr = dot(&s, s.r, s.r);
	rz = dot(&s, s.r, s.z);
	norm = sqrt(rr);
	outcome->iterations = 0;
	while (sqrt(rr) / norm > limits->tol &&
	       outcome->iterations < limits->maxit) {
		rz = iterate(&s, rz, &rr);
		outcome->iterations++;
	}
	outcome->residual = sqrt(rr) / norm;
	outcome->converged = outcome->residual <= limits->tol;
	outcome->true_residual = true_residual(&s) / norm;
	free(s.storage);
	return 0;
}
