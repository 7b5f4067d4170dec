/* SPDX-License-Identifier: BSD-3-Clause */
/* Patterns come and go: the calls. */
#include "topo/pattern.h"

#include "base/handle.h"
#include "topo/graph_adjacent.h"

int weft_pattern_create(struct weft_comm *comm, const struct weft_edges *in,
			const struct weft_edges *out,
			const struct weft_info *info,
			struct weft_pattern **pattern_p)
{
	const struct wf_graph_own own = { in, out };
	const struct wf_graph_call c = {
		.origin = { __func__, WF_CALLED_FROM }, .result = "pattern_p",
		.create = wf_graph_create_own, .edges = &own, .info = info
	};
	struct weft_comm *made;
	int status = wf_graph_construct(comm, &c, pattern_p ? &made : NULL);

	if (pattern_p)
		*pattern_p = status ? NULL : (struct weft_pattern *)made;
	return status;
}

int weft_pattern_free(struct weft_pattern **pattern_p)
{
	struct weft_comm *comm = pattern_p ? wf_pattern_comm(*pattern_p) : NULL;
	int status = weft_comm_free(pattern_p ? &comm : NULL);

	if (pattern_p)
		*pattern_p = (struct weft_pattern *)comm;
	return status;
}
