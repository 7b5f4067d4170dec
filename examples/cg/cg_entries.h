/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The entries of a MatrixMarket coordinate file, as they stand there.
 */
#ifndef CG_ENTRIES_H
#define CG_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cg_why.h"

struct cg_entry {
	int64_t row, col;	/* from 0 */
	double val;		/* 1 of a pattern */
};

struct cg_entries {
	int64_t rows, count;
	struct cg_entry *list;
	bool general;		/* else symmetric: the lower triangle */
};

/*
 * any: also integers, patterns and general ones; else real symmetric ones only.
 * text[size] must be a NUL byte.  Nothing is left behind on failure.
 */
int cg_entries_read(const char *text, size_t size, bool any,
		    struct cg_entries *e, struct cg_why *why);
void cg_entries_free(struct cg_entries *e);

#endif
