/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A METIS graph as edges: an edge of it stands at both of its ends, with one
 * weight, and is sent along both ways.
 *
 * Transposed twice, rows of neighbours are in order, and equal to those of the
 * matrix transposed once where each edge has its other end.
 */
#include "tools/weft-topo/weft_topo_graph.h"

#include <inttypes.h>

#include "examples/cg/cg_csr.h"
#include "examples/cg/cg_metis.h"

struct metis {
	const char *text;
	size_t size;
	struct cg_csr named;	/* rows: whom a vertex names, */
	struct cg_csr names;	/* and who names it */
	struct cg_why *why;
};

static int check_once(const struct metis *m, int64_t row)
{
	const struct cg_csr *a = &m->named;

	for (int64_t e = a->start[row] + 1; e < a->start[row + 1]; e++)
		if (a->col[e] == a->col[e - 1])
			return cg_fail(m->why, "line %" PRId64 ": neighbour %"
				       PRId64 " is there twice",
				       cg_metis_line(m->text, m->size, row),
				       a->col[e] + 1);
	return 0;
}

static int fail_end(const struct metis *m, int64_t at, int64_t other)
{
	return cg_fail(m->why, "line %" PRId64 ": vertex %" PRId64 " names "
		       "neighbour %" PRId64 ", which does not name it",
		       cg_metis_line(m->text, m->size, at), at + 1, other + 1);
}

static int fail_weight(const struct metis *m, int64_t at, int64_t e)
{
	int64_t other = m->named.col[e];

	return cg_fail(m->why, "line %" PRId64 ": the edge to %" PRId64
		       " has the weight %.0f here and %.0f in line %" PRId64,
		       cg_metis_line(m->text, m->size, at), other + 1,
		       m->named.val[e], m->names.val[e],
		       cg_metis_line(m->text, m->size, other));
}

/* The column at e, or one behind all of them. */
static int64_t column(const struct cg_csr *a, int64_t row, int64_t e)
{
	return e < a->start[row + 1] ? a->col[e] : a->rows;
}

/* Rows before it are alike, so that both begin at the same entry. */
static int check_ends(const struct metis *m, int64_t row)
{
	int64_t e = m->named.start[row];

	for (;; e++) {
		int64_t to = column(&m->named, row, e);
		int64_t from = column(&m->names, row, e);

		if (to < from)
			return fail_end(m, row, to);
		if (from < to)
			return fail_end(m, from, row);
		if (to == m->named.rows)
			return 0;
		if (m->named.val[e] != m->names.val[e])
			return fail_weight(m, row, e);
	}
}

static int check(struct metis *m, const struct cg_csr *file)
{
	int status = 0;

	if (cg_csr_transpose(file, &m->names, m->why) ||
	    cg_csr_transpose(&m->names, &m->named, m->why))
		return -1;
	for (int64_t row = 0; !status && row < file->rows; row++)
		status = check_once(m, row);
	for (int64_t row = 0; !status && row < file->rows; row++)
		status = check_ends(m, row);
	return status;
}

static int take(struct wtopo_graph *g, const struct cg_csr *a,
		struct cg_why *why)
{
	int status = wtopo_graph_alloc(g, a->rows, cg_csr_entries(a), why);

	if (status)
		return status;
	for (int row = 0; !status && row < g->n; row++) {
		for (int64_t e = a->start[row];
		     !status && e < a->start[row + 1]; e++)
			status = wtopo_graph_add(g, &(struct wf_reorder_edge){
				row, (int)a->col[e], (int64_t)a->val[e] }, why);
	}
	if (status)
		wtopo_graph_free(g);
	return status;
}

int wtopo_metis_parse(const char *text, size_t size, struct wtopo_graph *g,
		      struct cg_why *why)
{
	struct metis m = { .text = text, .size = size, .why = why };
	struct cg_csr file;
	int status = cg_metis_read(text, size, &file, why);

	if (status)
		return status;
	status = check(&m, &file);
	if (!status)
		status = take(g, &m.named, why);
	cg_csr_free(&file);
	cg_csr_free(&m.named);
	cg_csr_free(&m.names);
	return status;
}
