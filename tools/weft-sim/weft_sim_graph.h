/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The graph of an exchange: the edges of all ranks, made once for a run.
 */
#ifndef WEFT_SIM_GRAPH_H
#define WEFT_SIM_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Edges are numbered by their source, and there in the order of the graph. */
struct wsim_graph {
	int ranks;
	size_t *out;		/* ranks + 1: the first edge of each source */
	int *to;		/* the target of each edge */
	size_t *in;		/* ranks + 1: where a target's edges begin in */
	size_t *edge;		/* the numbers of the edges, by target */
	int *from;		/* and their sources */
};

/* Is it one of --graph, if the file is there? */
bool wsim_graph_is_known(const char *name);

/* Does the graph say how many ranks there are? */
bool wsim_graph_has_ranks(const char *name);

/*
 * name as in --graph; ranks 0: as many as the graph says. Says what is
 * wrong, and leaves nothing behind then.
 */
bool wsim_graph_make(const char *name, int ranks, uint64_t seed,
		     struct wsim_graph *graph_p);
void wsim_graph_free(struct wsim_graph *graph);

#endif
