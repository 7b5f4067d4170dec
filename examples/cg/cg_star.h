/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A star graph: edges from rank 0 to every rank (itself, too) and back.  Over
 * it rank 0 hands out pieces of an array, and gets them back.  All calls are
 * collective and tell their failures.
 */
#ifndef CG_STAR_H
#define CG_STAR_H

#include <stddef.h>
#include <stdint.h>

#include "cg_ranks.h"

struct weft_type;

/* Elements per edge.  Rank 0 has an edge per rank, the first to itself. */
struct cg_star {
	const struct cg_ranks *ranks;
	struct weft_comm *graph;
	size_t *many;		/* rank 0: the piece of each rank */
	ptrdiff_t *pieces;	/* rank 0: where it begins */
	size_t *one;		/* this rank's piece, on the first edge */
	size_t *none;		/* zeros */
	ptrdiff_t *starts;	/* zeros */
};

/*
 * An array on rank 0: rank r has its elements [first[r], first[r + 1]).  Not
 * read on other ranks.
 */
struct cg_whole {
	void *base;
	const int64_t *first;
};

int cg_star_open(struct cg_star *star, const struct cg_ranks *ranks);
void cg_star_close(struct cg_star *star);

/* Each rank gets its n elements of the array on rank 0. */
int cg_star_scatter(struct cg_star *star, const struct weft_type *type,
		    const struct cg_whole *whole, void *mine, int64_t n);

/* Rank 0 gets the n elements of each rank. */
int cg_star_gather(struct cg_star *star, const struct weft_type *type,
		   const struct cg_whole *whole, void *mine, int64_t n);

/* All ranks get the n elements that `from` holds on rank 0. */
int cg_star_copy(struct cg_star *star, const struct weft_type *type,
		 void *from, void *mine, int64_t n);

#endif
