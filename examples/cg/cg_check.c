/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares a parallel solve with the serial one, and with the repetition of
 * its own arithmetic on one rank.  Called on rank 0.
 *
 * The bounds: another order of the sums changes the last bits of each, and no
 * more, as long as the method converges well before its end at `rows`
 * iterations.  Where it does not, rounding steers the iteration (the matrix
 * is ill-conditioned), and only a looser comparison means anything.  One
 * stale element of the halo in one iteration is far outside of both.
 */
#include "cg_check.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Above this, rounding of sums over all rows is what counts. */
#define MANY_ROWS 16384

static void set_bounds(const struct cg_solved *solved, struct cg_verdict *v)
{
	int64_t rows = solved->a->rows, serial = v->serial.iterations;
	bool steered = serial > rows / 2;

	v->allowed_iterations = steered ? serial / 25 : serial / 200;
	v->allowed_difference = steered ? 1e-9 : 1e-13;
	if (!steered && rows > MANY_ROWS)
		v->allowed_difference = (double)rows * DBL_EPSILON / 2;
	v->allowed_residual = 1.01 * solved->limits.tol;
}

static double distance(int64_t n, const double *x, const double *reference)
{
	double apart = 0.0, norm = 0.0;
	int64_t i;

	for (i = 0; i < n; i++) {
		apart += (x[i] - reference[i]) * (x[i] - reference[i]);
		norm += reference[i] * reference[i];
	}
	return sqrt(apart / norm);
}

static bool same_bits(const struct cg_solved *solved, const double *repeated,
		      const struct cg_outcome *outcome)
{
	const struct cg_outcome *mine = &solved->outcome;

	return outcome->iterations == mine->iterations &&
		memcmp(&outcome->residual, &mine->residual,
		       sizeof(double)) == 0 &&
		memcmp(&outcome->true_residual, &mine->true_residual,
		       sizeof(double)) == 0 &&
		memcmp(repeated, solved->x,
		       (size_t)solved->a->rows * sizeof(double)) == 0;
}

static int compare(const struct cg_solved *solved, double *x,
		   struct cg_verdict *v, struct cg_why *why)
{
	struct cg_outcome repeated;
	int64_t apart;

	if (cg_serial_solve(solved->a, NULL, &solved->limits, x, &v->serial,
			    why))
		return -1;
	set_bounds(solved, v);
	apart = solved->outcome.iterations - v->serial.iterations;
	v->difference = distance(solved->a->rows, solved->x, x);
	v->iterations_ok = llabs(apart) <= v->allowed_iterations;
	v->difference_ok = v->difference <= v->allowed_difference;
	v->residual_ok = solved->outcome.true_residual <= v->allowed_residual;
	if (cg_serial_solve(solved->a, solved->blocks, &solved->limits, x,
			    &repeated, why))
		return -1;
	v->bits_ok = same_bits(solved, x, &repeated);
	return 0;
}

int cg_check(const struct cg_solved *solved, struct cg_verdict *verdict,
	     struct cg_why *why)
{
	double *x = calloc((size_t)solved->a->rows + 1, sizeof(*x));
	int status;

	if (!x)
		return cg_fail_memory(why, "the serial solution");
	memset(verdict, 0, sizeof(*verdict));
	status = compare(solved, x, verdict, why);
	free(x);
	return status;
}

bool cg_verdict_ok(const struct cg_verdict *v)
{
	return v->iterations_ok && v->difference_ok && v->residual_ok &&
		v->bits_ok;
}
