/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchanges and reductions of a drawn Dist and of its inverse, in their three
 * forms, of drawn types and widths, against a serial model that knows the items
 * of all ranks, to the bit.
 */
#ifndef WEFT_TESTS_COLL_DIST_PLAY_H
#define WEFT_TESTS_COLL_DIST_PLAY_H

#include <stdint.h>
#include <weft.h>

enum { DIST_PLAY_RANKS = 9 };		/* at most */

/* One rank. */
struct dist_play {
	struct weft_job *job;
	struct weft_comm *comm;
	int me;
	void (*fail)(void *arg, const char *text);
	void *arg;
};

/* By all ranks, with the same seed. */
void dist_play(const struct dist_play *play, uint64_t seed);

#endif
