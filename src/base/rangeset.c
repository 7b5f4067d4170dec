/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Set of 64-bit numbers, kept as merged ranges.
 *
 * Owns a sorted array. Called where context ids are classified, which happens
 * per communicator and per stray message, so moving the tail of the array at
 * an insertion is cheap enough.
 */
#include "base/rangeset.h"

#include <stdlib.h>
#include <string.h>
#include <weft/status.h>

void wf_rangeset_init(struct wf_rangeset *set, size_t keep)
{
	memset(set, 0, sizeof(*set));
	set->keep = keep;
}

void wf_rangeset_fini(struct wf_rangeset *set)
{
	free(set->ranges);
	wf_rangeset_init(set, set->keep);
}

/* Index of the first range that ends at x or later. */
static size_t lower(const struct wf_rangeset *set, uint64_t x)
{
	size_t low = 0;
	size_t high = set->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (set->ranges[middle].end < x)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Makes room for one more range. */
static int reserve(struct wf_rangeset *set)
{
	size_t capacity = set->capacity ? 2 * set->capacity : 8;
	struct wf_range *ranges;

	if (set->count < set->capacity)
		return WEFT_OK;
	ranges = realloc(set->ranges, capacity * sizeof(*ranges));
	if (!ranges)
		return WEFT_ERR_NOMEM;
	set->ranges = ranges;
	set->capacity = capacity;
	return WEFT_OK;
}

static void forget_lowest(struct wf_rangeset *set)
{
	set->count--;
	memmove(set->ranges, set->ranges + 1,
		set->count * sizeof(*set->ranges));
}

int wf_rangeset_add(struct wf_rangeset *set, uint64_t low, uint64_t end)
{
	size_t first = lower(set, low);
	size_t last = first;
	int status;

	if (low >= end)
		return WEFT_OK;
	status = reserve(set);
	if (status)
		return status;
	/* [first, last) are the ranges that the new one touches */
	while (last < set->count && set->ranges[last].low <= end)
		last++;
	if (first < last) {
		if (set->ranges[first].low < low)
			low = set->ranges[first].low;
		if (set->ranges[last - 1].end > end)
			end = set->ranges[last - 1].end;
	}
	memmove(set->ranges + first + 1, set->ranges + last,
		(set->count - last) * sizeof(*set->ranges));
	set->ranges[first] = (struct wf_range){ low, end };
	set->count = set->count + 1 - (last - first);
	if (set->keep && set->count > set->keep)
		forget_lowest(set);
	return WEFT_OK;
}

bool wf_rangeset_has(const struct wf_rangeset *set, uint64_t x)
{
	size_t at = x == UINT64_MAX ? set->count : lower(set, x + 1);

	return at < set->count && set->ranges[at].low <= x;
}
