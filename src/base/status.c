/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names and sentences of statuses.
 *
 * Owns one constant table, expanded from WEFT_STATUS_LIST. Called by users
 * and by whoever writes a status into a message. A value outside of the list
 * maps to a constant string, so that no caller needs a buffer.
 */
#include <weft/status.h>

#include <stddef.h>

struct entry {
	int status;
	const char *name;
	const char *text;
};

static const struct entry table[] = {
#define STATUS_ENTRY(name, value, sentence) { value, #name, sentence },
	WEFT_STATUS_LIST(STATUS_ENTRY)
#undef STATUS_ENTRY
};

static const struct entry unknown = {
	0, "WEFT_ERR_UNKNOWN", "a value that is no status of this library"
};

static const struct entry *find(int status)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (table[i].status == status)
			return &table[i];
	}
	return &unknown;
}

const char *weft_status_name(int status)
{
	return find(status)->name;
}

const char *weft_status_text(int status)
{
	return find(status)->text;
}
