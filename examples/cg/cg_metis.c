/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * METIS graph files: a line "vertices edges [format [weights of a vertex]]",
 * then one line per vertex with its neighbours, counted from 1; lines that
 * begin with % are comments, an empty line is a vertex without neighbours.
 *
 * As in cg_mtx.c, memory is asked for only as far as the file is long enough.
 */
#include "cg_metis.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "cg_scan.h"

/* Doubles hold all integers up to it. */
static const int64_t WEIGHT_MAX = INT64_C(1) << 53;

struct reader {
	struct cg_scan scan;
	bool laplacian;		/* a matrix for the solver; else the graph */
	bool sizes, weighted;	/* what lines have beside neighbours: a size, */
	int64_t own;		/* so many weights of the vertex, and one of
				 * each edge */
	int64_t vertices, edges;
	int64_t used;		/* entries written so far */
	struct cg_why *why;
};

/* Entries in all: a diagonal beside each edge from both ends. */
static int64_t entries_of(const struct reader *in)
{
	return 2 * in->edges + (in->laplacian ? in->vertices : 0);
}

/* Up to three digits: sizes, weights of vertices, weights of edges. */
static bool take_format(struct reader *in)
{
	char word[8] = "0";
	size_t digits;
	enum cg_scan_result got;

	got = cg_scan_word(&in->scan, word, sizeof(word));
	if (got == CG_SCAN_END)
		return true;
	digits = strlen(word);
	if (got == CG_SCAN_BAD || digits > 3 || strspn(word, "01") != digits)
		return false;
	in->weighted = word[digits - 1] == '1';
	in->own = digits > 1 && word[digits - 2] == '1';
	in->sizes = digits > 2 && word[0] == '1';
	return true;
}

static int read_format(struct reader *in)
{
	struct cg_scan *scan = &in->scan;
	enum cg_scan_result got;
	int64_t own;

	if (!take_format(in))
		return cg_fail(in->why, "line %" PRId64 ": the format is not "
			       "three digits 0 or 1", scan->line);
	got = cg_scan_int(scan, &own);
	if (got == CG_SCAN_BAD || !cg_scan_rest_blank(scan) ||
	    (got == CG_SCAN_OK && (own < 1 || !in->own)))
		return cg_fail(in->why, "line %" PRId64 ": behind the format "
			       "is no number of weights of vertices",
			       scan->line);
	if (got == CG_SCAN_OK)
		in->own = own;
	if (in->laplacian && (in->own || in->sizes || in->weighted))
		return cg_fail(in->why, "line %" PRId64 ": graphs with weights "
			       "are not read", scan->line);
	return 0;
}

static int check_sizes(struct reader *in)
{
	const struct cg_scan *scan = &in->scan;
	int64_t left = scan->end - scan->line_end;

	if (in->vertices == 0)
		return cg_fail(in->why, "line %" PRId64 ": the graph has no "
			       "vertices", scan->line);
	/* A vertex takes its newline, an edge two digits and two blanks. */
	if (in->vertices > left || in->edges > left / 4)
		return cg_fail(in->why, "truncated: %" PRId64 " vertices and %"
			       PRId64 " edges do not fit into the %" PRId64
			       " bytes behind line %" PRId64, in->vertices,
			       in->edges, left, scan->line);
	return 0;
}

static int read_header(struct reader *in)
{
	struct cg_scan *scan = &in->scan;

	if (!cg_scan_content(scan, true))
		return cg_fail(in->why, "the file is empty");
	if (cg_scan_int(scan, &in->vertices) != CG_SCAN_OK ||
	    cg_scan_int(scan, &in->edges) != CG_SCAN_OK)
		return cg_fail(in->why, "line %" PRId64 ": not two integers "
			       "(vertices, edges)", scan->line);
	if (in->vertices < 0 || in->edges < 0)
		return cg_fail(in->why, "line %" PRId64 ": a size is negative",
			       scan->line);
	if (read_format(in))
		return -1;
	return check_sizes(in);
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
	int64_t weight = -1;

	if (j < 1 || j > in->vertices)
		return cg_fail(in->why, "line %" PRId64 ": neighbour %" PRId64
			       " out of range 1..%" PRId64, in->scan.line, j,
			       in->vertices);
	if (j - 1 == i)
		return cg_fail(in->why, "line %" PRId64 ": vertex %" PRId64
			       " is its own neighbour", in->scan.line, j);
	if (in->used == entries_of(in))
		return fail_too_many(in);
	if (!in->laplacian)
		weight = 1;
	if (in->weighted && (cg_scan_int(&in->scan, &weight) != CG_SCAN_OK ||
			     weight < 1 || weight > WEIGHT_MAX))
		return cg_fail(in->why, "line %" PRId64 ": no weight from 1 to "
			       "%" PRId64 " behind neighbour %" PRId64,
			       in->scan.line, WEIGHT_MAX, j);
	a->col[in->used] = j - 1;
	a->val[in->used++] = (double)weight;
	return 0;
}

/* What a line begins with, which says nothing of edges. */
static int skip_own(struct reader *in, int64_t i)
{
	for (int64_t k = 0; k < in->own + in->sizes; k++) {
		int64_t value;

		if (cg_scan_int(&in->scan, &value) != CG_SCAN_OK || value < 0)
			return cg_fail(in->why, "line %" PRId64 ": vertex %"
				       PRId64 " lacks an integer from 0, its "
				       "weight or size", in->scan.line, i + 1);
	}
	return 0;
}

static int begin_vertex(struct reader *in, struct cg_csr *a, int64_t i)
{
	if (!in->laplacian)
		return skip_own(in, i);
	if (in->used == entries_of(in))
		return fail_too_many(in);
	a->col[in->used++] = i;
	return 0;
}

static int read_vertex(struct reader *in, struct cg_csr *a, int64_t i)
{
	enum cg_scan_result got;
	int64_t j, begin = in->used;

	if (begin_vertex(in, a, i))
		return -1;
	while ((got = cg_scan_int(&in->scan, &j)) == CG_SCAN_OK)
		if (add_neighbour(in, a, i, j))
			return -1;
	if (got == CG_SCAN_BAD)
		return cg_fail(in->why, "line %" PRId64 ": a neighbour of "
			       "vertex %" PRId64 " is no integer",
			       in->scan.line, i + 1);
	if (in->laplacian)
		a->val[begin] = (double)(in->used - begin);
	a->start[i + 1] = in->used;
	return 0;
}

static int read_vertices(struct reader *in, struct cg_csr *a)
{
	int64_t i;

	for (i = 0; i < in->vertices; i++) {
		if (next_vertex_line(in))
			return cg_fail(in->why, "truncated: %" PRId64 " of %"
				       PRId64 " vertices up to line %" PRId64,
				       i, in->vertices, in->scan.line);
		if (read_vertex(in, a, i))
			return -1;
	}
	if (cg_scan_content(&in->scan, true))
		return cg_fail(in->why, "line %" PRId64 ": something follows "
			       "the %" PRId64 " vertices", in->scan.line,
			       in->vertices);
	if (in->used != entries_of(in))
		return cg_fail(in->why, "the header says %" PRId64 " edges, "
			       "the lines up to line %" PRId64 " hold %" PRId64
			       " neighbours, not twice as many", in->edges,
			       in->scan.line,
			       2 * in->edges - (entries_of(in) - in->used));
	return 0;
}

static int parse(struct reader *in, struct cg_csr *a)
{
	if (read_header(in))
		return -1;
	if (cg_csr_alloc(a, in->vertices, entries_of(in), in->why))
		return -1;
	if (read_vertices(in, a))
		return -1;
	return in->laplacian ? cg_csr_make_symmetric(a, in->why) : 0;
}

static int read_all(struct reader *in, const char *text, size_t size,
		    struct cg_csr *a)
{
	int status;

	*a = (struct cg_csr){ 0 };
	cg_scan_init(&in->scan, text, size);
	status = parse(in, a);
	if (status)
		cg_csr_free(a);
	return status;
}

int cg_metis_parse(const char *text, size_t size, struct cg_csr *a,
		   struct cg_why *why)
{
	struct reader in = { .laplacian = true, .why = why };

	return read_all(&in, text, size, a);
}

int cg_metis_read(const char *text, size_t size, struct cg_csr *a,
		  struct cg_why *why)
{
	struct reader in = { .why = why };

	return read_all(&in, text, size, a);
}

int64_t cg_metis_line(const char *text, size_t size, int64_t i)
{
	struct reader in = { 0 };

	cg_scan_init(&in.scan, text, size);
	cg_scan_content(&in.scan, true);
	while (i-- >= 0 && !next_vertex_line(&in))
		;
	return in.scan.line;
}
