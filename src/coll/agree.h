/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that are errors at all ranks of a communicator, or at none. */
#ifndef WEFT_COLL_AGREE_H
#define WEFT_COLL_AGREE_H

#include "comm/comm.h"

enum {
	WF_AGREE_LEAST = 2	/* with the status, 24 bytes: one line */
};

/*
 * The own status, if that is an error, else the worst of the others, with the
 * sentence of the lowest rank that has it; the own one is the last again,
 * whatever the agreement has failed with.  With the job entered.  It waits for
 * all, also on a communicator that was freed and is held.  One allreduce of a
 * line; a second one where a rank has an error.
 */
int wf_agree(struct weft_comm *comm, const char *call, int status);

/* What a rank says. */
struct wf_saying {
	int status;
	int whose;			/* the rank whose error it is */
	int n;				/* numbers, at most WF_AGREE_LEAST */
	int64_t least[WF_AGREE_LEAST];
	bool more;			/* there is something else to agree */
};

/*
 * The same, of an error that this rank may have heard from another one; each
 * of the numbers becomes the least that a rank has, and more is whether any
 * rank says so, but behind an error.
 */
int wf_agree_least(struct weft_comm *comm, const char *call,
		   struct wf_saying *saying);

#endif
