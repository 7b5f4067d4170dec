/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Passes over arrays: see sweep.h.
 *
 * Each loop has a stride that is constant where it is compiled, and no way out:
 * a question is answered for a block of elements, so that an early answer ends
 * a pass early all the same.
 */
#include "dist/sweep.h"

#include <string.h>

/* gcc makes vectors of these loops only from -O3 on, clang from -O2 on. */
#ifndef __clang__
#pragma GCC optimize("tree-vectorize", "vect-cost-model=dynamic")
#endif

enum { BLOCK = 1024 };

static size_t block_of(size_t left)
{
	return left < BLOCK ? left : BLOCK;
}

/* ---- the identity ---- */

void wf_sweep_identity(uint32_t *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		at[i] = (uint32_t)i;
}

static bool is_identity(const uint32_t *at, uint32_t first, size_t n)
{
	uint32_t differ = 0;

	for (size_t i = 0; i < n; i++)
		differ |= at[i] ^ (first + (uint32_t)i);
	return !differ;
}

bool wf_sweep_is_identity(const uint32_t *at, size_t n)
{
	size_t i = 0;

	while (i < n && is_identity(at + i, (uint32_t)i, block_of(n - i)))
		i += BLOCK;
	return i >= n;
}

/* ---- ranks and roots ---- */

static inline bool are_below(const int32_t *at, size_t stride, size_t n,
			     int32_t end)
{
	uint32_t above = 0;

	for (size_t i = 0; i < n; i++)
		above |= (uint32_t)at[i * stride] >= (uint32_t)end;
	return !above;
}

bool wf_sweep_are_below(const int32_t *at, size_t stride, size_t n, int32_t end)
{
	size_t i = 0;

	while (i < n && (stride == 1 ?
			 are_below(at + i, 1, block_of(n - i), end) :
			 are_below(at + 2 * i, 2, block_of(n - i), end)))
		i += BLOCK;
	return i >= n;
}

/* Of n elements and the one behind them. */
static inline bool ascends(const int32_t *at, size_t stride, size_t n)
{
	uint32_t falls = 0;

	for (size_t i = 0; i < n; i++)
		falls |= at[(i + 1) * stride] < at[i * stride];
	return !falls;
}

bool wf_sweep_ascends(const int32_t *at, size_t stride, size_t n)
{
	size_t i = 0, pairs = n ? n - 1 : 0;

	while (i < pairs && (stride == 1 ?
			     ascends(at + i, 1, block_of(pairs - i)) :
			     ascends(at + 2 * i, 2, block_of(pairs - i))))
		i += BLOCK;
	return i >= pairs;
}

void wf_sweep_copy(const int32_t *at, size_t stride, size_t n, uint32_t *to)
{
	if (stride == 1) {
		memcpy(to, at, n * sizeof(*to));
		return;
	}
	for (size_t i = 0; i < n; i++)
		to[i] = (uint32_t)at[2 * i];
}
