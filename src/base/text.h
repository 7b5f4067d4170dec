/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sentences of bounded length.
 */
#ifndef WEFT_BASE_TEXT_H
#define WEFT_BASE_TEXT_H

#include <stddef.h>

/*
 * Appends to the string in buf, which has room for size bytes with its end; a
 * sentence that does not fit is cut. size 0: nothing happens.
 */
void wf_text_add(char *buf, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
