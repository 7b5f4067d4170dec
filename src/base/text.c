/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sentences of bounded length, for the story of an error or a stall, and the
 * lists of words in settings.
 */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void wf_text_add(char *buf, size_t size, const char *format, ...)
{
	size_t used = strnlen(buf, size);
	va_list args;

	if (used == size)
		return;
	va_start(args, format);
	vsnprintf(buf + used, size - used, format, args);
	va_end(args);
}

bool wf_text_lists(const char *list, const char *word)
{
	size_t n = strlen(word);

	while (*list) {
		size_t len = strcspn(list, ",");

		if (len == n && !memcmp(list, word, n))
			return true;
		list += len;
		list += *list == ',';
	}
	return false;
}

bool wf_text_allows(const char *list, const char *word)
{
	if (*list == '^')
		return !wf_text_lists(list + 1, word);
	return !*list || wf_text_lists(list, word);
}
