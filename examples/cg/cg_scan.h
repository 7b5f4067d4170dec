/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading a text line by line and number by number, for the file formats.
 */
#ifndef CG_SCAN_H
#define CG_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cg_scan_result {
	CG_SCAN_OK,
	CG_SCAN_END,	/* the line has nothing more */
	CG_SCAN_BAD,	/* a token, but not of the kind asked for */
};

/* The current line is [at, line_end); its number counts from 1. */
struct cg_scan {
	const char *at;
	const char *line_end;
	const char *end;
	int64_t line;
};

/* text[size] must be a NUL byte; nothing behind it is read. */
void cg_scan_init(struct cg_scan *scan, const char *text, size_t size);

/* Go to the next line; false at the end of the text. */
bool cg_scan_line(struct cg_scan *scan);

/* Go to the next line that is not blank, and no comment (%) if skipped. */
bool cg_scan_content(struct cg_scan *scan, bool skip_comments);

/* True if only blanks are left in the line. */
bool cg_scan_rest_blank(struct cg_scan *scan);

/* The next token, NUL-terminated and cut to size; BAD if it has a NUL byte. */
enum cg_scan_result cg_scan_word(struct cg_scan *scan, char *word,
				 size_t size);

/* A decimal integer that fits; the whole token must be the number. */
enum cg_scan_result cg_scan_int(struct cg_scan *scan, int64_t *value_p);

/* A finite decimal number; nan, inf, hexadecimal and overflow are BAD. */
enum cg_scan_result cg_scan_real(struct cg_scan *scan, double *value_p);

#endif
