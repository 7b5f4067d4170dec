/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives of all kinds in all forms, drawn alike at all ranks, several of
 * them under way at once: what comes is compared with a serial fold, and all
 * memory around it must stay as it was.  Between real and simulated ranks.
 */
#ifndef WEFT_TESTS_COLL_PLAY_COLL_H
#define WEFT_TESTS_COLL_PLAY_COLL_H

#include <stdbool.h>
#include <weft.h>

struct play_coll {
	struct weft_comm *comm;
	uint64_t seed;
	int deeds;			/* calls of each rank */
	size_t most;			/* elements of a vector */
	const char *only;		/* this collective; NULL: all of them */
	bool bereaved;			/* a rank dies: that is no fault */
	int dies_before;		/* this one, a call; 0: it does not */
	char why[256];			/* the first fault; "": none */
};

/* True: it heard that a rank is dead. */
bool play_coll(struct play_coll *play);

#endif
