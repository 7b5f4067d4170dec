/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who needs what, from the sparsity.  Local to a rank; called by cg_halo.c.
 *
 * Both ends of an edge must list the same elements in the same order: the
 * receiver lists columns in ascending order, the sender its rows in ascending
 * order, and by the symmetry of the matrix these are the same.
 */
#include "cg_pattern.h"

#include <stdbool.h>
#include <stdlib.h>

struct pattern {
	struct cg_halo *halo;
	const struct cg_blocks *blocks;
	struct cg_csr *a;
	int64_t first;		/* own rows are [first, end) */
	int64_t end;
	int *halo2nbr;
	int64_t *nbr2seen;	/* the last row that was listed for it */
};

static bool is_own(const struct pattern *p, int64_t col)
{
	return col >= p->first && col < p->end;
}

static int by_value(const void *x, const void *y)
{
	int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return (a > b) - (a < b);
}

/* All columns that other ranks own, each once, in ascending order. */
static int list_columns(struct pattern *p, struct cg_why *why)
{
	int64_t k, n = 0, kept = 0, *list;

	for (k = 0; k < cg_csr_entries(p->a); k++)
		n += !is_own(p, p->a->col[k]);
	list = p->halo->halo2col = calloc((size_t)n + 1, sizeof(*list));
	if (!list)
		return cg_fail_memory(why, "the columns of the halo");
	n = 0;
	for (k = 0; k < cg_csr_entries(p->a); k++)
		if (!is_own(p, p->a->col[k]))
			list[n++] = p->a->col[k];
	qsort(list, (size_t)n, sizeof(*list), by_value);
	for (k = 0; k < n; k++)
		if (kept == 0 || list[k] != list[kept - 1])
			list[kept++] = list[k];
	p->halo->size = kept;
	return 0;
}

/* Neighbours in the columns of the halo: owners ascend with columns. */
static int count_neighbours(const struct pattern *p)
{
	int owner, last = -1, n = 0;
	int64_t h;

	for (h = 0; h < p->halo->size; h++) {
		owner = cg_blocks_owner(p->blocks, p->halo->halo2col[h]);
		n += owner != last;
		last = owner;
	}
	return n;
}

static int alloc_neighbours(struct pattern *p, struct cg_why *why)
{
	struct cg_halo *halo = p->halo;
	size_t n = (size_t)count_neighbours(p) + 1;

	halo->nbr2rank = calloc(n, sizeof(*halo->nbr2rank));
	halo->in = calloc(n, sizeof(*halo->in));
	halo->out = calloc(n, sizeof(*halo->out));
	halo->in_at = calloc(n, sizeof(*halo->in_at));
	halo->out_at = calloc(n, sizeof(*halo->out_at));
	p->halo2nbr = calloc((size_t)halo->size + 1, sizeof(*p->halo2nbr));
	p->nbr2seen = calloc(n, sizeof(*p->nbr2seen));
	if (!halo->nbr2rank || !halo->in || !halo->out || !halo->in_at ||
	    !halo->out_at || !p->halo2nbr || !p->nbr2seen)
		return cg_fail_memory(why, "the neighbours");
	return 0;
}

static void list_neighbours(struct pattern *p)
{
	struct cg_halo *halo = p->halo;
	int owner, k = -1;
	int64_t h;

	for (h = 0; h < halo->size; h++) {
		owner = cg_blocks_owner(p->blocks, halo->halo2col[h]);
		if (k < 0 || halo->nbr2rank[k] != owner) {
			k++;
			halo->nbr2rank[k] = owner;
			halo->in_at[k] = (ptrdiff_t)h;
		}
		halo->in[k]++;
		p->halo2nbr[h] = k;
	}
	halo->neighbours = k + 1;
}

/* From columns of the matrix to positions in the vector. */
static void renumber(struct pattern *p)
{
	const struct cg_halo *halo = p->halo;
	const int64_t *found;
	int64_t k, *col;

	for (k = 0; k < cg_csr_entries(p->a); k++) {
		col = &p->a->col[k];
		if (is_own(p, *col)) {
			*col -= p->first;
			continue;
		}
		found = bsearch(col, halo->halo2col, (size_t)halo->size,
				sizeof(*col), by_value);
		*col = halo->own + (found - halo->halo2col);
	}
}

/*
 * Walks the rows in ascending order, and lists each once for every neighbour
 * that it has an entry of.  Without an outbox it counts only.
 */
static void list_outbox(struct pattern *p)
{
	struct cg_halo *halo = p->halo;
	int64_t i, k;
	int nbr;

	for (nbr = 0; nbr < halo->neighbours; nbr++) {
		p->nbr2seen[nbr] = -1;
		halo->out[nbr] = 0;
	}
	for (i = 0; i < p->a->rows; i++) {
		for (k = p->a->start[i]; k < p->a->start[i + 1]; k++) {
			if (p->a->col[k] < halo->own)
				continue;
			nbr = p->halo2nbr[p->a->col[k] - halo->own];
			if (p->nbr2seen[nbr] == i)
				continue;
			p->nbr2seen[nbr] = i;
			if (halo->outbox2row)
				halo->outbox2row[halo->out_at[nbr] +
					(ptrdiff_t)halo->out[nbr]] = i;
			halo->out[nbr]++;
		}
	}
}

static int make_outbox(struct pattern *p, struct cg_why *why)
{
	struct cg_halo *halo = p->halo;
	int nbr;

	list_outbox(p);
	for (nbr = 0; nbr < halo->neighbours; nbr++) {
		halo->out_at[nbr] = (ptrdiff_t)halo->picked;
		halo->picked += (int64_t)halo->out[nbr];
	}
	halo->outbox2row = calloc((size_t)halo->picked + 1,
				  sizeof(*halo->outbox2row));
	if (!halo->outbox2row)
		return cg_fail_memory(why, "the list of what is sent");
	list_outbox(p);
	return 0;
}

static bool needs_halo(const struct pattern *p, int64_t row)
{
	int64_t k;

	for (k = p->a->start[row]; k < p->a->start[row + 1]; k++)
		if (p->a->col[k] >= p->halo->own)
			return true;
	return false;
}

static int split_rows(struct pattern *p, struct cg_why *why)
{
	struct cg_halo *halo = p->halo;
	int64_t i;

	halo->inner = calloc((size_t)halo->own + 1, sizeof(*halo->inner));
	halo->rim = calloc((size_t)halo->own + 1, sizeof(*halo->rim));
	if (!halo->inner || !halo->rim)
		return cg_fail_memory(why, "the lists of rows");
	for (i = 0; i < halo->own; i++) {
		if (needs_halo(p, i))
			halo->rim[halo->n_rim++] = i;
		else
			halo->inner[halo->n_inner++] = i;
	}
	return 0;
}

int cg_pattern_make(struct cg_halo *halo, const struct cg_blocks *blocks,
		    struct cg_csr *a, struct cg_why *why)
{
	struct pattern p = { .halo = halo, .blocks = blocks, .a = a };
	int status = -1;

	p.first = blocks->row[halo->ranks->rank];
	p.end = p.first + a->rows;
	halo->own = a->rows;
	if (list_columns(&p, why) || alloc_neighbours(&p, why))
		goto free_lists;
	list_neighbours(&p);
	renumber(&p);
	if (make_outbox(&p, why) || split_rows(&p, why))
		goto free_lists;
	status = 0;

free_lists:
	free(p.halo2nbr);
	free(p.nbr2seen);
	return status;
}

void cg_pattern_free(struct cg_halo *halo)
{
	free(halo->outbox2row);
	free(halo->halo2col);
	free(halo->nbr2rank);
	free(halo->in);
	free(halo->out);
	free(halo->in_at);
	free(halo->out_at);
	free(halo->inner);
	free(halo->rim);
}
