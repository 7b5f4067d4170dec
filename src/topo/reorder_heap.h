/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Vertices by a key that changes: the one with the greatest is on top, of equal
 * ones the lowest number, so that nothing depends on the order of calls.
 */
#ifndef WEFT_TOPO_REORDER_HEAP_H
#define WEFT_TOPO_REORDER_HEAP_H

#include <stdbool.h>
#include <stdint.h>

struct wf_reorder_heap {
	int count;
	int *item;                      /* below i are 2i + 1 and 2i + 2 */
	int *where;                     /* of vertex v in item; -1: not here */
	int64_t *key;                   /* of vertex v */
};

/* Empty, for vertices in [0, n).  WEFT_OK or WEFT_ERR_NOMEM. */
int wf_reorder_heap_init(struct wf_reorder_heap *heap, int n);
void wf_reorder_heap_fini(struct wf_reorder_heap *heap);

static inline bool wf_reorder_heap_has(const struct wf_reorder_heap *heap,
				       int v)
{
	return heap->where[v] >= 0;
}

/* Puts v in, or gives it another key. */
void wf_reorder_heap_set(struct wf_reorder_heap *heap, int v, int64_t key);

/* Takes v out, if it is here. */
void wf_reorder_heap_drop(struct wf_reorder_heap *heap, int v);

/* Takes the top out; -1: there is none. */
int wf_reorder_heap_pop(struct wf_reorder_heap *heap);

void wf_reorder_heap_clear(struct wf_reorder_heap *heap);

#endif
