/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processes of a cube, each with its 26 neighbours, for tests of reorder:
 * weights 1024, 32 and 1 across faces, edges and corners, the numbers dealt out
 * at random, or row by row if the seed is 0.
 */
#ifndef WEFT_TESTS_REORDER_STENCIL_H
#define WEFT_TESTS_REORDER_STENCIL_H

#include <stdint.h>
#include <stdlib.h>
#include "base/random.h"
#include "topo/reorder.h"

struct stencil {
	int side;
	int n;
	int *number;                    /* of a cell */
	double *coords;                 /* 3 of a number */
	int *node;                      /* of a place */
	struct wf_reorder_edge *edges;
	int64_t count;
};

static void stencil_shuffle(struct stencil *s, uint64_t seed)
{
	struct wf_random random;

	wf_random_init(&random, seed);
	for (int i = 0; i < s->n; i++) {
		int j = i;

		if (seed)
			j = (int)wf_random_below(&random, (uint64_t)i + 1);
		s->number[i] = s->number[j];
		s->number[j] = i;
	}
}

/* One of the 27 steps along an axis: -1, 0 or 1. */
static int stencil_step(int k, int axis)
{
	static const int power[] = { 1, 3, 9 };

	return k / power[axis] % 3 - 1;
}

/* The edges of one cell. */
static void stencil_cell(struct stencil *s, int cell)
{
	static const int weights[] = { 0, 1024, 32, 1 };
	int at[3] = { cell % s->side, cell / s->side % s->side,
		      cell / s->side / s->side };

	for (int k = 0; k < 27; k++) {
		int to = 0, far = 0, outside = 0;

		for (int axis = 2; axis >= 0; axis--) {
			int step = stencil_step(k, axis);

			to = to * s->side + at[axis] + step;
			far += step != 0;
			outside += at[axis] + step < 0 ||
				   at[axis] + step >= s->side;
		}
		if (outside || !far)
			continue;
		s->edges[s->count++] = (struct wf_reorder_edge){
			s->number[cell], s->number[to], weights[far] };
	}
	for (int axis = 0; axis < 3; axis++)
		s->coords[3 * (size_t)s->number[cell] + (size_t)axis] =
			at[axis];
}

/* per_node places on each node, one behind the other. */
__attribute__((unused))
static void stencil_init(struct stencil *s, int side, int per_node,
			 uint64_t seed)
{
	size_t n = (size_t)side * (size_t)side * (size_t)side;

	s->side = side;
	s->n = (int)n;
	s->count = 0;
	s->number = malloc(n * sizeof(*s->number));
	s->node = malloc(n * sizeof(*s->node));
	s->coords = malloc(3 * n * sizeof(*s->coords));
	s->edges = malloc(26 * n * sizeof(*s->edges));
	if (!s->number || !s->node || !s->coords || !s->edges)
		abort();
	stencil_shuffle(s, seed);
	for (int i = 0; i < s->n; i++) {
		s->node[i] = i / per_node;
		stencil_cell(s, i);
	}
}

__attribute__((unused))
static void stencil_fini(struct stencil *s)
{
	free(s->number);
	free(s->node);
	free(s->coords);
	free(s->edges);
}

#endif
