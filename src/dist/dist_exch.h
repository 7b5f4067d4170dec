/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From a call of a Dist to an exchange along its graph: the three forms of
 * weft_dist_exch() and weft_dist_exch_reduce().
 */
#ifndef WEFT_DIST_DIST_EXCH_H
#define WEFT_DIST_DIST_EXCH_H

#include "dist/dist.h"
#include "topo/neighbor_packets.h"

struct weft_op;

/* A call, as it was given. */
struct wf_dist_call {
	const char *name;
	struct weft_dist *dist;
	const struct weft_packets *srcs, *dests;
	const struct weft_op *op;	/* of a reduction; */
	bool reduces;			/* else dests are reverse items */
};

int wf_dist_block(const struct wf_dist_call *call);
int wf_dist_once(const struct wf_dist_call *call, struct weft_request **req_p);
int wf_dist_init(const struct wf_dist_call *call, struct weft_request **req_p);

#endif
