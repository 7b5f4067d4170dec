/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cartesian graphs: ranks in a grid.
 *
 * A Cartesian communicator is a graph (weft/graph.h) whose ranks are the places
 * of a grid, the last coordinate running fastest.  Its edges are, dimension by
 * dimension, one of and to the neighbour below, then one of and to that above,
 * 2 * ndims in each direction, so that exchanges (weft/neighbor.h) have parts
 * in that order.  Where a dimension that is not periodic ends the edge is one
 * of nobody, WEFT_PROC_NULL.  What goes to the neighbour below comes there from
 * the one above, also where both are the same rank, in a periodic dimension of
 * 1 or 2.
 *
 * Queries are local: they send nothing and never wait.  The error that all of
 * them may return besides their own is WEFT_ERR_GRAPH: the communicator is not
 * Cartesian.
 */
#ifndef WEFT_CART_H
#define WEFT_CART_H

#include <stdbool.h>
#include <weft/group.h>
#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_comm;
struct weft_info;
struct weft_job;

/* A grid; arrays may be NULL where ndims is 0, a grid of one place. */
struct weft_grid {
	int ndims;
	const int *dims;	/* ranks in each dimension, 1 or more */
	const int *periods;	/* not 0: its ends are neighbours */
};

/**
 * weft_cart_create - a Cartesian communicator
 *
 * comm         the parent, with at least as many ranks as the grid has places
 * grid         the same at all ranks; rank i has the i-th place
 * info         keys of a reorder (weft/reorder.h), or NULL; weft_reorder=rcb
 *              cuts the grid, along its first three dimensions
 * reorder      as weft_graph_create_adjacent() has it; with keys the processes
 *              in the grid may be any of comm
 * cart_p [out] the new communicator; NULL at ranks that have no place; free it
 *              with weft_comm_free()
 *
 * Returns:  WEFT_OK; WEFT_ERR_ARG on all ranks if the arguments of one are bad,
 *           or, unless $WEFT_CHECK is 0, if they differ; WEFT_ERR_RANGE (the
 *           grid has more places than comm has ranks); WEFT_ERR_NOMEM,
 *           WEFT_ERR_DEVICE, WEFT_ERR_PEER.
 * Blocks:   yes.   Collective: over comm.
 */
WEFT_API int weft_cart_create(struct weft_comm *comm,
			      const struct weft_grid *grid,
			      const struct weft_info *info, bool reorder,
			      struct weft_comm **cart_p) WEFT_MUST_CHECK;

/**
 * weft_cart_sub - the grids that remain without some dimensions
 *
 * remain       of each dimension: 0 drops it, so that ranks which differ in its
 *              coordinate are in different grids; the same at all ranks
 * sub_p [out]  the grid of this rank, of the dimensions that remain
 *
 * Returns:  as weft_cart_create().
 * Blocks:   yes.   Collective: over cart.
 */
WEFT_API int weft_cart_sub(struct weft_comm *cart, const int *remain,
			   struct weft_comm **sub_p) WEFT_MUST_CHECK;

/**
 * weft_cart_map - the rank that a process would have in a Cartesian
 * communicator made without a reorder, or WEFT_UNDEFINED
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_RANGE.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_cart_map(struct weft_comm *comm,
			   const struct weft_grid *grid, int *rank_p)
	WEFT_MUST_CHECK;

/**
 * weft_cart_ndims - how many dimensions the grid has
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_cart_ndims(struct weft_comm *cart, int *ndims_p)
	WEFT_MUST_CHECK;

/**
 * weft_cart_get - the grid, and the coordinates of this rank
 *
 * max                          entries that are written to each array, at most:
 *                              those of the first dimensions
 * dims, periods, coords [out]  NULL where not wanted; periods are 0 or 1
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (max is negative).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_cart_get(struct weft_comm *cart, int max, int *dims,
			   int *periods, int *coords) WEFT_MUST_CHECK;

/**
 * weft_cart_rank - the rank at some coordinates
 *
 * coords   ndims of them; in a periodic dimension any, modulo its length
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_RANGE (one lies outside).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_cart_rank(struct weft_comm *cart, const int *coords,
			    int *rank_p) WEFT_MUST_CHECK;

/**
 * weft_cart_coords - the coordinates of a rank
 *
 * max           as above
 * coords [out]  may be NULL where nothing is written
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (also: no such rank).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_cart_coords(struct weft_comm *cart, int rank, int max,
			      int *coords) WEFT_MUST_CHECK;

/**
 * weft_cart_shift - whom a shift along a dimension gets data from, and to whom
 * it goes
 *
 * dim                      0 to ndims - 1
 * by                       places up, also more than there are; below 0 down
 * source_p, dest_p [out]   ranks, or WEFT_PROC_NULL beyond an end
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (also: no such dimension).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_cart_shift(struct weft_comm *cart, int dim, int by,
			     int *source_p, int *dest_p) WEFT_MUST_CHECK;

/**
 * weft_dims_create - dimensions for a grid of so many ranks
 *
 * job      whose last error a refusal becomes
 * n        places, 1 or more
 * ndims    0: nothing is done
 * dims     of each dimension: what it must be, or 0, which is replaced: by
 *          numbers that do not rise, whose product makes n of all, and of which
 *          the largest exceeds the least by as little as possible; of several
 *          such ones those whose largest is least
 *
 * Returns:  WEFT_OK; WEFT_ERR_ARG (also: the product of those given does not
 *           divide n, or is not n where all are given), and dims are as they
 *           were.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_dims_create(struct weft_job *job, int n, int ndims,
			      int *dims) WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
