/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One sentence on why something failed.  Every function of weft-cg that can
 * fail returns 0 or -1 and fills one; nobody prints but cg_agree(), so that a
 * failure is told once, whatever the number of ranks.
 */
#ifndef CG_WHY_H
#define CG_WHY_H

struct cg_why {
	char text[240];
};

/* Keeps the sentence (cut to fit) and returns -1. */
int cg_fail(struct cg_why *why, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The same for an allocation that failed. */
int cg_fail_memory(struct cg_why *why, const char *what);

#endif
