/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sentences of bounded length, and lists of words.
 */
#ifndef WEFT_BASE_TEXT_H
#define WEFT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Appends to the string in buf, which has room for size bytes with its end; a
 * sentence that does not fit is cut. size 0: nothing happens.
 */
void wf_text_add(char *buf, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Is it one of the words between commas? */
bool wf_text_lists(const char *list, const char *word);

/* The same; with ^ in front all others are allowed, by an empty list all. */
bool wf_text_allows(const char *list, const char *word);

#endif
