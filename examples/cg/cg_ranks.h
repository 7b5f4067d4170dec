/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ranks of the program, and how they fail together.
 *
 * A local failure (no memory, a bad file) is agreed on before anything is
 * exchanged that depends on it: one rank tells it and all return -1.  A failed
 * exchange is told by each rank that sees it.
 */
#ifndef CG_RANKS_H
#define CG_RANKS_H

#include "cg_why.h"

struct weft_comm;
struct weft_job;

struct cg_ranks {
	struct weft_job *job;
	struct weft_comm *world;
	int rank, size;
};

void cg_ranks_init(struct cg_ranks *ranks, struct weft_job *job);

/* From now on as the ranks of a communicator of all. */
void cg_ranks_follow(struct cg_ranks *ranks, struct weft_comm *comm);

/*
 * Collective.  Returns 0 if status is 0 on all ranks; otherwise -1 on all,
 * and the lowest rank that failed has told why.
 */
int cg_agree(const struct cg_ranks *ranks, int status,
	     const struct cg_why *why);

/*
 * Passes 0 on.  A failed call of the library is told; if a peer died, all
 * others learn it from the library, too, and -1 is returned.  After any other
 * failure the ranks are out of step, and the job is aborted.
 */
int cg_called(const struct cg_ranks *ranks, const char *what, int status);

#endif
