/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The topology of a communicator: one at most, of some kind.  A duplicate gets
 * a copy; no other constructor takes it over.
 */
#ifndef WEFT_TOPO_TOPO_H
#define WEFT_TOPO_TOPO_H

#include <weft/graph.h>
#include "comm/comm.h"

/* The first of what a kind has; comm->topo is its cargo. */
struct wf_topo {
	struct wf_cargo cargo;
	enum weft_topo kind;
};

static inline enum weft_topo wf_topo_kind(const struct weft_comm *comm)
{
	if (!comm->topo || comm->across)
		return WEFT_TOPO_NONE;
	return wf_container(comm->topo, struct wf_topo, cargo)->kind;
}

#endif
