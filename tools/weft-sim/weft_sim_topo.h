/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Commands that make graphs, and the graph of an exchange: what each rank gives
 * of --graph, and whether it has its edges.
 */
#ifndef WEFT_SIM_TOPO_H
#define WEFT_SIM_TOPO_H

#include "tools/weft-sim/weft_sim_run.h"

struct weft_comm;

bool wsim_topo_is_made(enum wsim_command command);

/* From the own edges; a status. */
int wsim_topo_adjacent(const struct wsim_run *run, struct weft_comm *world,
		       struct weft_comm **graph_p);

/* As the command says; a status. */
int wsim_topo_make(const struct wsim_run *run, struct weft_comm *world,
		   struct weft_comm **graph_p);

/* Not what was asked for; *graph_p, of operation op, is freed. */
bool wsim_topo_is_wrong(struct wsim_run *run, long op,
			struct weft_comm **graph_p);

#endif
