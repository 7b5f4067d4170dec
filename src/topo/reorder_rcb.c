/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Recursive bisection of coordinates: the vertices of half of the nodes are cut
 * off across the longest side, until one node is left.  The sort is stable, so
 * there is one answer where coordinates are equal, too.
 * O(n (log n) log nodes).
 */
#include "topo/reorder_parts.h"

#include <stdlib.h>
#include <weft/status.h>
#include "base/sort.h"

/* Nodes [low, high), and the vertices that are to fill them. */
struct box {
	int low, high;
	int *vertex;
	int n;
};

struct point {
	double at;
	int vertex;
};

struct bisection {
	const struct wf_reorder_parts *parts;
	struct point *point;            /* scratch, n */
};

static int by_place(const void *a, const void *b, void *arg)
{
	const struct point *x = a, *y = b;

	(void)arg;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* The dimension in which the box is longest. */
static int longest(const struct bisection *bisection, const struct box *box)
{
	const double *coords = bisection->parts->keys->coords;
	double most = -1;
	int best = 0;

	for (int d = 0; d < 3; d++) {
		double low = coords[3 * (size_t)box->vertex[0] + (size_t)d];
		double high = low;

		for (int i = 1; i < box->n; i++) {
			double at = coords[3 * (size_t)box->vertex[i] +
					   (size_t)d];

			low = at < low ? at : low;
			high = at > high ? at : high;
		}
		if (high - low > most) {
			most = high - low;
			best = d;
		}
	}
	return best;
}

static int sort_along(const struct bisection *bisection, const struct box *box,
		      int dimension)
{
	const double *coords = bisection->parts->keys->coords;
	struct point *point = bisection->point;
	int status;

	for (int i = 0; i < box->n; i++) {
		size_t at = 3 * (size_t)box->vertex[i] + (size_t)dimension;

		point[i] = (struct point){ coords[at], box->vertex[i] };
	}
	status = wf_sort(point, (size_t)box->n, sizeof(*point), by_place, NULL);
	if (status)
		return status;
	for (int i = 0; i < box->n; i++)
		box->vertex[i] = point[i].vertex;
	return WEFT_OK;
}

static void fill(const struct bisection *bisection, const struct box *box)
{
	for (int i = 0; i < box->n; i++)
		bisection->parts->home[box->vertex[i]] = box->low;
}

/* As deep as the logarithm of the nodes. */
static int cut(const struct bisection *bisection, const struct box *box)
{
	struct box left = *box, right = *box;
	int status;

	if (box->n == 0)
		return WEFT_OK;
	if (box->high - box->low == 1) {
		fill(bisection, box);
		return WEFT_OK;
	}
	status = sort_along(bisection, box, longest(bisection, box));
	if (status)
		return status;
	left.high = right.low = box->low + (box->high - box->low) / 2;
	left.n = 0;
	for (int node = left.low; node < left.high; node++)
		left.n += bisection->parts->room[node];
	right.vertex += left.n;
	right.n -= left.n;
	status = cut(bisection, &left);
	return status ? status : cut(bisection, &right);
}

int wf_reorder_rcb(const struct wf_reorder_parts *parts)
{
	size_t size = (size_t)parts->graph->n + 1;
	struct bisection bisection = { parts,
		malloc(size * sizeof(*bisection.point)) };
	struct box all = { 0, parts->nodes, malloc(size * sizeof(int)), 0 };
	int status = WEFT_ERR_NOMEM;

	if (bisection.point && all.vertex) {
		for (int v = 0; v < parts->graph->n; v++) {
			if (!wf_reorder_keeps(parts, v))
				all.vertex[all.n++] = v;
		}
		status = cut(&bisection, &all);
	}
	free(bisection.point);
	free(all.vertex);
	return status;
}
