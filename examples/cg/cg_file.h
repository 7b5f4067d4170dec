/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CG_FILE_H
#define CG_FILE_H

#include <stddef.h>

#include "cg_why.h"

/*
 * All bytes of a regular file, to be freed, and a NUL behind them; the sentence
 * does not name the file.  On failure *text_p stays and *size_p is 0.
 */
int cg_file_read(const char *path, char **text_p, size_t *size_p,
		 struct cg_why *why);

#endif
