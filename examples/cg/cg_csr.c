/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Owns the storage of sparse rows, and the proof that a matrix that came from
 * a file is what conjugate gradients need.  Called by the readers.
 */
#include "cg_csr.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int cg_csr_alloc(struct cg_csr *a, int64_t rows, int64_t entries,
		 struct cg_why *why)
{
	/* One more each: malloc(0) may be NULL without meaning failure. */
	a->rows = rows;
	a->start = calloc((size_t)rows + 1, sizeof(*a->start));
	a->col = calloc((size_t)entries + 1, sizeof(*a->col));
	a->val = calloc((size_t)entries + 1, sizeof(*a->val));
	if (a->start && a->col && a->val)
		return 0;
	cg_csr_free(a);
	return cg_fail(why, "no memory for a matrix of %" PRId64 " rows and %"
		       PRId64 " entries", rows, entries);
}

void cg_csr_free(struct cg_csr *a)
{
	free(a->start);
	free(a->col);
	free(a->val);
	memset(a, 0, sizeof(*a));
}

/* The rows are walked in ascending order. */
int cg_csr_transpose(const struct cg_csr *a, struct cg_csr *t,
		     struct cg_why *why)
{
	int64_t i, k, at;

	if (cg_csr_alloc(t, a->rows, cg_csr_entries(a), why))
		return -1;
	for (k = 0; k < cg_csr_entries(a); k++)
		t->start[a->col[k] + 1]++;
	for (i = 0; i < a->rows; i++)
		t->start[i + 1] += t->start[i];
	for (i = 0; i < a->rows; i++) {
		for (k = a->start[i]; k < a->start[i + 1]; k++) {
			at = t->start[a->col[k]]++;
			t->col[at] = i;
			t->val[at] = a->val[k];
		}
	}
	/* Each start has moved to the next one: move them back. */
	memmove(t->start + 1, t->start, (size_t)a->rows * sizeof(*t->start));
	t->start[0] = 0;
	return 0;
}

/* Row i of the matrix and of its transpose, both in order of columns. */
static int check_row(const struct cg_csr *a, const struct cg_csr *t, int64_t i,
		     struct cg_why *why)
{
	bool same = a->start[i + 1] == t->start[i + 1];
	double diagonal = 0.0;
	int64_t k;

	for (k = a->start[i]; k < a->start[i + 1]; k++) {
		if (k > a->start[i] && a->col[k] == a->col[k - 1])
			return cg_fail(why, "entry (%" PRId64 ", %" PRId64
				       ") is there twice", i + 1,
				       a->col[k] + 1);
		if (a->col[k] == i)
			diagonal = a->val[k];
	}
	for (k = a->start[i]; same && k < a->start[i + 1]; k++)
		same = a->col[k] == t->col[k] && a->val[k] == t->val[k];
	if (!same)
		return cg_fail(why, "not symmetric: row %" PRId64 " and column "
			       "%" PRId64 " differ", i + 1, i + 1);
	if (!(diagonal > 0.0))
		return cg_fail(why, "not positive definite: the diagonal of "
			       "row %" PRId64 " is not above zero", i + 1);
	return 0;
}

int cg_csr_make_symmetric(struct cg_csr *a, struct cg_why *why)
{
	struct cg_csr t = { 0 }, sorted = { 0 };
	int status = -1;
	int64_t i;

	if (cg_csr_transpose(a, &t, why))
		goto free_transpose;
	if (cg_csr_transpose(&t, &sorted, why))
		goto free_transpose;
	cg_csr_free(a);
	*a = sorted;
	for (i = 0; i < a->rows; i++)
		if (check_row(a, &t, i, why))
			goto free_transpose;
	status = 0;

free_transpose:
	cg_csr_free(&t);
	return status;
}
