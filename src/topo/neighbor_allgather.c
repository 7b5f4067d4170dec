/* SPDX-License-Identifier: BSD-3-Clause */
/* The same part along each edge, to a row of blocks: the calls. */
#include <weft/neighbor.h>
#include "topo/neighbor.h"
#include "topo/pattern.h"

static inline struct wf_sides sides_of(const struct weft_part *send,
				       const struct weft_part *recv)
{
	return (struct wf_sides){
		.send = { .kind = WF_SIDE_SAME, .part = send },
		.recv = { .kind = WF_SIDE_ROW, .part = recv }
	};
}

int weft_neighbor_allgather(struct weft_comm *graph, struct weft_part send,
			    struct weft_part recv)
{
	const struct wf_sides sides = sides_of(&send, &recv);

	return wf_neighbor_block(graph, "weft_neighbor_allgather", &sides);
}

int weft_ineighbor_allgather(struct weft_comm *graph, struct weft_part send,
			     struct weft_part recv, struct weft_request **req_p)
{
	const struct wf_sides sides = sides_of(&send, &recv);

	return wf_neighbor_once(graph, "weft_ineighbor_allgather", &sides,
				req_p);
}

int weft_neighbor_allgather_init(struct weft_comm *graph, struct weft_part send,
				 struct weft_part recv,
				 struct weft_request **req_p)
{
	const struct wf_sides sides = sides_of(&send, &recv);

	return wf_neighbor_init(graph, "weft_neighbor_allgather_init", &sides,
				req_p);
}

/* ---- along the edges of a pattern ---- */

int weft_pattern_allgather(struct weft_pattern *pattern, struct weft_part send,
			   struct weft_part recv)
{
	const struct wf_sides sides = sides_of(&send, &recv);

	return wf_neighbor_block(wf_pattern_comm(pattern),
				 "weft_pattern_allgather", &sides);
}

int weft_ipattern_allgather(struct weft_pattern *pattern,
			    struct weft_part send, struct weft_part recv,
			    struct weft_request **req_p)
{
	const struct wf_sides sides = sides_of(&send, &recv);

	return wf_neighbor_once(wf_pattern_comm(pattern),
				"weft_ipattern_allgather", &sides, req_p);
}

int weft_pattern_allgather_init(struct weft_pattern *pattern,
				struct weft_part send, struct weft_part recv,
				struct weft_request **req_p)
{
	const struct wf_sides sides = sides_of(&send, &recv);

	return wf_neighbor_init(wf_pattern_comm(pattern),
				"weft_pattern_allgather_init", &sides, req_p);
}
