/* SPDX-License-Identifier: BSD-3-Clause */
/* Several fields in one message along each edge: the call. */
#include <weft/batch.h>
#include "topo/neighbor.h"
#include "topo/pattern.h"

static struct wf_side side_of(int n, const struct weft_vec *const field[])
{
	static const struct weft_vec none;

	return (struct wf_side){
		.kind = WF_SIDE_BATCH,
		.vec = n == 1 && field ? field[0] : &none,
		.nfields = n, .field = field
	};
}

static struct wf_sides sides_of(int n, const struct weft_vec *const send[],
				const struct weft_vec *const recv[])
{
	return (struct wf_sides){
		.send = side_of(n, send), .recv = side_of(n, recv)
	};
}

int weft_exchange_batch_init(struct weft_comm *graph, int n,
			     const struct weft_vec *const send[],
			     const struct weft_vec *const recv[],
			     struct weft_request **req_p)
{
	const struct wf_sides sides = sides_of(n, send, recv);

	return wf_neighbor_init(graph, "weft_exchange_batch_init", &sides,
				req_p);
}

int weft_pattern_batch_init(struct weft_pattern *pattern, int n,
			    const struct weft_vec *const send[],
			    const struct weft_vec *const recv[],
			    struct weft_request **req_p)
{
	const struct wf_sides sides = sides_of(n, send, recv);

	return wf_neighbor_init(wf_pattern_comm(pattern),
				"weft_pattern_batch_init", &sides, req_p);
}
