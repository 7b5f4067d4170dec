/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sentences of bounded length, for the story of an error or a stall.
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
