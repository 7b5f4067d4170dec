/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The collectives that weft-sim runs: what a rank gives, the call, and what has
 * to come of it.
 */
#ifndef WEFT_SIM_COLLS_H
#define WEFT_SIM_COLLS_H

#include <weft.h>
#include "tools/weft-sim/weft_sim_run.h"

/* Of one rank. */
struct wsim_coll {
	struct wsim_run *run;
	struct weft_comm *comm;
	int me;
	char *send, *recv;
	/* of those whose bytes differ, for each rank */
	const size_t *counts;
	const ptrdiff_t *displs;
};

/* Vectors that it has room for: of so many bytes as the run has. */
size_t wsim_coll_room(const struct wsim_run *run, int me, bool sent);

/* Bytes of the one that a rank with those of all has for another rank. */
size_t wsim_coll_length(const struct wsim_run *run, int me, size_t rank);

/* The i-th number of a rank, an integer below 2^20. */
double wsim_given(int rank, size_t i, long op);

void wsim_coll_fill(const struct wsim_coll *c, long op);
int wsim_coll_call(const struct wsim_coll *c);

/* Bytes that are wrong. */
size_t wsim_coll_check(const struct wsim_coll *c, long op);

#endif
