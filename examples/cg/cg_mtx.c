/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A matrix from the entries of a MatrixMarket file.  Called by rank 0.
 */
#include "cg_mtx.h"

#include <inttypes.h>

#include "cg_entries.h"

/* Both triangles from the lower one, in any order. */
static int expand(const struct cg_entries *in, struct cg_csr *a,
		  struct cg_why *why)
{
	const struct cg_entry *e, *end = in->list + in->count;
	int64_t i, at, total = 0;

	for (e = in->list; e < end; e++)
		total += 1 + (e->row != e->col);
	if (cg_csr_alloc(a, in->rows, total, why))
		return -1;
	for (e = in->list; e < end; e++) {
		a->start[e->row]++;
		a->start[e->col] += e->row != e->col;
	}
	for (i = 0; i < in->rows; i++)
		a->start[i + 1] += a->start[i];
	/* The starts hold the ends of the rows now, and go down. */
	for (e = in->list; e < end; e++) {
		at = --a->start[e->row];
		a->col[at] = e->col;
		a->val[at] = e->val;
		if (e->row == e->col)
			continue;
		at = --a->start[e->col];
		a->col[at] = e->row;
		a->val[at] = e->val;
	}
	a->start[in->rows] = total;
	return 0;
}

static int make(const struct cg_entries *e, struct cg_csr *a,
		struct cg_why *why)
{
	if (e->rows > e->count)
		return cg_fail(why, "not positive definite: %" PRId64
			       " rows, but only %" PRId64 " entries", e->rows,
			       e->count);
	if (expand(e, a, why))
		return -1;
	return cg_csr_make_symmetric(a, why);
}

int cg_mtx_parse(const char *text, size_t size, struct cg_csr *a,
		 struct cg_why *why)
{
	struct cg_entries e;
	int status;

	*a = (struct cg_csr){ 0 };
	if (cg_entries_read(text, size, false, &e, why))
		return -1;
	status = make(&e, a, why);
	if (status)
		cg_csr_free(a);
	cg_entries_free(&e);
	return status;
}
