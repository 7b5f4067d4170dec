/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Passes over long arrays from their first element to their last, compiled to
 * vectors.  An element is every stride-th one; stride is 1 or 2, as in lists of
 * ranks, and of pairs of a rank and a root.
 */
#ifndef WEFT_DIST_SWEEP_H
#define WEFT_DIST_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 0, 1, 2... */
void wf_sweep_identity(uint32_t *at, size_t n);
bool wf_sweep_is_identity(const uint32_t *at, size_t n);

/* Is none less than 0, or end or more? */
bool wf_sweep_are_below(const int32_t *at, size_t stride, size_t n,
			int32_t end);

/* Is none less than the one before it? */
bool wf_sweep_ascends(const int32_t *at, size_t stride, size_t n);

/* The elements, side by side. */
void wf_sweep_copy(const int32_t *at, size_t stride, size_t n, uint32_t *to);

#endif
