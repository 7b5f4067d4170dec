/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The iteration: one product, overlapped with the exchange of the halo, and
 * two sums over the ranks.  Called by main and by tests.
 *
 * Every number is the same for any timing: a row is summed in the order of
 * its columns, rows that need the halo wholly after it has arrived; and
 * weft_allreduce() has one bracket per number of ranks.
 */
#include "cg_solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <weft.h>

#include "cg_kernel.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int solver_alloc(struct cg_solver *s, struct cg_why *why)
{
	size_t n = (size_t)s->a->rows;

	s->x = calloc(5 * n + 1, sizeof(*s->x));
	if (!s->x)
		return cg_fail_memory(why, "the vectors of the solver");
	s->r = s->x + n;
	s->z = s->r + n;
	s->q = s->z + n;
	s->diagonal = s->q + n;
	s->p = s->halo->vector;
	/* Own columns begin at place 0 of the vector. */
	cg_diagonal(s->a, 0, s->diagonal);
	return 0;
}

int cg_solver_open(struct cg_solver *s, const struct cg_ranks *ranks,
		   const struct cg_csr *a, struct cg_halo *halo)
{
	struct cg_why why;

	memset(s, 0, sizeof(*s));
	s->ranks = ranks;
	s->a = a;
	s->halo = halo;
	return cg_agree(ranks, solver_alloc(s, &why), &why);
}

void cg_solver_close(struct cg_solver *s)
{
	free(s->x);
	memset(s, 0, sizeof(*s));
}

static void multiply_rows(struct cg_solver *s, const int64_t *rows, int64_t n)
{
	int64_t i;

	for (i = 0; i < n; i++)
		s->q[rows[i]] = cg_row(s->a, rows[i], s->p);
}

/* q = A p, where p is the vector of the halo. */
static int multiply(struct cg_solver *s)
{
	double begin = now(), started, inner, arrived;

	if (cg_halo_start(s->halo))
		return -1;
	started = now();
	multiply_rows(s, s->halo->inner, s->halo->n_inner);
	inner = now();
	if (cg_halo_wait(s->halo))
		return -1;
	arrived = now();
	if (s->watch.arrived)
		s->watch.arrived(s->watch.arg, s->iteration,
				 s->p + s->halo->own, s->halo->size);
	multiply_rows(s, s->halo->rim, s->halo->n_rim);
	s->times.exchange += (started - begin) + (arrived - inner);
	return 0;
}

/* Sums of n values over the ranks, in place. */
static int sum(struct cg_solver *s, double *values, size_t n)
{
	double begin = now();
	int status;

	status = weft_allreduce(s->ranks->world, WEFT_IN_PLACE,
				weft_part(values, n, &weft_type_double),
				&weft_op_sum);
	s->times.reduce += now() - begin;
	return cg_called(s->ranks, "the sum over all ranks", status);
}

/* r.r and r.z with one reduction */
static int sum_residual(struct cg_solver *s)
{
	double both[2] = {
		cg_dot(s->a->rows, s->r, s->r),
		cg_dot(s->a->rows, s->r, s->z),
	};

	if (sum(s, both, 2))
		return -1;
	s->rr = both[0];
	s->rz = both[1];
	return 0;
}

static int begin_solve(struct cg_solver *s)
{
	int64_t i, n = s->a->rows;

	for (i = 0; i < n; i++) {
		s->x[i] = 0.0;
		s->r[i] = 1.0;
	}
	cg_jacobi(n, s->diagonal, s->r, s->z);
	memcpy(s->p, s->z, (size_t)n * sizeof(*s->p));
	if (sum_residual(s))
		return -1;
	s->norm = sqrt(s->rr);
	return 0;
}

static int iterate(struct cg_solver *s)
{
	int64_t n = s->a->rows;
	double before = s->rz, alpha, pq;

	if (multiply(s))
		return -1;
	pq = cg_dot(n, s->p, s->q);
	if (sum(s, &pq, 1))
		return -1;
	alpha = before / pq;
	cg_axpy(n, alpha, s->p, s->x);
	cg_axpy(n, -alpha, s->q, s->r);
	cg_jacobi(n, s->diagonal, s->r, s->z);
	if (sum_residual(s))
		return -1;
	cg_xpay(n, s->z, s->rz / before, s->p);
	return 0;
}

/* |b - A x|; overwrites p and q. */
static int true_residual(struct cg_solver *s, double *residual_p)
{
	int64_t i, n = s->a->rows;

	memcpy(s->p, s->x, (size_t)n * sizeof(*s->p));
	if (multiply(s))
		return -1;
	for (i = 0; i < n; i++)
		s->q[i] = 1.0 - s->q[i];
	*residual_p = cg_dot(n, s->q, s->q);
	if (sum(s, residual_p, 1))
		return -1;
	*residual_p = sqrt(*residual_p);
	return 0;
}

static int run(struct cg_solver *s, struct cg_outcome *outcome)
{
	double residual = 1.0;

	if (begin_solve(s))
		return -1;
	while (residual > s->limits.tol && s->iteration < s->limits.maxit) {
		s->iteration++;
		if (iterate(s))
			return -1;
		residual = sqrt(s->rr) / s->norm;
		if (s->watch.step)
			s->watch.step(s->watch.arg, s->iteration, residual);
	}
	outcome->iterations = s->iteration;
	outcome->residual = residual;
	outcome->converged = residual <= s->limits.tol;
	return 0;
}

int cg_solve(struct cg_solver *s, struct cg_outcome *outcome)
{
	double begin = now();
	struct cg_times solved;

	memset(&s->times, 0, sizeof(s->times));
	s->iteration = 0;
	if (run(s, outcome))
		return -1;
	solved = s->times;
	solved.compute = now() - begin - solved.exchange - solved.reduce;
	/* The check of the residual is no iteration, nor time of the solve. */
	s->iteration = 0;
	if (true_residual(s, &outcome->true_residual))
		return -1;
	outcome->true_residual /= s->norm;
	s->times = solved;
	return 0;
}
