/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cells of the matrices of a picture, from the edges, one by one: there is no
 * matrix of ranks by ranks.
 */
#include "tools/weft-topo/weft_topo_picture.h"

#include <stdlib.h>

static int cell_of(const struct wtopo_matrix *m, int place, int n)
{
	return (int)((int64_t)place * m->side / n);
}

static bool fill(struct wtopo_matrix *m, const struct wtopo_graph *g,
		 const int *place)
{
	size_t side = g->n < WTOPO_SIDE_MAX ? (size_t)g->n : WTOPO_SIDE_MAX;

	m->side = (int)side;
	m->weight = calloc(side * side, sizeof(*m->weight));
	if (!m->weight)
		return false;
	for (int64_t i = 0; i < g->count; i++) {
		const struct wf_reorder_edge *e = &g->edge[i];
		int row = cell_of(m, place[e->from], g->n);
		int column = cell_of(m, place[e->to], g->n);

		m->weight[(size_t)row * side + (size_t)column] += e->weight;
	}
	return true;
}

static int64_t most_of(const struct wtopo_matrix *m, int64_t most)
{
	for (int i = 0; i < m->side * m->side; i++)
		if (most < m->weight[i])
			most = m->weight[i];
	return most;
}

bool wtopo_picture_make(struct wtopo_picture *picture,
			const struct wtopo_order *order)
{
	*picture = (struct wtopo_picture){ .order = order };
	if (!fill(&picture->before, order->graph, order->before) ||
	    !fill(&picture->after, order->graph, order->after)) {
		fputs("weft-topo: not enough memory\n", stderr);
		wtopo_picture_free(picture);
		return false;
	}
	picture->most = most_of(&picture->after,
				most_of(&picture->before, 0));
	return true;
}

void wtopo_picture_free(struct wtopo_picture *picture)
{
	free(picture->before.weight);
	free(picture->after.weight);
}
