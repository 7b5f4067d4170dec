/* SPDX-License-Identifier: BSD-3-Clause */
/* Values go from content to content: see carry.h. */
#include "dist/carry.h"

#include <stdlib.h>
#include "topo/neighbor.h"

/* Of the messages of a side; NULL: no memory. */
static int *counts_of(const struct wf_dist_side *side)
{
	const uint32_t *offs = side->array[WF_MSGS2CONTENT]->at;
	uint32_t n = wf_dist_side_nmsgs(side);
	int *counts = malloc(n * sizeof(*counts) + 1);

	for (uint32_t m = 0; counts && m < n; m++)
		counts[m] = (int)(offs[m + 1] - offs[m]);
	return counts;
}

static struct weft_vec vec_of(const struct wf_dist_side *side, const void *base,
			      const struct weft_type *type, const int *counts)
{
	return (struct weft_vec){
		.base = (void *)base, .type = type, .int_counts = counts,
		.int_displs = (const int *)side->array[WF_MSGS2CONTENT]->at
	};
}

int wf_dist_carry(const struct weft_dist *dist, const char *call,
		  enum wf_dist_way way, int status,
		  const struct wf_dist_cargo *cargo)
{
	const struct wf_dist_side *from = dist->side[way];
	const struct wf_dist_side *to = dist->side[!way];
	int *sent = counts_of(from), *got = counts_of(to);
	const struct weft_vec send = vec_of(from, cargo->send, cargo->type,
					    sent);
	const struct weft_vec recv = vec_of(to, cargo->recv, cargo->type, got);
	const struct wf_sides sides = {
		.send = { .kind = WF_SIDE_VEC, .vec = &send },
		.recv = { .kind = WF_SIDE_VEC, .vec = &recv }
	};

	if (!status && (!sent || !got))
		status = wf_job_fail(dist->job, WEFT_ERR_NOMEM, "%s: no memory "
				     "at rank %d for its messages", call,
				     dist->parent->rank);
	status = wf_neighbor_inside(wf_dist_graph(dist, way), call, status,
				    &sides);
	free(sent);
	free(got);
	return status;
}
