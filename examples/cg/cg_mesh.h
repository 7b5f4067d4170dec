/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The 27-point mesh: NX x NY x NZ points, each coupled by -1 to the up to 26
 * around it, with 26 on the diagonal.  Points at the rim have fewer
 * neighbours and the same diagonal, so the matrix is irreducibly diagonally
 * dominant: symmetric and positive definite.
 *
 * Any rank generates any rows by itself; x runs fastest.
 */
#ifndef CG_MESH_H
#define CG_MESH_H

#include "cg_csr.h"

struct cg_mesh {
	int64_t n[3];		/* points along x, y, z */
};

/* Sizes must be positive, and all entries countable in 64 bits. */
int cg_mesh_check(const struct cg_mesh *mesh, struct cg_why *why);

int64_t cg_mesh_rows(const struct cg_mesh *mesh);

/* Entries in the rows [0, row). */
int64_t cg_mesh_before(const struct cg_mesh *mesh, int64_t row);

/* The rows [first, first + rows), with columns of the whole matrix. */
int cg_mesh_rows_make(const struct cg_mesh *mesh, int64_t first, int64_t rows,
		      struct cg_csr *a, struct cg_why *why);

#endif
