/* SPDX-License-Identifier: BSD-3-Clause */
/* What a side of a neighbour exchange is given: see neighbor_side.h. */
#include "topo/neighbor_side.h"

size_t wf_side_most_parts(const struct wf_side *side, int n)
{
	(void)side;
	return (size_t)n;
}

int wf_side_parts(const struct wf_side *side, struct wf_vec_arg *a,
		  const struct wf_extent *extent, struct wf_staged_part *part)
{
	a->vec = side->vec;
	if (wf_vec_is_dense(a->vec, a->n))
		return 0;
	wf_vec_parts(a, extent, part);
	return a->n;
}
