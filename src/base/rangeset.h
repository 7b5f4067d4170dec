/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Set of 64-bit numbers, kept as merged ranges.
 *
 * Ranges that touch or overlap become one, so a set that fills up from below
 * stays at one range. With a bound the lowest range is forgotten when there
 * would be more: then a number that was added may be reported as absent, a
 * number that was not added never as present.
 */
#ifndef WEFT_BASE_RANGESET_H
#define WEFT_BASE_RANGESET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wf_range {
	uint64_t low;
	uint64_t end;                   /* one past the last */
};

struct wf_rangeset {
	struct wf_range *ranges;        /* ascending, with gaps between them */
	size_t count;
	size_t capacity;
	size_t keep;                    /* most ranges kept, 0: no bound */
};

/* Allocates nothing yet. keep 0: no bound. */
void wf_rangeset_init(struct wf_rangeset *set, size_t keep);
void wf_rangeset_fini(struct wf_rangeset *set);

/* Adds [low, end), nothing if empty; WEFT_OK or WEFT_ERR_NOMEM (unchanged). */
int wf_rangeset_add(struct wf_rangeset *set, uint64_t low, uint64_t end);

bool wf_rangeset_has(const struct wf_rangeset *set, uint64_t x);

/* The number of ranges, not of numbers. */
static inline size_t wf_rangeset_count(const struct wf_rangeset *set)
{
	return set->count;
}

#endif
