/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The names of commands, and which options each of them takes.
 */
#include "tools/weft-sim/weft_sim_options.h"

#include "tools/weft-sim/weft_sim_child.h"
#include "tools/weft-sim/weft_sim_topo.h"

static const char *const commands[] = {
	[WSIM_ALLGATHER] = "allgather",
	[WSIM_ALLREDUCE] = "allreduce",
	[WSIM_ALLTOALL] = "alltoall",
	[WSIM_ALLTOALLV] = "alltoallv",
	[WSIM_BARRIER] = "barrier",
	[WSIM_BCAST] = "bcast",
	[WSIM_GATHER] = "gather",
	[WSIM_GATHERV] = "gatherv",
	[WSIM_REDUCE] = "reduce",
	[WSIM_SCAN] = "scan",
	[WSIM_SCATTER] = "scatter",
	[WSIM_SCATTERV] = "scatterv",
	[WSIM_EXCHANGE] = "exchange",
	[WSIM_P2P] = "p2p",
	[WSIM_DIST] = "dist",
	[WSIM_DUP] = "dup",
	[WSIM_CREATE] = "create",
	[WSIM_CREATE_GROUP] = "create_group",
	[WSIM_GRAPH] = "graph",
	[WSIM_GRAPH_ANY] = "graph_any",
	[WSIM_REORDER] = "reorder",
	[WSIM_SPLIT] = "split",
	[WSIM_VALIDATE] = "validate",
};

const char *wsim_command_name(enum wsim_command command)
{
	return commands[command];
}

bool wsim_has_graph(const struct wsim_options *o)
{
	return wsim_has_messages(o) || wsim_has_items(o) ||
	       wsim_topo_is_made(o->command);
}

bool wsim_has_messages(const struct wsim_options *o)
{
	return o->command == WSIM_EXCHANGE || o->command == WSIM_P2P;
}

bool wsim_has_doubles(const struct wsim_options *o)
{
	return o->command == WSIM_ALLREDUCE || o->command == WSIM_REDUCE ||
	       o->command == WSIM_SCAN;
}

bool wsim_has_root(const struct wsim_options *o)
{
	return o->command == WSIM_BCAST || o->command == WSIM_GATHER ||
	       o->command == WSIM_GATHERV || o->command == WSIM_REDUCE ||
	       o->command == WSIM_SCATTER || o->command == WSIM_SCATTERV;
}

bool wsim_has_vectors(const struct wsim_options *o)
{
	return wsim_has_doubles(o) || wsim_has_root(o) ||
	       o->command == WSIM_ALLGATHER || o->command == WSIM_ALLTOALL ||
	       o->command == WSIM_ALLTOALLV;
}

bool wsim_has_bytes(const struct wsim_options *o)
{
	return wsim_has_vectors(o) || wsim_has_messages(o);
}

/* Constructors without messages have no algorithm, either. */
bool wsim_has_radix(const struct wsim_options *o)
{
	return wsim_has_vectors(o) || o->command == WSIM_BARRIER ||
	       o->command == WSIM_SPLIT || wsim_has_items(o) ||
	       wsim_topo_is_made(o->command);
}

bool wsim_has_method(const struct wsim_options *o)
{
	return o->command == WSIM_REORDER;
}

bool wsim_has_items(const struct wsim_options *o)
{
	return o->command == WSIM_DIST;
}

int wsim_phases(const struct wsim_options *o)
{
	return wsim_has_items(o) ? WSIM_PHASES : 1;
}

bool wsim_has_colors(const struct wsim_options *o)
{
	return wsim_child_is_made(o->command) && o->command != WSIM_DUP &&
	       !wsim_topo_is_made(o->command);
}
