/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sparse exchanges whose messages follow from a number, so that each rank knows
 * those of all others, and what has to come: for the sim and the mp floor;
 * public interface only.
 */
#ifndef WEFT_TESTS_COLL_SPARSE_PLAY_H
#define WEFT_TESTS_COLL_SPARSE_PLAY_H

#include <weft.h>
#include <stdbool.h>
#include <stdint.h>

/* Who sends to whom. */
enum sparse_pattern {
	SPARSE_DRAWN,			/* up to 7 to anybody, also itself */
	SPARSE_ONE_TO_ALL,
	SPARSE_ALL_TO_ONE,
	SPARSE_SELF,
	SPARSE_NOBODY,
	SPARSE_NEIGHBORS,		/* two, of a ring */
	SPARSE_PATTERNS
};

/* What all ranks know. */
struct sparse_deed {
	enum sparse_pattern pattern;
	uint64_t number;
	int size;
	size_t most;			/* bytes of a message, 0 included */
};

int sparse_count(const struct sparse_deed *deed, int from);
int sparse_target(const struct sparse_deed *deed, int from, int i);
size_t sparse_bytes(const struct sparse_deed *deed, int from, int i);

/* One rank's side. */
struct sparse_play {
	struct weft_sparse send;
	int *ranks;
	size_t *bytes;
	unsigned char *base;
	struct weft_sparse_got got;
};

void sparse_play_init(struct sparse_play *play, const struct sparse_deed *deed,
		      int me);
void sparse_play_fini(struct sparse_play *play);

/* All that is for this rank came, in order; false: something else. */
bool sparse_play_check(const struct sparse_play *play,
		       const struct sparse_deed *deed, int me);

#endif
