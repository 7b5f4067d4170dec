/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MatrixMarket files: "%%MatrixMarket matrix coordinate real symmetric", the
 * comments, a line "rows columns entries", and the entries of the lower
 * triangle, one per line, counted from 1.  Called by rank 0.
 *
 * The header is believed only as far as the file is long enough for it, so a
 * wrong one never asks for memory out of proportion.
 */
#include "cg_mtx.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cg_scan.h"

/* The shortest line of an entry: "1 1 1" and its newline. */
#define ENTRY_BYTES 6

struct entry {
	int64_t row, col;
	double val;
};

struct reader {
	struct cg_scan scan;
	int64_t rows, entries;
	struct entry *list;
	struct cg_why *why;
};

/* Returns -1 unless the word is there, whatever its case. */
static int expect(struct reader *in, const char *want, const char *what)
{
	char word[32];

	if (cg_scan_word(&in->scan, word, sizeof(word)) != CG_SCAN_OK)
		return cg_fail(in->why, "the header names no %s", what);
	if (strcasecmp(word, want) != 0)
		return cg_fail(in->why, "%s %s: only %s is read", what, word,
			       want);
	return 0;
}

static int read_banner(struct reader *in)
{
	static const char *const kinds[][2] = {
		{ "matrix", "object" }, { "coordinate", "format" },
		{ "real", "field" }, { "symmetric", "symmetry" },
	};
	char word[32];
	size_t i;

	if (!cg_scan_line(&in->scan))
		return cg_fail(in->why, "the file is empty");
	if (cg_scan_word(&in->scan, word, sizeof(word)) != CG_SCAN_OK ||
	    strcmp(word, "%%MatrixMarket") != 0)
		return cg_fail(in->why, "line 1 does not begin with "
			       "%%%%MatrixMarket");
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (expect(in, kinds[i][0], kinds[i][1]))
			return -1;
	if (!cg_scan_rest_blank(&in->scan))
		return cg_fail(in->why, "line 1 goes on behind the header");
	return 0;
}

static int check_sizes(struct reader *in, int64_t columns)
{
	int64_t left = in->scan.end - in->scan.line_end;

	if (in->rows < 0 || columns < 0 || in->entries < 0)
		return cg_fail(in->why, "line %" PRId64 ": a size is negative",
			       in->scan.line);
	if (in->rows != columns)
		return cg_fail(in->why, "not square: %" PRId64 " rows, %" PRId64
			       " columns", in->rows, columns);
	if (in->rows == 0)
		return cg_fail(in->why, "the matrix has no rows");
	/* The last newline may be missing. */
	if (in->entries > (left + 1) / ENTRY_BYTES)
		return cg_fail(in->why, "truncated: %" PRId64 " entries do not "
			       "fit into the %" PRId64 " bytes behind line %"
			       PRId64, in->entries, left, in->scan.line);
	if (in->rows > in->entries)
		return cg_fail(in->why, "not positive definite: %" PRId64
			       " rows, but only %" PRId64 " entries", in->rows,
			       in->entries);
	return 0;
}

static int read_sizes(struct reader *in)
{
	int64_t columns;

	if (!cg_scan_content(&in->scan, true))
		return cg_fail(in->why, "truncated: no line with the sizes");
	if (cg_scan_int(&in->scan, &in->rows) != CG_SCAN_OK ||
	    cg_scan_int(&in->scan, &columns) != CG_SCAN_OK ||
	    cg_scan_int(&in->scan, &in->entries) != CG_SCAN_OK ||
	    !cg_scan_rest_blank(&in->scan))
		return cg_fail(in->why, "line %" PRId64 ": not three integers "
			       "(rows, columns, entries)", in->scan.line);
	return check_sizes(in, columns);
}

static int read_entry(struct reader *in, struct entry *e)
{
	struct cg_scan *scan = &in->scan;

	if (cg_scan_int(scan, &e->row) != CG_SCAN_OK ||
	    cg_scan_int(scan, &e->col) != CG_SCAN_OK)
		return cg_fail(in->why, "line %" PRId64 ": does not begin with "
			       "two integers", scan->line);
	if (e->row < 1 || e->row > in->rows || e->col < 1 || e->col > in->rows)
		return cg_fail(in->why, "line %" PRId64 ": index (%" PRId64
			       ", %" PRId64 ") out of range 1..%" PRId64,
			       scan->line, e->row, e->col, in->rows);
	if (e->col > e->row)
		return cg_fail(in->why, "line %" PRId64 ": entry (%" PRId64
			       ", %" PRId64 ") is above the diagonal of a "
			       "symmetric file", scan->line, e->row, e->col);
	if (cg_scan_real(scan, &e->val) != CG_SCAN_OK)
		return cg_fail(in->why, "line %" PRId64 ": the value is not a "
			       "finite number", scan->line);
	if (!cg_scan_rest_blank(scan))
		return cg_fail(in->why, "line %" PRId64 ": more than an entry",
			       scan->line);
	e->row--;
	e->col--;
	return 0;
}

static int read_entries(struct reader *in)
{
	int64_t k;

	for (k = 0; k < in->entries; k++) {
		if (!cg_scan_content(&in->scan, false))
			return cg_fail(in->why, "truncated: %" PRId64 " of %"
				       PRId64 " entries", k, in->entries);
		if (read_entry(in, &in->list[k]))
			return -1;
	}
	if (cg_scan_content(&in->scan, false))
		return cg_fail(in->why, "line %" PRId64 ": something follows "
			       "the %" PRId64 " entries", in->scan.line,
			       in->entries);
	return 0;
}

/* Both triangles from the lower one, in any order. */
static int expand(const struct reader *in, struct cg_csr *a)
{
	const struct entry *e, *end = in->list + in->entries;
	int64_t i, at, total = 0;

	for (e = in->list; e < end; e++)
		total += 1 + (e->row != e->col);
	if (cg_csr_alloc(a, in->rows, total, in->why))
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

static int parse(struct reader *in, struct cg_csr *a)
{
	if (read_banner(in) || read_sizes(in))
		return -1;
	in->list = calloc((size_t)in->entries, sizeof(*in->list));
	if (!in->list)
		return cg_fail_memory(in->why, "the entries of the file");
	if (read_entries(in) || expand(in, a))
		return -1;
	return cg_csr_make_symmetric(a, in->why);
}

int cg_mtx_parse(const char *text, size_t size, struct cg_csr *a,
		 struct cg_why *why)
{
	struct reader in = { .why = why };
	int status;

	memset(a, 0, sizeof(*a));
	cg_scan_init(&in.scan, text, size);
	status = parse(&in, a);
	if (status)
		cg_csr_free(a);
	free(in.list);
	return status;
}
