/* SPDX-License-Identifier: BSD-3-Clause */
/* Several fields in one message along each edge: the calls. */
#include <weft/batch.h>
#include "topo/neighbor.h"
#include "topo/pattern.h"

/* A field alone needs no packed copy: it is a vector. */
static inline struct wf_sides sides_of(const struct wf_fields *send,
				       const struct wf_fields *recv)
{
	if (send->n == 1 && send->field && *send->field && recv->field)
		return (struct wf_sides){
			.send = { .kind = WF_SIDE_FIELD, .vec = *send->field },
			.recv = { .kind = WF_SIDE_FIELD, .vec = *recv->field }
		};
	return (struct wf_sides){
		.send = { .kind = WF_SIDE_FIELDS, .fields = send },
		.recv = { .kind = WF_SIDE_FIELDS, .fields = recv }
	};
}

int weft_exchange_batch_init(struct weft_comm *graph, int n,
			     const struct weft_vec *const send[],
			     const struct weft_vec *const recv[],
			     struct weft_request **req_p)
{
	const struct wf_fields from = { n, send }, to = { n, recv };
	const struct wf_sides sides = sides_of(&from, &to);

	return wf_neighbor_init(graph, "weft_exchange_batch_init", &sides,
				req_p);
}

/* ---- along the edges of a pattern ---- */

int weft_pattern_batch_init(struct weft_pattern *pattern, int n,
			    const struct weft_vec *const send[],
			    const struct weft_vec *const recv[],
			    struct weft_request **req_p)
{
	const struct wf_fields from = { n, send }, to = { n, recv };
	const struct wf_sides sides = sides_of(&from, &to);

	return wf_neighbor_init(wf_pattern_comm(pattern),
				"weft_pattern_batch_init", &sides, req_p);
}
