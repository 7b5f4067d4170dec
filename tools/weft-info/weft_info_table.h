/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables, as text with a heading, or as arrays of one JSON object.
 */
#ifndef WEFT_INFO_TABLE_H
#define WEFT_INFO_TABLE_H

#include <stdbool.h>

/* What the cells of a column are in JSON; an empty one is null, or no item. */
enum winfo_kind {
	WINFO_TEXT,
	WINFO_NUMBER,		/* digits only */
	WINFO_YES_NO,		/* true, false; other words are text */
	WINFO_LIST		/* words with commas in between */
};

struct winfo_column {
	const char *key;
	int width;		/* in text; the last column needs none */
	enum winfo_kind kind;
};

struct winfo_table {
	bool json;
	int tables, rows;
	const struct winfo_column *column;
	int ncolumns;
};

/* Nothing is printed before, and nothing but tables in between. */
void winfo_open(struct winfo_table *table, bool json, const char *version);
void winfo_close(struct winfo_table *table);

/* Ends the table before; columns are used until the next one. */
void winfo_table(struct winfo_table *table, const char *name,
		 const struct winfo_column *column, int ncolumns);

/* One cell for each column. */
void winfo_row(struct winfo_table *table, const char *const *cell);

#endif
