/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Owns nothing: writes a sentence into the caller's struct cg_why.
 */
#include "cg_why.h"

#include <stdarg.h>
#include <stdio.h>

int cg_fail(struct cg_why *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why->text, sizeof(why->text), format, args);
	va_end(args);
	return -1;
}

int cg_fail_memory(struct cg_why *why, const char *what)
{
	return cg_fail(why, "no memory for %s", what);
}
