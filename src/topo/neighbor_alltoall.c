/* SPDX-License-Identifier: BSD-3-Clause */
/* A block of a row along each edge, to such a row: the calls. */
#include <weft/neighbor.h>
#include "topo/neighbor.h"
#include "topo/pattern.h"

static inline struct wf_sides sides_of(const struct weft_part *send,
				       const struct weft_part *recv)
{
	return (struct wf_sides){
		.send = { .kind = WF_SIDE_ROW, .part = send },
		.recv = { .kind = WF_SIDE_ROW, .part = recv }
	};
}

int weft_neighbor_alltoall(struct weft_comm *graph, struct weft_part send,
			   struct weft_part recv)
{
	const struct wf_sides sides = sides_of(&send, &recv);

	return wf_neighbor_block(graph, "weft_neighbor_alltoall", &sides);
}

int weft_ineighbor_alltoall(struct weft_comm *graph, struct weft_part send,
			    struct weft_part recv, struct weft_request **req_p)
{
	const struct wf_sides sides = sides_of(&send, &recv);

	return wf_neighbor_once(graph, "weft_ineighbor_alltoall", &sides,
				req_p);
}

int weft_neighbor_alltoall_init(struct weft_comm *graph, struct weft_part send,
				struct weft_part recv,
				struct weft_request **req_p)
{
	const struct wf_sides sides = sides_of(&send, &recv);

	return wf_neighbor_init(graph, "weft_neighbor_alltoall_init", &sides,
				req_p);
}

/* ---- along the edges of a pattern ---- */

int weft_pattern_alltoall(struct weft_pattern *pattern, struct weft_part send,
			  struct weft_part recv)
{
	const struct wf_sides sides = sides_of(&send, &recv);

	return wf_neighbor_block(wf_pattern_comm(pattern),
				 "weft_pattern_alltoall", &sides);
}

int weft_ipattern_alltoall(struct weft_pattern *pattern, struct weft_part send,
			   struct weft_part recv, struct weft_request **req_p)
{
	const struct wf_sides sides = sides_of(&send, &recv);

	return wf_neighbor_once(wf_pattern_comm(pattern),
				"weft_ipattern_alltoall", &sides, req_p);
}

int weft_pattern_alltoall_init(struct weft_pattern *pattern,
			       struct weft_part send, struct weft_part recv,
			       struct weft_request **req_p)
{
	const struct wf_sides sides = sides_of(&send, &recv);

	return wf_neighbor_init(wf_pattern_comm(pattern),
				"weft_pattern_alltoall_init", &sides, req_p);
}
