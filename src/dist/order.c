/* SPDX-License-Identifier: BSD-3-Clause */
/* Stable orders: by digits of ranks, by counts of roots, by numbers. */
#include "dist/order.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <weft/status.h>
#include "base/sort.h"
#include "dist/sweep.h"

enum {
	DIGIT = 8,			/* bits */
	DIGITS = 1 << DIGIT
};

struct ranks {
	const int32_t *at;
	size_t stride;
	int shift;			/* to the digit that counts */
};

static uint32_t digit_of(const struct ranks *ranks, uint32_t position)
{
	uint32_t rank = (uint32_t)ranks->at[position * ranks->stride];

	return rank >> ranks->shift & (DIGITS - 1);
}

/* An order by lower digits, by this one. */
static void sort_digit(const struct ranks *ranks, const uint32_t *from,
		       uint32_t n, uint32_t *to)
{
	uint32_t next[DIGITS + 1] = { 0 };

	for (uint32_t i = 0; i < n; i++)
		next[digit_of(ranks, i) + 1]++;
	for (int d = 0; d < DIGITS; d++)
		next[d + 1] += next[d];
	for (uint32_t i = 0; i < n; i++)
		to[next[digit_of(ranks, from[i])]++] = from[i];
}

int wf_order_by_rank(const int32_t *rank, size_t stride, uint32_t n, int size,
		     uint32_t *order)
{
	struct ranks ranks = { rank, stride, 0 };
	uint32_t *other;

	wf_sweep_identity(order, n);
	if (wf_sweep_ascends(rank, stride, n))
		return WEFT_OK;
	other = malloc((size_t)n * sizeof(*other) + 1);
	if (!other)
		return WEFT_ERR_NOMEM;
	while (ranks.shift < 31 && (size - 1) >> ranks.shift) {
		sort_digit(&ranks, order, n, other);
		memcpy(order, other, (size_t)n * sizeof(*other));
		ranks.shift += DIGIT;
	}
	free(other);
	return WEFT_OK;
}

/*
 * Where each root has one position, as where things move to another owner, the
 * order is the inverse of a permutation, at half of the price.  Two positions
 * of one root are mostly met soon: then it is not so.
 */
static bool invert(const uint32_t *root, uint32_t n, uint32_t *order)
{
	const uint32_t none = UINT32_MAX;
	uint32_t i = 0;

	memset(order, 0xff, (size_t)n * sizeof(*order));
	for (; i < n && order[root[i]] == none; i++)
		order[root[i]] = i;
	return i == n;
}

void wf_order_by_root(const uint32_t *root, uint32_t n, uint32_t *offs,
		      uint32_t nroots, uint32_t *order)
{
	uint32_t *next = offs + 1, before = 0;

	if (n == nroots && invert(root, n, order)) {
		wf_sweep_identity(offs, (size_t)nroots + 1);
		return;
	}
	memset(offs, 0, ((size_t)nroots + 1) * sizeof(*offs));
	for (uint32_t i = 0; i < n; i++)
		next[root[i]]++;
	/* Where each begins, in the place of the next one, to be passed on. */
	for (uint32_t r = 0; r < nroots; r++) {
		uint32_t here = next[r];

		next[r] = before;
		before += here;
	}
	for (uint32_t i = 0; i < n; i++)
		order[next[root[i]]++] = i;
}

struct numbered {
	int64_t number;
	uint32_t position;
};

static int compare(const void *a, const void *b, void *arg)
{
	const struct numbered *x = a, *y = b;

	(void)arg;
	return (x->number > y->number) - (x->number < y->number);
}

int wf_order_by_number(const int64_t *number, uint32_t n, uint32_t *order)
{
	struct numbered *all = malloc((size_t)n * sizeof(*all) + 1);
	int status = all ? WEFT_OK : WEFT_ERR_NOMEM;

	for (uint32_t i = 0; all && i < n; i++)
		all[i] = (struct numbered){ number[i], i };
	if (!status)
		status = wf_sort(all, n, sizeof(*all), compare, NULL);
	for (uint32_t i = 0; !status && i < n; i++)
		order[i] = all[i].position;
	free(all);
	return status;
}
