/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a rank has of a call: what it gives, where it gets the result, and how
 * both have to look in the end, gaps and all that lies around them included.
 */
#ifndef WEFT_TESTS_COLL_PLAY_MEMORY_H
#define WEFT_TESTS_COLL_PLAY_MEMORY_H

#include "tests/coll/play_call.h"

/*
 * The values of a test, at most PLAY_WIDEST bytes each: n elements from one on
 * of what a rank gives, and of what the ranks [0, end) combine to, which no
 * call without an operation asks for.  Gaps are left as they are.
 */
struct play_values {
	size_t stride;			/* bytes from element to element */
	void (*give)(const struct play_values *v, const struct deed *d,
		     int rank, size_t first, size_t n, char *at);
	void (*fold)(const struct play_values *v, const struct deed *d,
		     int end, size_t first, size_t n, char *at);
	size_t reach;			/* of one, past its stride */
	size_t meant;			/* bytes of one that have a meaning,
					   where others of it have none; 0 */
};

enum { PLAY_WIDEST = 48 };

struct play_memory {
	const struct play_values *values;
	int me;
	char *given, *got;
};

/* Has memory for the deed; it is filled by play_memory_fill(). */
void play_memory_init(struct play_memory *m, const struct play_values *values,
		      const struct deed *d, int me);
void play_memory_fini(struct play_memory *m);

/* As it is before a call. */
void play_memory_fill(const struct play_memory *m, const struct deed *d);

/* NULL: it is as it has to be after the call; else what is wrong. */
const char *play_memory_check(const struct play_memory *m,
			      const struct deed *d);

#endif
