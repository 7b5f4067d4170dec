/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A Jacobi iteration for u'' = 0 on a line, cut into equal parts: halos by
 * MPI_Sendrecv, the norm by MPI_Allreduce.  The result has the bits of the same
 * iteration at one rank.
 */
#include "tests/mpi/check.h"

#define POINTS 840		/* of all ranks; any of 1 to 8 divides it */
#define STEPS 200

static double serial[POINTS + 2], next[POINTS + 2];

/* One sweep over n inner points of a, by b; the largest change. */
static double sweep(double *a, double *b, int n)
{
	double most = 0;

	for (int i = 1; i <= n; i++) {
		double change;

		b[i] = 0.5 * (a[i - 1] + a[i + 1]);
		change = b[i] > a[i] ? b[i] - a[i] : a[i] - b[i];
		most = change > most ? change : most;
	}
	memcpy(a + 1, b + 1, (size_t)n * sizeof(*a));
	return most;
}

static double alone(void)
{
	double most = 0;

	memset(serial, 0, sizeof(serial));
	serial[0] = 1;
	for (int step = 0; step < STEPS; step++)
		most = sweep(serial, next, POINTS);
	return most;
}

static void halos(double *u, int n)
{
	int left = rank ? rank - 1 : MPI_PROC_NULL;
	int right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;

	MPI_Sendrecv(&u[n], 1, MPI_DOUBLE, right, 0, &u[0], 1, MPI_DOUBLE,
		     left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, left, 1, &u[n + 1], 1, MPI_DOUBLE,
		     right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void as_alone(void)
{
	int n = POINTS / size;
	double *u = calloc((size_t)n + 2, sizeof(*u));
	double *v = calloc((size_t)n + 2, sizeof(*v));
	double want = alone(), most = 0;

	if (!rank)
		u[0] = 1;
	for (int step = 0; step < STEPS; step++) {
		halos(u, n);
		most = sweep(u, v, n);
		MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX,
			      MPI_COMM_WORLD);
	}
	CHECK(most == want);
	CHECK(!memcmp(u + 1, serial + 1 + rank * n,
		      (size_t)n * sizeof(*u)));
	free(u);
	free(v);
}

int main(int argc, char **argv)
{
	static const struct check_case cases[] = {
		{ "an iteration has the bits of one rank", as_alone }
	};

	return check_run(&argc, &argv, cases, CHECK_COUNT(cases));
}
