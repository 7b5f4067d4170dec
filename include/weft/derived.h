/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Datatypes made of others.  Elements lie where the constructor says, in the
 * order in which it names them; what is moved follows that order.  Offsets are
 * bytes, displacements of weft_type_vector(), _indexed() and _indexed_block()
 * count extents of the type that they are made of.
 *
 * A constructor makes a datatype of a job, which goes with the job if it was
 * not freed.  What it is made of may be freed at once.  It has to be committed
 * before anything is moved or reduced with it.
 */
#ifndef WEFT_DERIVED_H
#define WEFT_DERIVED_H

#include <weft/type.h>
#include <weft/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * weft_type_contiguous, weft_type_vector, weft_type_hvector - equal blocks
 *
 * count        of elements, or of blocks
 * block        elements in each
 * stride       from one block to the next, in extents; in bytes for hvector
 * of           what they are made of
 * type_p [out] the datatype; NULL where the call fails
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (NULL, a type of another job or one that was
 *           freed), WEFT_ERR_RANGE (bytes or bounds beyond 2^63),
 *           WEFT_ERR_NOMEM.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_type_contiguous(struct weft_job *job, size_t count,
				  const struct weft_type *of,
				  struct weft_type **type_p) WEFT_MUST_CHECK;
WEFT_API int weft_type_vector(struct weft_job *job, size_t count, size_t block,
			      ptrdiff_t stride, const struct weft_type *of,
			      struct weft_type **type_p) WEFT_MUST_CHECK;
WEFT_API int weft_type_hvector(struct weft_job *job, size_t count,
			       size_t block, ptrdiff_t stride,
			       const struct weft_type *of,
			       struct weft_type **type_p) WEFT_MUST_CHECK;

/**
 * weft_type_indexed, weft_type_hindexed, weft_type_indexed_block,
 * weft_type_hindexed_block - blocks anywhere
 *
 * n             blocks
 * block         elements in each, n of them; or one number for all
 * displs        where each begins, n of them: in extents; in bytes for h
 *
 * Returns:  as weft_type_vector().
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_type_indexed(struct weft_job *job, size_t n,
			       const size_t *block, const ptrdiff_t *displs,
			       const struct weft_type *of,
			       struct weft_type **type_p) WEFT_MUST_CHECK;
WEFT_API int weft_type_hindexed(struct weft_job *job, size_t n,
				const size_t *block, const ptrdiff_t *displs,
				const struct weft_type *of,
				struct weft_type **type_p) WEFT_MUST_CHECK;
WEFT_API int weft_type_indexed_block(struct weft_job *job, size_t n,
				     size_t block, const ptrdiff_t *displs,
				     const struct weft_type *of,
				     struct weft_type **type_p)
	WEFT_MUST_CHECK;
WEFT_API int weft_type_hindexed_block(struct weft_job *job, size_t n,
				      size_t block, const ptrdiff_t *displs,
				      const struct weft_type *of,
				      struct weft_type **type_p)
	WEFT_MUST_CHECK;

/**
 * weft_type_struct - blocks of several types
 *
 * n             blocks
 * block, displs, types  elements, offset and type of each, n of them
 *
 * Unless a bound was set within, the extent is rounded up to the strictest
 * alignment within, as that of a C struct.
 *
 * Returns:  as weft_type_vector().
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_type_struct(struct weft_job *job, size_t n,
			      const size_t *block, const ptrdiff_t *displs,
			      const struct weft_type *const *types,
			      struct weft_type **type_p) WEFT_MUST_CHECK;

/**
 * weft_type_resized - the same elements, with other bounds
 *
 * lb, extent  in bytes; in what is made of it, only bounds set so count
 *
 * Returns:  as weft_type_vector().
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_type_resized(struct weft_job *job,
			       const struct weft_type *of, ptrdiff_t lb,
			       ptrdiff_t extent, struct weft_type **type_p)
	WEFT_MUST_CHECK;

enum weft_order {
	WEFT_ORDER_C,			/* the last index is the fastest one */
	WEFT_ORDER_FORTRAN		/* the first one */
};

/* Part of an array; n numbers each. */
struct weft_subarray {
	int n;				/* dimensions */
	const size_t *sizes;		/* of the array, */
	const size_t *subsizes;		/* of the part, */
	const size_t *starts;		/* where it begins, from 0 */
	enum weft_order order;
};

enum weft_distribution {
	WEFT_DISTRIBUTE_NONE,
	WEFT_DISTRIBUTE_BLOCK,
	WEFT_DISTRIBUTE_CYCLIC
};

/*
 * The part of a distributed array that is one rank's.  Ranks lie in their grid
 * in the order of C, whatever that of the array is; n numbers each.
 */
struct weft_darray {
	int n;				/* dimensions */
	int ranks, rank;
	const size_t *sizes;		/* of the array */
	const enum weft_distribution *how;
	const size_t *blocks;		/* elements in each; 0: as it comes */
	const int *grid;		/* ranks in each dimension */
	enum weft_order order;
};

/**
 * weft_type_subarray, weft_type_darray - part of an array
 *
 * The extent is that of the array.
 *
 * Returns:  as weft_type_vector(), and WEFT_ERR_ARG where the part is not
 *           within the array, the grid has not as many ranks, or blocks do not
 *           cover a dimension; the text names it.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_type_subarray(struct weft_job *job,
				const struct weft_subarray *part,
				const struct weft_type *of,
				struct weft_type **type_p) WEFT_MUST_CHECK;
WEFT_API int weft_type_darray(struct weft_job *job,
			      const struct weft_darray *part,
			      const struct weft_type *of,
			      struct weft_type **type_p) WEFT_MUST_CHECK;

/**
 * weft_type_commit - it is complete: elements may be moved with it
 *
 * Once more, or of a basic one, it changes nothing; a duplicate of a committed
 * one is committed.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (NULL, one that was freed).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_type_commit(struct weft_type *type) WEFT_MUST_CHECK;

/**
 * weft_type_set_name - what people call it
 *
 * name  copied; shown in errors, and by weft_type_name()
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (NULL, a basic one, one that was freed),
 *           WEFT_ERR_NOMEM.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_type_set_name(struct weft_type *type, const char *name)
	WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
