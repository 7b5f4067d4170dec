/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arithmetic of the solver, element by element: the serial and the
 * parallel one call the same loops, so that only the order of the sums over
 * ranks can differ.  Compile without contraction and reassociation.
 */
#ifndef CG_KERNEL_H
#define CG_KERNEL_H

#include "cg_csr.h"

/* The row's products with x, summed in the order of columns. */
double cg_row(const struct cg_csr *a, int64_t row, const double *x);

double cg_dot(int64_t n, const double *x, const double *y);

/* y += factor * x */
void cg_axpy(int64_t n, double factor, const double *x, double *y);

/* y = x + factor * y */
void cg_xpay(int64_t n, const double *x, double factor, double *y);

/* y = x / diagonal: the Jacobi preconditioner */
void cg_jacobi(int64_t n, const double *diagonal, const double *x, double *y);

/* The diagonal of the rows, the first of which is row `first` of the matrix. */
void cg_diagonal(const struct cg_csr *a, int64_t first, double *diagonal);

#endif
