/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stable sort.
 *
 * Merges runs of doubling length between the array and one buffer of the same
 * size. Called at set-up only.
 */
#include "base/sort.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <weft/status.h>

struct order {
	size_t size;
	int (*cmp)(const void *, const void *, void *);
	void *arg;
};

/* Merges the sorted runs [low, middle) and [middle, high) of `from`. */
static void merge(const struct order *order, const unsigned char *from,
		  unsigned char *to, const size_t bounds[3])
{
	size_t size = order->size;
	size_t left = bounds[0];
	size_t right = bounds[1];

	for (size_t out = bounds[0]; out < bounds[2]; out++) {
		size_t take;

		/* equal elements are taken from the left: that is stability */
		if (right == bounds[2] ||
		    (left < bounds[1] &&
		     order->cmp(from + left * size, from + right * size,
				order->arg) <= 0))
			take = left++;
		else
			take = right++;
		memcpy(to + out * size, from + take * size, size);
	}
}

static size_t at_most(size_t value, size_t limit)
{
	return value < limit ? value : limit;
}

static void merge_all(const struct order *order, const unsigned char *from,
		      unsigned char *to, size_t n, size_t run)
{
	for (size_t low = 0; low < n; low += 2 * run) {
		size_t middle = at_most(low + run, n);
		size_t bounds[3] = { low, middle, at_most(middle + run, n) };

		merge(order, from, to, bounds);
	}
}

int wf_sort(void *base, size_t n, size_t size,
	    int (*cmp)(const void *, const void *, void *), void *arg)
{
	struct order order = { size, cmp, arg };
	unsigned char *from = base;
	unsigned char *buffer;
	unsigned char *to;

	if (n < 2 || size == 0)
		return WEFT_OK;
	if (n > SIZE_MAX / 2 / size)
		return WEFT_ERR_NOMEM;
	buffer = malloc(n * size);
	if (!buffer)
		return WEFT_ERR_NOMEM;
	to = buffer;
	for (size_t run = 1; run < n; run *= 2) {
		unsigned char *merged = to;

		merge_all(&order, from, to, n, run);
		to = from;
		from = merged;
	}
	if (from != base)
		memcpy(base, from, n * size);
	free(buffer);
	return WEFT_OK;
}
