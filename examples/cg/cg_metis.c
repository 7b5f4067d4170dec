/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * METIS graph files: a line "vertices edges", then one line per vertex with
 * its neighbours, counted from 1; lines that begin with % are comments, an
 * empty line is a vertex without neighbours.  Called by rank 0.
 *
 * As in cg_mtx.c, memory is asked for only as far as the file is long enough.
 */
#include "cg_metis.h"

#include <inttypes.h>
#include <string.h>

#include "cg_scan.h"

struct reader {
	struct cg_scan scan;
	int64_t vertices, edges;
	int64_t used;		/* entries written so far */
	struct cg_why *why;
};

static int read_header(struct reader *in)
{
	struct cg_scan *scan = &in->scan;
	int64_t format = 0, left;

	if (!cg_scan_content(scan, true))
		return cg_fail(in->why, "the file is empty");
	if (cg_scan_int(scan, &in->vertices) != CG_SCAN_OK ||
	    cg_scan_int(scan, &in->edges) != CG_SCAN_OK ||
	    cg_scan_int(scan, &format) == CG_SCAN_BAD)
		return cg_fail(in->why, "line %" PRId64 ": not two integers "
			       "(vertices, edges)", scan->line);
	if (in->vertices < 0 || in->edges < 0)
		return cg_fail(in->why, "line %" PRId64 ": a size is negative",
			       scan->line);
	if (format != 0 || !cg_scan_rest_blank(scan))
		return cg_fail(in->why, "line %" PRId64 ": graphs with weights "
			       "are not read", scan->line);
	if (in->vertices == 0)
		return cg_fail(in->why, "the graph has no vertices");
	/* A vertex takes its newline, an edge two digits and two blanks. */
	left = scan->end - scan->line_end;
	if (in->vertices > left || in->edges > left / 4)
		return cg_fail(in->why, "truncated: %" PRId64 " vertices and %"
			       PRId64 " edges do not fit into %" PRId64
			       " bytes", in->vertices, in->edges, left);
	return 0;
}

static int next_vertex_line(struct reader *in)
{
	do {
		if (!cg_scan_line(&in->scan))
			return -1;
	} while (in->scan.at < in->scan.line_end && *in->scan.at == '%');
	return 0;
}

static int fail_too_many(struct reader *in)
{
	return cg_fail(in->why, "line %" PRId64 ": more neighbours than the %"
		       PRId64 " edges of the header", in->scan.line,
		       in->edges);
}

static int add_neighbour(struct reader *in, struct cg_csr *a, int64_t i,
			 int64_t j)
{
	if (j < 1 || j > in->vertices)
		return cg_fail(in->why, "line %" PRId64 ": neighbour %" PRId64
			       " out of range 1..%" PRId64, in->scan.line, j,
			       in->vertices);
	if (j - 1 == i)
		return cg_fail(in->why, "line %" PRId64 ": vertex %" PRId64
			       " is its own neighbour", in->scan.line, j);
	if (in->used == in->vertices + 2 * in->edges)
		return fail_too_many(in);
	a->col[in->used] = j - 1;
	a->val[in->used++] = -1.0;
	return 0;
}

static int read_vertex(struct reader *in, struct cg_csr *a, int64_t i)
{
	enum cg_scan_result got;
	int64_t j, diagonal = in->used;

	if (in->used == in->vertices + 2 * in->edges)
		return fail_too_many(in);
	a->col[in->used++] = i;
	while ((got = cg_scan_int(&in->scan, &j)) == CG_SCAN_OK)
		if (add_neighbour(in, a, i, j))
			return -1;
	if (got == CG_SCAN_BAD)
		return cg_fail(in->why, "line %" PRId64 ": a neighbour of "
			       "vertex %" PRId64 " is no integer",
			       in->scan.line, i + 1);
	a->val[diagonal] = (double)(in->used - diagonal);
	a->start[i + 1] = in->used;
	return 0;
}

static int read_vertices(struct reader *in, struct cg_csr *a)
{
	int64_t i;

	for (i = 0; i < in->vertices; i++) {
		if (next_vertex_line(in))
			return cg_fail(in->why, "truncated: %" PRId64 " of %"
				       PRId64 " vertices", i, in->vertices);
		if (read_vertex(in, a, i))
			return -1;
	}
	if (cg_scan_content(&in->scan, true))
		return cg_fail(in->why, "line %" PRId64 ": something follows "
			       "the %" PRId64 " vertices", in->scan.line,
			       in->vertices);
	if (in->used != in->vertices + 2 * in->edges)
		return cg_fail(in->why, "the header says %" PRId64 " edges, "
			       "the lines hold %" PRId64 " neighbours, not "
			       "twice as many", in->edges,
			       in->used - in->vertices);
	return 0;
}

static int parse(struct reader *in, struct cg_csr *a)
{
	if (read_header(in))
		return -1;
	if (cg_csr_alloc(a, in->vertices, in->vertices + 2 * in->edges,
			 in->why))
		return -1;
	if (read_vertices(in, a))
		return -1;
	return cg_csr_make_symmetric(a, in->why);
}

int cg_metis_parse(const char *text, size_t size, struct cg_csr *a,
		   struct cg_why *why)
{
	struct reader in = { .why = why };
	int status;

	memset(a, 0, sizeof(*a));
	cg_scan_init(&in.scan, text, size);
	status = parse(&in, a);
	if (status)
		cg_csr_free(a);
	return status;
}
