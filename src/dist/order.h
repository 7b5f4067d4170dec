/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stable orders of n positions, n below 2^31, by keys that they have: the k-th
 * entry of an order is the position that comes k-th.
 */
#ifndef WEFT_DIST_ORDER_H
#define WEFT_DIST_ORDER_H

#include <stddef.h>
#include <stdint.h>

/*
 * By ranks below size, the one of position i at rank[i * stride], stride 1 or
 * 2.  Time and memory are of n alone.  WEFT_ERR_NOMEM.
 */
int wf_order_by_rank(const int32_t *rank, size_t stride, uint32_t n, int size,
		     uint32_t *order);

/*
 * By roots below nroots, those of position i being root[i]; offs gets nroots
 * + 1 offsets, of those that each has in the order.  No memory is taken.
 */
void wf_order_by_root(const uint32_t *root, uint32_t n, uint32_t *offs,
		      uint32_t nroots, uint32_t *order);

/* By any numbers.  WEFT_ERR_NOMEM. */
int wf_order_by_number(const int64_t *number, uint32_t n, uint32_t *order);

#endif
