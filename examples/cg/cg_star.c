/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Owns the star graph and the counts of its exchanges.  Called once per array
 * when rows are distributed and results gathered, not in the iteration.
 */
#include "cg_star.h"

#include <stdlib.h>
#include <string.h>
#include <weft.h>

/* Edges of this rank in either direction. */
static int degree(const struct cg_ranks *ranks)
{
	return ranks->rank == 0 ? ranks->size : 1;
}

static int star_alloc(struct cg_star *star, int **nbr2rank_p,
		      struct cg_why *why)
{
	int i, n = degree(star->ranks);

	star->many = calloc((size_t)n, sizeof(*star->many));
	star->pieces = calloc((size_t)n, sizeof(*star->pieces));
	star->one = calloc((size_t)n, sizeof(*star->one));
	star->none = calloc((size_t)n, sizeof(*star->none));
	star->starts = calloc((size_t)n, sizeof(*star->starts));
	*nbr2rank_p = calloc((size_t)n, sizeof(**nbr2rank_p));
	if (!star->many || !star->pieces || !star->one || !star->none ||
	    !star->starts || !*nbr2rank_p)
		return cg_fail_memory(why, "the star graph");
	for (i = 0; i < n; i++)
		(*nbr2rank_p)[i] = i;
	return 0;
}

int cg_star_open(struct cg_star *star, const struct cg_ranks *ranks)
{
	struct weft_edges edges = { .n = degree(ranks) };
	struct cg_why why;
	int *nbr2rank = NULL, status;

	memset(star, 0, sizeof(*star));
	star->ranks = ranks;
	status = cg_agree(ranks, star_alloc(star, &nbr2rank, &why), &why);
	if (status)
		goto free_ranks;
	edges.ranks = nbr2rank;
	status = weft_graph_create_adjacent(ranks->world, &edges, &edges, NULL,
					    false, &star->graph);
	status = cg_called(ranks, "creating the star graph", status);

free_ranks:
	free(nbr2rank);
	if (status)
		cg_star_close(star);
	return status;
}

void cg_star_close(struct cg_star *star)
{
	if (star->graph)
		(void)cg_called(star->ranks, "freeing the star graph",
				weft_comm_free(&star->graph));
	free(star->many);
	free(star->pieces);
	free(star->one);
	free(star->none);
	free(star->starts);
	memset(star, 0, sizeof(*star));
}

static struct weft_vec edges_of(const struct weft_type *type, void *base,
				const size_t *counts, const ptrdiff_t *displs)
{
	struct weft_vec vec = { .base = base, .type = type, .counts = counts,
				.displs = displs };

	return vec;
}

/* On rank 0 the pieces of the ranks, elsewhere nothing. */
static struct weft_vec all_pieces(struct cg_star *star,
				  const struct weft_type *type,
				  const struct cg_whole *whole)
{
	int r;

	if (star->ranks->rank != 0)
		return edges_of(type, NULL, star->none, star->starts);
	for (r = 0; r < star->ranks->size; r++) {
		star->many[r] = (size_t)(whole->first[r + 1] -
					 whole->first[r]);
		star->pieces[r] = (ptrdiff_t)whole->first[r];
	}
	return edges_of(type, whole->base, star->many, star->pieces);
}

/* This rank's piece, from or to rank 0. */
static struct weft_vec own_piece(struct cg_star *star,
				 const struct weft_type *type, void *mine,
				 int64_t n)
{
	star->one[0] = (size_t)n;
	return edges_of(type, mine, star->one, star->starts);
}

int cg_star_scatter(struct cg_star *star, const struct weft_type *type,
		    const struct cg_whole *whole, void *mine, int64_t n)
{
	struct weft_vec send = all_pieces(star, type, whole);
	struct weft_vec recv = own_piece(star, type, mine, n);

	return cg_called(star->ranks, "distributing over the star",
			 weft_neighbor_alltoallv(star->graph, &send, &recv));
}

int cg_star_gather(struct cg_star *star, const struct weft_type *type,
		   const struct cg_whole *whole, void *mine, int64_t n)
{
	struct weft_vec send = own_piece(star, type, mine, n);
	struct weft_vec recv = all_pieces(star, type, whole);

	return cg_called(star->ranks, "gathering over the star",
			 weft_neighbor_alltoallv(star->graph, &send, &recv));
}

int cg_star_copy(struct cg_star *star, const struct weft_type *type,
		 void *from, void *mine, int64_t n)
{
	struct weft_vec send = edges_of(type, NULL, star->none, star->starts);
	struct weft_vec recv = own_piece(star, type, mine, n);
	int r;

	if (star->ranks->rank == 0) {
		for (r = 0; r < star->ranks->size; r++)
			star->many[r] = (size_t)n;
		/* Every edge sends the same elements. */
		send = edges_of(type, from, star->many, star->starts);
	}
	return cg_called(star->ranks, "copying over the star",
			 weft_neighbor_alltoallv(star->graph, &send, &recv));
}
