/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The grid of a Cartesian graph, and its arithmetic: rank r is at the place
 * whose coordinates are the digits of r, the last one running fastest.
 */
#ifndef WEFT_TOPO_CART_H
#define WEFT_TOPO_CART_H

#include <weft/cart.h>
#include "topo/graph_make.h"

struct wf_cart {
	struct wf_lore lore;
	int ndims;
	int *periods;			/* 0 or 1; behind the dimensions */
	int dims[];
};

/* NULL: the communicator is not Cartesian, or none. */
const struct wf_cart *wf_cart_of(const struct weft_comm *comm);

/* Has it no more places than `most`?  An error is told. */
int wf_cart_check(struct weft_job *job, const char *call,
		  const struct weft_grid *grid, int most);

/* Of a grid that was checked; a reference.  NULL: no memory. */
struct wf_cart *wf_cart_make(const struct weft_grid *grid);

/* The coordinate in one dimension; of ranks beyond the grid, it goes on. */
int wf_cart_coord(const struct wf_cart *cart, int rank, int dim);

/* The rank so many places up; WEFT_PROC_NULL: there is none. */
int wf_cart_step(const struct wf_cart *cart, int rank, int dim, int by);

/* All edges of this rank, in a good communicator; the error is told. */
int wf_cart_add_edges(struct wf_graph_maker *m, const struct wf_cart *cart);

#endif
