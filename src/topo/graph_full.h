/* SPDX-License-Identifier: BSD-3-Clause */
/* The lists of neighbours of all ranks, once a node where they are long. */
#ifndef WEFT_TOPO_GRAPH_FULL_H
#define WEFT_TOPO_GRAPH_FULL_H

#include <weft/graph_full.h>
#include "job/shared.h"
#include "topo/graph_make.h"

struct wf_graph_full {
	struct wf_lore lore;
	int nedges;
	const int *index;		/* lore.n of them, and behind these */
	const int *edges;
	int *own;			/* their memory; NULL: that is shared */
	struct wf_shared shared;
};

/* NULL: the communicator is another one, or none. */
const struct wf_graph_full *wf_graph_full_of(const struct weft_comm *comm);

/* Has it no more ranks than `most`, which it names?  An error is told. */
int wf_graph_full_check(struct weft_job *job, const char *call,
			const struct weft_graph_full *full, int most);

/* Where the list of a rank begins in edges. */
static inline int wf_graph_full_first(const struct wf_graph_full *f, int rank)
{
	return rank ? f->index[rank - 1] : 0;
}

#endif
