/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The only file of weft-info that prints results.
 */
#include "tools/weft-info/weft_info_table.h"

#include <stdio.h>
#include <string.h>

static void print_json_part(const char *text, size_t n)
{
	putchar('"');
	for (; n > 0; text++, n--) {
		if (*text == '"' || *text == '\\')
			putchar('\\');
		if ((unsigned char)*text < ' ')
			printf("\\u%04x", (unsigned)*text);
		else
			putchar(*text);
	}
	putchar('"');
}

static void print_json_text(const char *text)
{
	print_json_part(text, strlen(text));
}

static void print_json_list(const char *text)
{
	putchar('[');
	while (*text) {
		size_t n = strcspn(text, ",");

		print_json_part(text, n);
		text += n;
		if (*text) {
			putchar(',');
			text++;
		}
	}
	putchar(']');
}

static void print_json(enum winfo_kind kind, const char *text)
{
	if (kind == WINFO_LIST)
		print_json_list(text);
	else if (kind == WINFO_TEXT)
		print_json_text(text);
	else if (!*text)
		fputs("null", stdout);
	else if (kind == WINFO_NUMBER)
		fputs(text, stdout);
	else if (!strcmp(text, "yes") || !strcmp(text, "no"))
		fputs(*text == 'y' ? "true" : "false", stdout);
	else
		print_json_text(text);
}

void winfo_open(struct winfo_table *table, bool json, const char *version)
{
	memset(table, 0, sizeof(*table));
	table->json = json;
	if (!json) {
		printf("weft %s\n", version);
		return;
	}
	printf("{\"version\":");
	print_json_text(version);
}

static void end_table(const struct winfo_table *table)
{
	if (table->json && table->tables)
		putchar(']');
}

void winfo_close(struct winfo_table *table)
{
	end_table(table);
	if (table->json)
		puts("}");
}

static void print_cells(const struct winfo_table *table,
			const char *const *cell)
{
	int last = table->ncolumns - 1;

	while (last > 0 && !*cell[last])
		last--;
	for (int i = 0; i <= last; i++) {
		const struct winfo_column *c = &table->column[i];
		bool number = c->kind == WINFO_NUMBER;
		int width = i < last || number ? c->width : 0;

		printf("  %*s", number ? width : -width, cell[i]);
	}
	putchar('\n');
}

void winfo_table(struct winfo_table *table, const char *name,
		 const struct winfo_column *column, int ncolumns)
{
	end_table(table);
	table->column = column;
	table->ncolumns = ncolumns;
	table->rows = 0;
	table->tables++;
	if (table->json)
		printf(",\"%s\":[", name);
	else
		printf("\n%s\n", name);
}

static void print_object(const struct winfo_table *table,
			 const char *const *cell)
{
	for (int i = 0; i < table->ncolumns; i++) {
		printf("%s\"%s\":", i ? "," : "", table->column[i].key);
		print_json(table->column[i].kind, cell[i]);
	}
}

static void print_heading(const struct winfo_table *table)
{
	const char *key[16];

	for (int i = 0; i < table->ncolumns; i++)
		key[i] = table->column[i].key;
	print_cells(table, key);
}

void winfo_row(struct winfo_table *table, const char *const *cell)
{
	if (!table->rows++ && !table->json)
		print_heading(table);
	if (!table->json) {
		print_cells(table, cell);
		return;
	}
	fputs(table->rows > 1 ? ",{" : "{", stdout);
	print_object(table, cell);
	putchar('}');
}
