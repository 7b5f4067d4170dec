/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tokens of a text in memory.  Called by the readers of the file formats.
 * No number is accepted that does not fill its token up to a blank, so that
 * "12x" or "1.5" is never read as the integer 12 or 1.
 */
#include "cg_scan.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

void cg_scan_init(struct cg_scan *scan, const char *text, size_t size)
{
	scan->at = text;
	scan->line_end = text;
	scan->end = text + size;
	scan->line = 0;
}

bool cg_scan_line(struct cg_scan *scan)
{
	const char *newline;

	/* Behind the first line, line_end is at a newline or at the end. */
	scan->at = scan->line_end + (scan->line > 0);
	if (scan->at >= scan->end) {
		scan->at = scan->line_end = scan->end;
		return false;
	}
	newline = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
	scan->line_end = newline ? newline : scan->end;
	scan->line++;
	return true;
}

static void skip_blanks(struct cg_scan *scan)
{
	while (scan->at < scan->line_end && is_blank(*scan->at))
		scan->at++;
}

bool cg_scan_rest_blank(struct cg_scan *scan)
{
	skip_blanks(scan);
	return scan->at == scan->line_end;
}

bool cg_scan_content(struct cg_scan *scan, bool skip_comments)
{
	while (cg_scan_line(scan)) {
		if (cg_scan_rest_blank(scan))
			continue;
		if (skip_comments && *scan->at == '%')
			continue;
		return true;
	}
	return false;
}

/* Bytes of the token at the current position. */
static size_t token_length(const struct cg_scan *scan)
{
	const char *p = scan->at;

	while (p < scan->line_end && !is_blank(*p))
		p++;
	return (size_t)(p - scan->at);
}

enum cg_scan_result cg_scan_word(struct cg_scan *scan, char *word, size_t size)
{
	size_t n, keep;

	if (cg_scan_rest_blank(scan))
		return CG_SCAN_END;
	n = token_length(scan);
	keep = n < size ? n : size - 1;
	memcpy(word, scan->at, keep);
	word[keep] = '\0';
	if (strlen(word) != keep)
		return CG_SCAN_BAD;
	scan->at += n;
	return CG_SCAN_OK;
}

enum cg_scan_result cg_scan_int(struct cg_scan *scan, int64_t *value_p)
{
	char *stop;
	long long value;
	size_t n;

	if (cg_scan_rest_blank(scan))
		return CG_SCAN_END;
	n = token_length(scan);
	errno = 0;
	value = strtoll(scan->at, &stop, 10);
	if (errno || n == 0 || stop != scan->at + n)
		return CG_SCAN_BAD;
	scan->at += n;
	*value_p = value;
	return CG_SCAN_OK;
}

enum cg_scan_result cg_scan_real(struct cg_scan *scan, double *value_p)
{
	char *stop;
	double value;
	size_t n;

	if (cg_scan_rest_blank(scan))
		return CG_SCAN_END;
	n = token_length(scan);
	if (strspn(scan->at, "+-.0123456789eE") < n)
		return CG_SCAN_BAD;
	value = strtod(scan->at, &stop);
	if (stop != scan->at + n || !isfinite(value))
		return CG_SCAN_BAD;
	scan->at += n;
	*value_p = value;
	return CG_SCAN_OK;
}
