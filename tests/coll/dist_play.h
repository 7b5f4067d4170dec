/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchanges and reductions of a drawn Dist, its inverse and dups, in their
 * three forms, of drawn types and widths, with other ranks from some moment on,
 * against a serial model that knows the items of all ranks, to the bit.
 */
#ifndef WEFT_TESTS_COLL_DIST_PLAY_H
#define WEFT_TESTS_COLL_DIST_PLAY_H

#include <stdbool.h>
#include <stdint.h>
#include <weft.h>

enum { DIST_PLAY_RANKS = 40 };		/* at most */

/* One rank. */
struct dist_play {
	struct weft_job *job;
	struct weft_comm *comm;
	int me;
	void (*fail)(void *arg, const char *text);
	/* Of an error that ranks have from each other: is it to be?  NULL: it
	   never is.  The others are made all the same, as far as they can. */
	bool (*excused)(void *arg, int status, const char *text);
	void *arg;
};

/* By all ranks, with the same seed. */
void dist_play(const struct dist_play *play, uint64_t seed);

#endif
