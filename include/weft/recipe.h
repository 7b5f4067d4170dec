/* SPDX-License-Identifier: BSD-3-Clause */
/* How a datatype was made: its constructor and the arguments. */
#ifndef WEFT_RECIPE_H
#define WEFT_RECIPE_H

#include <weft/type.h>

#ifdef __cplusplus
extern "C" {
#endif

enum weft_combiner {
	WEFT_COMBINER_NAMED,		/* a basic one */
	WEFT_COMBINER_DUP,
	WEFT_COMBINER_CONTIGUOUS,
	WEFT_COMBINER_VECTOR,
	WEFT_COMBINER_HVECTOR,
	WEFT_COMBINER_INDEXED,
	WEFT_COMBINER_HINDEXED,
	WEFT_COMBINER_INDEXED_BLOCK,
	WEFT_COMBINER_HINDEXED_BLOCK,
	WEFT_COMBINER_STRUCT,
	WEFT_COMBINER_RESIZED,
	WEFT_COMBINER_SUBARRAY,
	WEFT_COMBINER_DARRAY
};

/* How many arguments of each kind, in the order of the constructor. */
struct weft_type_recipe {
	enum weft_combiner combiner;
	size_t nsizes;			/* counts, orders and the like */
	size_t ndispls;			/* strides, displacements, bounds */
	size_t ntypes;
};

/* Room for them. */
struct weft_type_contents {
	size_t *sizes;
	ptrdiff_t *displs;
	struct weft_type **types;
};

/**
 * weft_type_get_recipe, weft_type_get_contents - how a datatype was made
 *
 * recipe_p [out]  of a basic one there are no arguments
 * room            for as many as the recipe says; NULL where there are none.
 *                 A basic type is written as its constant, and is not to be
 *                 freed; of another one a new one that is equal, without
 *                 attributes but with its userdata, which is; NULL at an error
 *
 * sizes are: of contiguous the count; of vector and hvector count, block; of
 * indexed and hindexed n, blocks; of indexed_block and hindexed_block n, block;
 * of struct n, blocks; of subarray n, sizes, subsizes, starts, order; of darray
 * ranks, rank, n, sizes, how, blocks, grid, order.  displs are: the stride; the
 * displacements; of resized lb, extent.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (NULL, one that was freed; of a basic one
 *           there are no contents), WEFT_ERR_NOMEM.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_type_get_recipe(const struct weft_type *type,
				  struct weft_type_recipe *recipe_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_type_get_contents(const struct weft_type *type,
				    const struct weft_type_contents *room)
	WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
