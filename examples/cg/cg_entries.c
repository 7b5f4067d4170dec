/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MatrixMarket files: "%%MatrixMarket matrix coordinate real symmetric", the
 * comments, a line "rows columns entries", and the entries, one per line,
 * counted from 1, of a symmetric one those of the lower triangle.
 *
 * The header is believed only as far as the file is long enough for it, so a
 * wrong one never asks for memory out of proportion.
 */
#include "cg_entries.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cg_scan.h"

enum field { REAL, INTEGER, PATTERN };

enum { KINDS = 4 };

/* The words behind %%MatrixMarket; weft-cg takes the first of each. */
static const struct kind {
	const char *what;
	const char *word[3];
	int words;
	const char *all;
} kinds[KINDS] = {
	{ "object", { "matrix" }, 1, NULL },
	{ "format", { "coordinate" }, 1, NULL },
	{ "field", { "real", "integer", "pattern" }, 3,
	  "real, integer or pattern" },
	{ "symmetry", { "symmetric", "general" }, 2, "symmetric or general" },
};

struct reader {
	struct cg_scan scan;
	bool any;
	enum field field;
	struct cg_entries *e;
	struct cg_why *why;
};

/* One of the first n words of a kind, whatever its case. */
static int expect(struct reader *in, const struct kind *kind, int *found_p)
{
	char word[32];
	int n = in->any ? kind->words : 1;

	if (cg_scan_word(&in->scan, word, sizeof(word)) != CG_SCAN_OK)
		return cg_fail(in->why, "the header names no %s", kind->what);
	for (int i = 0; i < n; i++) {
		if (strcasecmp(word, kind->word[i]) == 0) {
			*found_p = i;
			return 0;
		}
	}
	return cg_fail(in->why, "%s %s: only %s is read", kind->what, word,
		       n > 1 ? kind->all : kind->word[0]);
}

static int read_banner(struct reader *in)
{
	int found[KINDS];
	char word[32];

	if (!cg_scan_line(&in->scan))
		return cg_fail(in->why, "the file is empty");
	if (cg_scan_word(&in->scan, word, sizeof(word)) != CG_SCAN_OK ||
	    strcmp(word, "%%MatrixMarket") != 0)
		return cg_fail(in->why, "line 1 does not begin with "
			       "%%%%MatrixMarket");
	for (int i = 0; i < KINDS; i++)
		if (expect(in, &kinds[i], &found[i]))
			return -1;
	if (!cg_scan_rest_blank(&in->scan))
		return cg_fail(in->why, "line 1 goes on behind the header");
	in->field = (enum field)found[2];
	in->e->general = found[3];
	return 0;
}

/* The shortest line of an entry: "1 1" or "1 1 1", and its newline. */
static int64_t entry_bytes(const struct reader *in)
{
	return in->field == PATTERN ? 4 : 6;
}

static int check_sizes(struct reader *in, int64_t columns)
{
	const struct cg_entries *e = in->e;
	int64_t left = in->scan.end - in->scan.line_end;

	if (e->rows < 0 || columns < 0 || e->count < 0)
		return cg_fail(in->why, "line %" PRId64 ": a size is negative",
			       in->scan.line);
	if (e->rows != columns)
		return cg_fail(in->why, "line %" PRId64 ": not square: %" PRId64
			       " rows, %" PRId64 " columns", in->scan.line,
			       e->rows, columns);
	if (e->rows == 0)
		return cg_fail(in->why, "line %" PRId64 ": the matrix has no "
			       "rows", in->scan.line);
	/* The last newline may be missing. */
	if (e->count > (left + 1) / entry_bytes(in))
		return cg_fail(in->why, "truncated: %" PRId64 " entries do not "
			       "fit into the %" PRId64 " bytes behind line %"
			       PRId64, e->count, left, in->scan.line);
	return 0;
}

static int read_sizes(struct reader *in)
{
	struct cg_entries *e = in->e;
	int64_t columns;

	if (!cg_scan_content(&in->scan, true))
		return cg_fail(in->why, "truncated: no line with the sizes "
			       "up to line %" PRId64, in->scan.line);
	if (cg_scan_int(&in->scan, &e->rows) != CG_SCAN_OK ||
	    cg_scan_int(&in->scan, &columns) != CG_SCAN_OK ||
	    cg_scan_int(&in->scan, &e->count) != CG_SCAN_OK ||
	    !cg_scan_rest_blank(&in->scan))
		return cg_fail(in->why, "line %" PRId64 ": not three integers "
			       "(rows, columns, entries)", in->scan.line);
	return check_sizes(in, columns);
}

static int read_indices(struct reader *in, struct cg_entry *entry)
{
	struct cg_scan *scan = &in->scan;
	const struct cg_entries *e = in->e;

	if (cg_scan_int(scan, &entry->row) != CG_SCAN_OK ||
	    cg_scan_int(scan, &entry->col) != CG_SCAN_OK)
		return cg_fail(in->why, "line %" PRId64 ": does not begin with "
			       "two integers", scan->line);
	if (entry->row < 1 || entry->row > e->rows || entry->col < 1 ||
	    entry->col > e->rows)
		return cg_fail(in->why, "line %" PRId64 ": index (%" PRId64
			       ", %" PRId64 ") out of range 1..%" PRId64,
			       scan->line, entry->row, entry->col, e->rows);
	if (entry->col > entry->row && !e->general)
		return cg_fail(in->why, "line %" PRId64 ": entry (%" PRId64
			       ", %" PRId64 ") is above the diagonal of a "
			       "symmetric file", scan->line, entry->row,
			       entry->col);
	entry->row--;
	entry->col--;
	return 0;
}

static int read_value(struct reader *in, double *value_p)
{
	int64_t whole;

	if (in->field == REAL && cg_scan_real(&in->scan, value_p) != CG_SCAN_OK)
		return cg_fail(in->why, "line %" PRId64 ": the value is not a "
			       "finite number", in->scan.line);
	if (in->field == REAL)
		return 0;
	whole = 1;
	if (in->field == INTEGER && cg_scan_int(&in->scan, &whole) !=
	    CG_SCAN_OK)
		return cg_fail(in->why, "line %" PRId64 ": the value is not an "
			       "integer", in->scan.line);
	*value_p = (double)whole;
	return 0;
}

static int read_entry(struct reader *in, struct cg_entry *entry)
{
	if (read_indices(in, entry) || read_value(in, &entry->val))
		return -1;
	if (!cg_scan_rest_blank(&in->scan))
		return cg_fail(in->why, "line %" PRId64 ": more than an entry",
			       in->scan.line);
	return 0;
}

static int read_entries(struct reader *in)
{
	struct cg_entries *e = in->e;
	int64_t k;

	for (k = 0; k < e->count; k++) {
		if (!cg_scan_content(&in->scan, false))
			return cg_fail(in->why, "truncated: %" PRId64 " of %"
				       PRId64 " entries up to line %" PRId64, k,
				       e->count, in->scan.line);
		if (read_entry(in, &e->list[k]))
			return -1;
	}
	if (cg_scan_content(&in->scan, false))
		return cg_fail(in->why, "line %" PRId64 ": something follows "
			       "the %" PRId64 " entries", in->scan.line,
			       e->count);
	return 0;
}

static int parse(struct reader *in)
{
	struct cg_entries *e = in->e;

	if (read_banner(in) || read_sizes(in))
		return -1;
	/* One more: calloc(0) may be NULL without meaning failure. */
	e->list = calloc((size_t)e->count + 1, sizeof(*e->list));
	if (!e->list)
		return cg_fail_memory(in->why, "the entries of the file");
	return read_entries(in);
}

int cg_entries_read(const char *text, size_t size, bool any,
		    struct cg_entries *e, struct cg_why *why)
{
	struct reader in = { .any = any, .e = e, .why = why };
	int status;

	memset(e, 0, sizeof(*e));
	cg_scan_init(&in.scan, text, size);
	status = parse(&in);
	if (status)
		cg_entries_free(e);
	return status;
}

void cg_entries_free(struct cg_entries *e)
{
	free(e->list);
	e->list = NULL;
}
