/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ranks of a file, and what each sends to which.
 */
#ifndef WEFT_TOOL_TOPO_GRAPH_H
#define WEFT_TOOL_TOPO_GRAPH_H

#include <stddef.h>
#include <stdint.h>

#include "examples/cg/cg_why.h"
#include "topo/reorder.h"

enum { WTOPO_RANKS_MAX = 1 << 22 };

/*
 * Edges lead from a rank to another one; in the file it is a vertex or a row,
 * which may have another number.
 */
struct wtopo_graph {
	int n;
	int64_t count;
	struct wf_reorder_edge *edge;
	int64_t weight;		/* of all of them */
	double *coords;		/* NULL, or 3 of each rank */
	int *rank;		/* of each vertex of the file */
};

/*
 * From the text of a METIS graph, whose edges lead both ways, or of a square
 * MatrixMarket file, whose entry (i, j) is an edge from i to j.  text[size] is
 * a NUL byte.  0, or -1 with a sentence, and nothing to free.
 */
int wtopo_metis_parse(const char *text, size_t size, struct wtopo_graph *g,
		      struct cg_why *why);
int wtopo_mtx_parse(const char *text, size_t size, struct wtopo_graph *g,
		    struct cg_why *why);

/* weft_topo_graph.c, for these two: with room for so many edges. */
int wtopo_graph_alloc(struct wtopo_graph *g, int64_t n, int64_t edges,
		      struct cg_why *why);
/* -1: weights add up to too much. */
int wtopo_graph_add(struct wtopo_graph *g, const struct wf_reorder_edge *edge,
		    struct cg_why *why);
void wtopo_graph_free(struct wtopo_graph *g);

/* By the name of the file, which the sentence begins with. */
int wtopo_graph_load(struct wtopo_graph *g, const char *path,
		     struct cg_why *why);

/* Three numbers a line; the sentence begins with the file's name. */
int wtopo_coords_load(struct wtopo_graph *g, const char *path,
		      struct cg_why *why);

/* Deals out the numbers of ranks by chance; -1: no memory. */
int wtopo_graph_shuffle(struct wtopo_graph *g, uint64_t seed,
			struct cg_why *why);

#endif
