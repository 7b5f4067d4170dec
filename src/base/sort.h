/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stable sort.
 *
 * Elements that compare equal keep their order, so what depends on a sort does
 * not depend on the implementation of a C library.
 */
#ifndef WEFT_BASE_SORT_H
#define WEFT_BASE_SORT_H

#include <stddef.h>

/*
 * Sorts n elements of size bytes. cmp returns less than, equal to or greater
 * than 0 and gets arg unchanged.
 * WEFT_OK, or WEFT_ERR_NOMEM with the array unchanged.
 */
int wf_sort(void *base, size_t n, size_t size,
	    int (*cmp)(const void *, const void *, void *), void *arg);

#endif
