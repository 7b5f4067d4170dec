/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of choices, one of each factor, in which each two choices of different
 * factors come together at least once: faults that need two of them need no
 * more rows than the two longest factors have pairs.  The first rows have the
 * most pairs that are new.
 */
#ifndef WEFT_TESTS_SIM_COVERING_H
#define WEFT_TESTS_SIM_COVERING_H

#include <stdbool.h>
#include <stdint.h>

enum {
	COVERING_FACTORS = 12,		/* at most, */
	COVERING_CHOICES = 128		/* of all factors together */
};

struct covering_rules {
	int nfactors;
	int choices[COVERING_FACTORS];
	/* May these choices of two factors, f < g, come together? */
	bool (*allows)(int f, int a, int g, int b);
};

struct covering {
	int nrows;
	int (*row)[COVERING_FACTORS];
	int missed;			/* pairs that are in no row */
};

/* The same for a seed; the rows are freed by covering_fini(). */
void covering_init(struct covering *c, const struct covering_rules *rules,
		   uint64_t seed);
void covering_fini(struct covering *c);

#endif
