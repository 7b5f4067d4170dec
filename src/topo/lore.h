/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What all ranks of a graph know of the whole of it, and what makes it one of
 * another kind than a distributed one.  Constant, and shared by duplicates.
 */
#ifndef WEFT_TOPO_LORE_H
#define WEFT_TOPO_LORE_H

#include <weft/graph.h>
#include "base/hash.h"

struct weft_job;

/* The first of what a kind has. */
struct wf_lore {
	enum weft_topo kind;
	int n;				/* ranks of the graph */
	/*
	 * Edges come in pairs, to two sides.  What goes to the first one of a
	 * pair comes from the second one there, so that of edges between the
	 * same two ranks an in-edge is matched before the one that it follows.
	 */
	bool mirrored;
	uint64_t print;			/* of all that ranks have to pass
					   alike, less than 2^62 */
	const char *alike;		/* which is this, for people */
	int refs;
	void (*destroy)(struct wf_lore *lore, struct weft_job *job);
};

/* A reference more; NULL: there is none. */
static inline struct wf_lore *wf_lore_hold(struct wf_lore *lore)
{
	if (lore)
		lore->refs++;
	return lore;
}

/* Of n numbers, and of what they are. */
static inline uint64_t wf_lore_print(const int *number, size_t n, uint64_t what)
{
	return wf_hash64(number, n * sizeof(*number), what) >> 2;
}

static inline void wf_lore_drop(struct wf_lore *lore, struct weft_job *job)
{
	if (lore && !--lore->refs)
		lore->destroy(lore, job);
}

#endif
