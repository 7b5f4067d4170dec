/* SPDX-License-Identifier: BSD-3-Clause */
/* A message along each edge, combined where it arrives: the calls. */
#include <weft/fold.h>
#include "topo/neighbor.h"
#include "topo/neighbor_fold.h"
#include "topo/pattern.h"

static inline struct wf_sides sides_of(const struct weft_vec *send,
				       const struct wf_folded *recv)
{
	return (struct wf_sides){
		.send = { .kind = WF_SIDE_VEC, .vec = send },
		.recv = { .kind = WF_SIDE_FOLD, .folded = recv }
	};
}

int weft_neighbor_reduce(struct weft_comm *graph, const struct weft_vec *send,
			 const struct weft_fold *recv, const struct weft_op *op)
{
	const struct wf_folded folded = { recv, op };
	const struct wf_sides sides = sides_of(send, &folded);

	return wf_neighbor_block(graph, "weft_neighbor_reduce", &sides);
}

int weft_ineighbor_reduce(struct weft_comm *graph, const struct weft_vec *send,
			  const struct weft_fold *recv,
			  const struct weft_op *op, struct weft_request **req_p)
{
	const struct wf_folded folded = { recv, op };
	const struct wf_sides sides = sides_of(send, &folded);

	return wf_neighbor_once(graph, "weft_ineighbor_reduce", &sides, req_p);
}

int weft_neighbor_reduce_init(struct weft_comm *graph,
			      const struct weft_vec *send,
			      const struct weft_fold *recv,
			      const struct weft_op *op,
			      struct weft_request **req_p)
{
	const struct wf_folded folded = { recv, op };
	const struct wf_sides sides = sides_of(send, &folded);

	return wf_neighbor_init(graph, "weft_neighbor_reduce_init", &sides,
				req_p);
}

/* ---- along the edges of a pattern ---- */

int weft_pattern_reduce(struct weft_pattern *pattern,
			const struct weft_vec *send,
			const struct weft_fold *recv, const struct weft_op *op)
{
	const struct wf_folded folded = { recv, op };
	const struct wf_sides sides = sides_of(send, &folded);

	return wf_neighbor_block(wf_pattern_comm(pattern),
				 "weft_pattern_reduce", &sides);
}

int weft_ipattern_reduce(struct weft_pattern *pattern,
			 const struct weft_vec *send,
			 const struct weft_fold *recv,
			 const struct weft_op *op, struct weft_request **req_p)
{
	const struct wf_folded folded = { recv, op };
	const struct wf_sides sides = sides_of(send, &folded);

	return wf_neighbor_once(wf_pattern_comm(pattern),
				"weft_ipattern_reduce", &sides, req_p);
}

int weft_pattern_reduce_init(struct weft_pattern *pattern,
			     const struct weft_vec *send,
			     const struct weft_fold *recv,
			     const struct weft_op *op,
			     struct weft_request **req_p)
{
	const struct wf_folded folded = { recv, op };
	const struct wf_sides sides = sides_of(send, &folded);

	return wf_neighbor_init(wf_pattern_comm(pattern),
				"weft_pattern_reduce_init", &sides, req_p);
}
