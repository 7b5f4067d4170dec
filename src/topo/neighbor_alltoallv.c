/* SPDX-License-Identifier: BSD-3-Clause */
/* A message of its own along each edge: the calls. */
#include <weft/neighbor.h>
#include "topo/neighbor.h"
#include "topo/pattern.h"

static inline struct wf_sides sides_of(const struct weft_vec *send,
				       const struct weft_vec *recv)
{
	return (struct wf_sides){
		.send = { .kind = WF_SIDE_VEC, .vec = send },
		.recv = { .kind = WF_SIDE_VEC, .vec = recv }
	};
}

int weft_neighbor_alltoallv(struct weft_comm *graph,
			    const struct weft_vec *send,
			    const struct weft_vec *recv)
{
	const struct wf_sides sides = sides_of(send, recv);

	return wf_neighbor_block(graph, "weft_neighbor_alltoallv", &sides);
}

int weft_ineighbor_alltoallv(struct weft_comm *graph,
			     const struct weft_vec *send,
			     const struct weft_vec *recv,
			     struct weft_request **req_p)
{
	const struct wf_sides sides = sides_of(send, recv);

	return wf_neighbor_once(graph, "weft_ineighbor_alltoallv", &sides,
				req_p);
}

int weft_neighbor_alltoallv_init(struct weft_comm *graph,
				 const struct weft_vec *send,
				 const struct weft_vec *recv,
				 struct weft_request **req_p)
{
	const struct wf_sides sides = sides_of(send, recv);

	return wf_neighbor_init(graph, "weft_neighbor_alltoallv_init", &sides,
				req_p);
}

/* ---- along the edges of a pattern ---- */

int weft_pattern_alltoallv(struct weft_pattern *pattern,
			   const struct weft_vec *send,
			   const struct weft_vec *recv)
{
	const struct wf_sides sides = sides_of(send, recv);

	return wf_neighbor_block(wf_pattern_comm(pattern),
				 "weft_pattern_alltoallv", &sides);
}

int weft_ipattern_alltoallv(struct weft_pattern *pattern,
			    const struct weft_vec *send,
			    const struct weft_vec *recv,
			    struct weft_request **req_p)
{
	const struct wf_sides sides = sides_of(send, recv);

	return wf_neighbor_once(wf_pattern_comm(pattern),
				"weft_ipattern_alltoallv", &sides, req_p);
}

int weft_pattern_alltoallv_init(struct weft_pattern *pattern,
				const struct weft_vec *send,
				const struct weft_vec *recv,
				struct weft_request **req_p)
{
	const struct wf_sides sides = sides_of(send, recv);

	return wf_neighbor_init(wf_pattern_comm(pattern),
				"weft_pattern_alltoallv_init", &sides, req_p);
}
