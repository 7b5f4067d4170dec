/* SPDX-License-Identifier: BSD-3-Clause */
/* The graphs of a pattern: see link.h. */
#include "dist/link.h"

#include <stdlib.h>
#include "base/zeroed.h"
#include "dist/setting.h"
#include "topo/graph_make.h"

static struct weft_edges edges_of(const struct wf_dist_side *side)
{
	return (struct weft_edges){
		(int)wf_dist_side_nmsgs(side),
		(const int *)side->array[WF_MSGS2RANKS]->at, NULL
	};
}

/* From one side to the other; NULL: there was an error before, or here. */
static struct weft_comm *make(struct wf_dist_setting *s,
			      const struct wf_dist_side *from,
			      const struct wf_dist_side *to)
{
	struct wf_graph_maker m = {
		.parent = s->comm, .call = s->origin.call
	};
	int begun = wf_graph_begin(&m);

	if (!s->status)
		s->status = begun;
	if (!s->status) {
		const struct weft_edges in = edges_of(to), out = edges_of(from);

		s->status = wf_graph_add_edges(&m, &in, &out);
	}
	if (!s->status) {
		wf_comm_take_errors(m.made, s->comm);
		m.made->origin = s->origin;
		return m.made;
	}
	wf_graph_give_up(m.made);
	return NULL;
}

struct wf_dist_link *wf_dist_link_make(struct wf_dist_setting *s,
				       struct wf_dist_side *const side[2])
{
	struct wf_dist_link *link = wf_zeroed(1, sizeof(*link));

	if (!link)
		wf_dist_lack(s, "a pattern");
	for (int i = 0; i < 2; i++) {
		struct weft_comm *graph = make(s, side[i], side[!i]);

		if (graph)
			link->graph[i] = graph;
	}
	if (!link)
		return NULL;
	link->refs = 1;
	if (!s->status)
		return link;
	wf_dist_link_drop(link);
	return NULL;
}

void wf_dist_link_drop(struct wf_dist_link *link)
{
	if (!link || --link->refs)
		return;
	wf_graph_give_up(link->graph[0]);
	wf_graph_give_up(link->graph[1]);
	free(link);
}
