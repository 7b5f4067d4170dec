/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A row for each variable of the library's table, and one for each that begins
 * like them and is none.
 */
#include "tools/weft-info/weft_info_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/config.h"

static const struct winfo_column columns[] = {
	{ "name", 22, WINFO_TEXT }, { "value", 10, WINFO_TEXT },
	{ "default", 10, WINFO_TEXT }, { "alike", 5, WINFO_YES_NO },
	{ "help", 0, WINFO_TEXT }
};

static void unknown(void *arg, const char *name, const char *suggestion)
{
	const char *cell[] = {
		name, getenv(name) ? getenv(name) : "", "", "",
		suggestion ? suggestion : "unknown"
	};
	char text[100];

	if (suggestion) {
		snprintf(text, sizeof(text), "unknown: did you mean %s?",
			 suggestion);
		cell[4] = text;
	}
	winfo_row(arg, cell);
}

void winfo_settings(struct winfo_table *table)
{
	size_t n;
	const struct wf_config_var *vars = wf_config_vars(&n);

	winfo_table(table, "settings", columns, 5);
	for (size_t i = 0; i < n; i++) {
		const char *initial = vars[i].initial ? vars[i].initial : "";
		const char *value = getenv(vars[i].name);
		const char *cell[] = {
			vars[i].name, value && *value ? value : initial,
			initial, vars[i].agreed ? "yes" : "no", vars[i].help
		};

		winfo_row(table, cell);
	}
	wf_config_unknown(environ, unknown, table);
}
