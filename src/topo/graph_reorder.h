/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reorder of a graph that is being made: its edges go to one rank, which
 * computes places for all; all hear them, and the graph is made once more with
 * its ranks there.
 *
 * Rounds: those of two sparse exchanges, of a broadcast and of the agreements
 * in between, and of refills of ids.  Memory: topo/reorder.h at the one rank,
 * two tables of ranks at each.
 */
#ifndef WEFT_TOPO_GRAPH_REORDER_H
#define WEFT_TOPO_GRAPH_REORDER_H

#include "topo/graph_make.h"

/* What a reorder has done to a graph. */
struct wf_reordered {
	struct weft_reorder_cost before, after;
	uint64_t ns;
	int32_t moved;
	int32_t method;			/* asked for, or run instead */
	char why[80];			/* "": as it was asked */
};

/*
 * By all ranks, of a good graph and with the same wishes: m->made may be
 * another one behind this.  WEFT_OK, or the same error at all ranks, told.
 */
int wf_graph_reorder(struct wf_graph_maker *m);

#endif
