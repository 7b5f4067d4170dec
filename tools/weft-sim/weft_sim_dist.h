/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command dist: a Dist along the edges of a graph, and exchanges of it.
 *
 * Each rank has --items items for each of its edges, and so many roots, to
 * which the items of an edge go one by one; so a root has an item of each edge
 * that leads to it.  A round is what follows, each an operation; the first
 * exchange in a direction opens its channels.
 */
#ifndef WEFT_SIM_DIST_H
#define WEFT_SIM_DIST_H

#include "tools/weft-sim/weft_sim_run.h"

struct weft_comm;
struct wsim_dist;		/* of one rank */

const char *wsim_dist_phase_name(int phase);

/* With the memory of all that it exchanges; NULL: there is none. */
struct wsim_dist *wsim_dist_new(struct wsim_run *run, int me);

/* Before an operation, the call, a status, and how many values are wrong. */
void wsim_dist_fill(struct wsim_dist *d, long op);
int wsim_dist_call(struct wsim_dist *d, struct weft_comm *world, long op);
size_t wsim_dist_check(struct wsim_dist *d, long op);

/* When all have met, and before the own call: what a Dist takes. */
void wsim_dist_measure(struct wsim_dist *d, struct weft_comm *world, long op);

/* What a failure has left is freed; NULL: nothing. */
void wsim_dist_free(struct wsim_dist *d);

#endif
