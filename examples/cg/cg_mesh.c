/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generates rows of the 27-point mesh.  Owns nothing; pure functions of the
 * three sizes, so all ranks agree without a message.
 */
#include "cg_mesh.h"

#include <inttypes.h>
#include <stdbool.h>

/* Points within one step of point i along an axis of n points. */
static int64_t width(int64_t n, int64_t i)
{
	return 1 + (i > 0) + (i < n - 1);
}

/* The sum of width(n, j) for j in [0, i). */
static int64_t widths_before(int64_t n, int64_t i)
{
	if (i == 0)
		return 0;
	return 3 * i - 1 - (i == n);
}

int cg_mesh_check(const struct cg_mesh *mesh, struct cg_why *why)
{
	int64_t entries = 27;
	bool over = false;
	int axis;

	for (axis = 0; axis < 3; axis++) {
		if (mesh->n[axis] < 1)
			return cg_fail(why, "a mesh needs a positive number of "
				       "points along each axis");
		over |= __builtin_mul_overflow(entries, mesh->n[axis],
					       &entries);
	}
	if (over)
		return cg_fail(why, "a mesh of %" PRId64 ",%" PRId64 ",%" PRId64
			       " points is too large to be counted",
			       mesh->n[0], mesh->n[1], mesh->n[2]);
	return 0;
}

int64_t cg_mesh_rows(const struct cg_mesh *mesh)
{
	return mesh->n[0] * mesh->n[1] * mesh->n[2];
}

int64_t cg_mesh_before(const struct cg_mesh *mesh, int64_t row)
{
	int64_t nx = mesh->n[0], ny = mesh->n[1], nz = mesh->n[2];
	int64_t x = row % nx, y = row / nx % ny, z = row / nx / ny;
	int64_t line = widths_before(nx, nx), plane = line *
		widths_before(ny, ny);
	int64_t sum = widths_before(nz, z) * plane;

	/* z == nz behind the last row: then x and y are 0 and add nothing. */
	sum += width(nz, z) * widths_before(ny, y) * line;
	return sum + width(nz, z) * width(ny, y) * widths_before(nx, x);
}

/* Appends the entries of one row at position k; returns the next one. */
static int64_t make_row(const struct cg_mesh *mesh, int64_t row,
			struct cg_csr *a, int64_t k)
{
	int64_t nx = mesh->n[0], ny = mesh->n[1], nz = mesh->n[2];
	int64_t x = row % nx, y = row / nx % ny, z = row / nx / ny;
	int64_t step, dx, dy, dz;

	/* Steps 0..26 in the order of columns: x runs fastest. */
	for (step = 0; step < 27; step++) {
		dx = step % 3 - 1;
		dy = step / 3 % 3 - 1;
		dz = step / 9 - 1;
		if (x + dx < 0 || x + dx >= nx || y + dy < 0 || y + dy >= ny ||
		    z + dz < 0 || z + dz >= nz)
			continue;
		a->col[k] = row + dx + nx * (dy + ny * dz);
		a->val[k++] = step == 13 ? 26.0 : -1.0;
	}
	return k;
}

int cg_mesh_rows_make(const struct cg_mesh *mesh, int64_t first, int64_t rows,
		      struct cg_csr *a, struct cg_why *why)
{
	int64_t entries = cg_mesh_before(mesh, first + rows) -
		cg_mesh_before(mesh, first);
	int64_t i;

	if (cg_csr_alloc(a, rows, entries, why))
		return -1;
	for (i = 0; i < rows; i++)
		a->start[i + 1] = make_row(mesh, first + i, a, a->start[i]);
	return 0;
}
