/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops over vectors and rows.  Owns nothing.
 */
#include "cg_kernel.h"

double cg_row(const struct cg_csr *a, int64_t row, const double *x)
{
	double sum = 0.0;
	int64_t k;

	for (k = a->start[row]; k < a->start[row + 1]; k++)
		sum += a->val[k] * x[a->col[k]];
	return sum;
}

double cg_dot(int64_t n, const double *x, const double *y)
{
	double sum = 0.0;
	int64_t i;

	for (i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}

void cg_axpy(int64_t n, double factor, const double *x, double *y)
{
	int64_t i;

	for (i = 0; i < n; i++)
		y[i] += factor * x[i];
}

void cg_xpay(int64_t n, const double *x, double factor, double *y)
{
	int64_t i;

	for (i = 0; i < n; i++)
		y[i] = x[i] + factor * y[i];
}

void cg_jacobi(int64_t n, const double *diagonal, const double *x, double *y)
{
	int64_t i;

	for (i = 0; i < n; i++)
		y[i] = x[i] / diagonal[i];
}

void cg_diagonal(const struct cg_csr *a, int64_t first, double *diagonal)
{
	int64_t i, k;

	for (i = 0; i < a->rows; i++) {
		for (k = a->start[i]; k < a->start[i + 1]; k++)
			if (a->col[k] == first + i)
				diagonal[i] = a->val[k];
	}
}
