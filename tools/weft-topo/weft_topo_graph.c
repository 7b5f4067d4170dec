/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Owns the edges of a file.  Sums of weights stay below 2^61, so that what a
 * reorder adds up, each edge from either end, fits into 64 bits.
 */
#include "tools/weft-topo/weft_topo_graph.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "examples/cg/cg_file.h"

static const int64_t SUM_MAX = INT64_C(1) << 61;

int wtopo_graph_alloc(struct wtopo_graph *g, int64_t n, int64_t edges,
		      struct cg_why *why)
{
	if (n > WTOPO_RANKS_MAX)
		return cg_fail(why, "%" PRId64 " ranks are more than the %d "
			       "that are drawn", n, WTOPO_RANKS_MAX);
	*g = (struct wtopo_graph){
		.n = (int)n,
		.edge = malloc(((size_t)edges + 1) * sizeof(*g->edge)),
		.rank = malloc(((size_t)n + 1) * sizeof(*g->rank))
	};
	if (!g->edge || !g->rank) {
		wtopo_graph_free(g);
		return cg_fail_memory(why, "the edges of the file");
	}
	for (int v = 0; v < g->n; v++)
		g->rank[v] = v;
	return 0;
}

int wtopo_graph_add(struct wtopo_graph *g, const struct wf_reorder_edge *edge,
		    struct cg_why *why)
{
	if (edge->weight > SUM_MAX - g->weight)
		return cg_fail(why, "weights add up to more than %" PRId64,
			       SUM_MAX);
	g->weight += edge->weight;
	g->edge[g->count++] = *edge;
	return 0;
}

void wtopo_graph_free(struct wtopo_graph *g)
{
	free(g->edge);
	free(g->coords);
	free(g->rank);
	*g = (struct wtopo_graph){ 0 };
}

/* Old numbers to new ones. */
static void rename_all(struct wtopo_graph *g, const int *rank, double *coords)
{
	for (int64_t i = 0; i < g->count; i++) {
		g->edge[i].from = rank[g->edge[i].from];
		g->edge[i].to = rank[g->edge[i].to];
	}
	for (int v = 0; g->coords && v < g->n; v++)
		memcpy(&coords[3 * (size_t)rank[v]], &g->coords[3 * (size_t)v],
		       3 * sizeof(double));
}

int wtopo_graph_shuffle(struct wtopo_graph *g, uint64_t seed,
			struct cg_why *why)
{
	double *coords = malloc((3 * (size_t)g->n + 1) * sizeof(*coords));
	struct wf_random random;

	if (!coords)
		return cg_fail_memory(why, "the ranks in another order");
	wf_random_init(&random, seed);
	for (int i = 0; i < g->n; i++) {
		int j = (int)wf_random_below(&random, (uint64_t)i + 1);

		g->rank[i] = g->rank[j];
		g->rank[j] = i;
	}
	rename_all(g, g->rank, coords);
	if (g->coords) {
		double *old = g->coords;

		g->coords = coords;
		coords = old;
	}
	free(coords);
	return 0;
}

typedef int parse_fn(const char *text, size_t size, struct wtopo_graph *g,
		     struct cg_why *why);

static parse_fn *parser_of(const char *path)
{
	const char *dot = strrchr(path, '.');

	if (dot && strcmp(dot, ".mtx") == 0)
		return wtopo_mtx_parse;
	if (dot && strcmp(dot, ".graph") == 0)
		return wtopo_metis_parse;
	return NULL;
}

int wtopo_graph_load(struct wtopo_graph *g, const char *path,
		     struct cg_why *why)
{
	parse_fn *parse = parser_of(path);
	struct cg_why inner;
	char *text = NULL;
	size_t size;
	int status;

	if (!parse)
		return cg_fail(why, "%s: the name ends neither in .mtx nor in "
			       ".graph", path);
	status = cg_file_read(path, &text, &size, &inner);
	if (!status)
		status = parse(text, size, g, &inner);
	free(text);
	if (status)
		return cg_fail(why, "%s: %s", path, inner.text);
	return 0;
}
