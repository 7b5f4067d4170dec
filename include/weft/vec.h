/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that a rank gives to a call or gets from it: one part, or one for each
 * rank or edge.
 */
#ifndef WEFT_VEC_H
#define WEFT_VEC_H

#include <stddef.h>
#include <weft/type.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * count elements of a type, each its extent behind the one before.  base may be
 * NULL where they have no bytes, or offsets of the type are addresses.
 * Elements with gaps go by a packed copy that the call makes, and so may return
 * WEFT_ERR_NOMEM; a persistent request keeps it.
 */
struct weft_part {
	void *base;
	size_t count;
	const struct weft_type *type;
};

/*
 * weft_part(base, count, type), in the place of an argument; what is only given
 * is only read.  A compound literal as base is written in parentheses.  It is
 * a macro, since compilers take a variable whose address goes to a function as
 * a pointer to const for one that is not set there.
 */
#ifdef __cplusplus
#define weft_part(base, count, type)                                        \
	(weft_part{ const_cast<void *>(static_cast<const void *>(base)),    \
		    static_cast<size_t>(count), (type) })
#else
#define weft_part(base, count, type) \
	((struct weft_part){ (void *)(base), (count), (type) })
#endif

/*
 * A part for each rank, or for each edge in the order of the edges.  Exactly
 * one of counts and int_counts is set where there are any, and of displs and
 * int_displs.  Displacements are from base, and count extents of the type;
 * where types is set, type is not used, and they are bytes: from base NULL on
 * they may be addresses.
 */
struct weft_vec {
	void *base;
	const struct weft_type *type;
	const struct weft_type *const *types;	/* one per edge, or NULL */
	const size_t *counts;
	const int *int_counts;
	const ptrdiff_t *displs;
	const int *int_displs;
};

/* n packets, one behind the other, of width elements each, 1 at least. */
struct weft_packets {
	void *base;
	size_t n, width;
	const struct weft_type *type;
};

#ifdef __cplusplus
}
#endif

#endif
