/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The presets of networks, and the ways through their shapes.
 *
 * Pure functions of the table: the simulator asks them for each flight.
 */
#include "transport/sim/sim_net.h"

#include <stddef.h>
#include <string.h>

enum {
	FS_PER_PS = 1000,
	COPY_FS = 20000,	/* the same machine everywhere */
	REDUCE_FS = 60000,
	LEAF_NODES = 20,	/* of a switch of a fat tree */
	ROUTER_NODES = 16,	/* of a switch of a dragonfly */
	GROUP_ROUTERS = 32
};

const struct wf_sim_net wf_sim_nets[] = {
	{ "hdr200", 100000, 70000, 30000, 800000, 130000, 4700, 42600,
	  COPY_FS, REDUCE_FS },
	{ "ndr400", 100000, 70000, 30000, 750000, 130000, 3000, 20500,
	  COPY_FS, REDUCE_FS },
	{ "roce100", 100000, 70000, 30000, 1000000, 300000, 6700, 82800,
	  COPY_FS, REDUCE_FS },
	{ "tcp10", 1500000, 1000000, 500000, 12000000, 1000000, 1000000,
	  850000, COPY_FS, REDUCE_FS },
	{ "shm", 10000, 10000, 10000, 60000, 0, 10000, 17500,
	  COPY_FS, REDUCE_FS },
	{ .name = NULL }
};

const struct wf_sim_net *wf_sim_net_find(const char *name)
{
	for (const struct wf_sim_net *net = wf_sim_nets; net->name; net++)
		if (!strcmp(net->name, name))
			return net;
	return NULL;
}

static const char *const shapes[] = {
	[WF_SIM_FLAT] = "flat",
	[WF_SIM_FATTREE] = "fattree",
	[WF_SIM_DRAGONFLY] = "dragonfly"
};

const char *wf_sim_shape_name(enum wf_sim_shape shape)
{
	return shapes[shape];
}

bool wf_sim_shape_find(const char *name, enum wf_sim_shape *shape_p)
{
	for (int i = 0; i < (int)(sizeof(shapes) / sizeof(*shapes)); i++) {
		if (!strcmp(shapes[i], name)) {
			*shape_p = (enum wf_sim_shape)i;
			return true;
		}
	}
	return false;
}

/* The switch of a group that has the link to another group. */
static int gateway(int group, int other)
{
	return group * GROUP_ROUTERS + other % GROUP_ROUTERS;
}

/* The shortest way: at most one link between groups. */
static int dragonfly(int from, int to)
{
	int a = from / ROUTER_NODES, b = to / ROUTER_NODES;
	int group_a = a / GROUP_ROUTERS, group_b = b / GROUP_ROUTERS;

	if (group_a == group_b)
		return a == b ? 1 : 2;
	return 2 + (a != gateway(group_a, group_b)) +
	       (b != gateway(group_b, group_a));
}

int wf_sim_switches(enum wf_sim_shape shape, int from, int to)
{
	if (shape == WF_SIM_FATTREE)
		return from / LEAF_NODES == to / LEAF_NODES ? 1 : 3;
	if (shape == WF_SIM_DRAGONFLY)
		return dragonfly(from, to);
	return 1;
}

uint64_t wf_sim_net_flight(const struct wf_sim_net *net, int switches,
			   uint64_t bytes)
{
	return net->flight_ps + (uint64_t)(switches - 1) * net->hop_ps +
	       bytes * net->byte_fs / FS_PER_PS;
}

uint64_t wf_sim_net_busy(const struct wf_sim_net *net, uint64_t bytes)
{
	return net->gap_ps + bytes * net->byte_fs / FS_PER_PS;
}
