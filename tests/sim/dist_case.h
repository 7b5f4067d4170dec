/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Patterns with every answer, as a model that is no part of the library has
 * computed them: files in tests/data/dist/, or in the folder that DIST_CASES
 * names, with lines of `name rank count values...`; count -1: unset.
 *
 * Of ranks, idxs and globals, which say how reverse items are sorted, and of
 * moved, which is the last one with other ranks, there are answers forward,
 * "idxs.fwd.nitems", and of the inverse, "idxs.rev.nitems".
 */
#ifndef WEFT_TESTS_SIM_DIST_CASE_H
#define WEFT_TESTS_SIM_DIST_CASE_H

#include "tests/sim/scene.h"

struct dist_line {
	char name[40];
	int rank;
	long n;				/* -1: unset */
	int64_t *at;
};

struct dist_case {
	int ranks, nlines;
	struct dist_line *line;
	char *text;
};

enum dist_kind { DIST_RANKS, DIST_IDXS, DIST_GLOBALS, DIST_KINDS };

extern const char *const dist_kinds[DIST_KINDS];

/* A file; false: it cannot be read, which is told. */
bool dist_case_load(struct dist_case *c, const char *path);
void dist_case_free(struct dist_case *c);

/* Calls each() for each file; how many there were. */
int dist_cases(void (*each)(const struct dist_case *c));

/* NULL: the file does not have it. */
const struct dist_line *dist_case_line(const struct dist_case *c,
				       const char *prefix, const char *name,
				       int rank);

/* An argument of this rank: it is there. */
const struct dist_line *dist_given(const struct dist_case *c,
				   const struct scene *s, const char *name);

/* Items of ranks only; items sorted, with a value for each; roots, or none. */
void dist_case_ranks(const struct dist_case *c, const struct scene *s,
		     struct weft_dist *dist);
void dist_case_sort(const struct dist_case *c, const struct scene *s,
		    struct weft_dist *dist, enum dist_kind kind);
void dist_case_roots(const struct dist_case *c, const struct scene *s,
		     struct weft_dist *dist);

/* All of that on a new one; and idxs by weft_dist_create(). */
struct weft_dist *dist_case_make(const struct dist_case *c,
				 const struct scene *s, enum dist_kind kind);
struct weft_dist *dist_case_create(const struct dist_case *c,
				   const struct scene *s);

/* Has it all answers of the file?  me: its rank in the parent. */
void dist_case_check(const struct dist_case *c, const struct scene *s,
		     struct weft_dist *dist, const char *prefix, int me);

/* The same forward and of the inverse, "idxs" for example. */
void dist_case_check_both(const struct dist_case *c, const struct scene *s,
			  struct weft_dist *dist, const char *kind, int me);

#endif
