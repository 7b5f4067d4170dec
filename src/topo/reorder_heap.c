/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A binary heap that knows where each vertex is, so that a key changes in the
 * logarithm of its size.
 */
#include "topo/reorder_heap.h"

#include <stdlib.h>
#include <weft/status.h>

int wf_reorder_heap_init(struct wf_reorder_heap *heap, int n)
{
	size_t size = (size_t)n + 1;	/* malloc(0) may be NULL */

	heap->count = 0;
	heap->item = malloc(size * sizeof(*heap->item));
	heap->where = malloc(size * sizeof(*heap->where));
	heap->key = malloc(size * sizeof(*heap->key));
	if (!heap->item || !heap->where || !heap->key) {
		wf_reorder_heap_fini(heap);
		return WEFT_ERR_NOMEM;
	}
	for (int v = 0; v < n; v++)
		heap->where[v] = -1;
	return WEFT_OK;
}

void wf_reorder_heap_fini(struct wf_reorder_heap *heap)
{
	free(heap->item);
	free(heap->where);
	free(heap->key);
}

static bool above(const struct wf_reorder_heap *heap, int a, int b)
{
	if (heap->key[a] != heap->key[b])
		return heap->key[a] > heap->key[b];
	return a < b;
}

static void put_at(struct wf_reorder_heap *heap, int at, int v)
{
	heap->item[at] = v;
	heap->where[v] = at;
}

static void rise(struct wf_reorder_heap *heap, int at, int v)
{
	while (at > 0 && above(heap, v, heap->item[(at - 1) / 2])) {
		put_at(heap, at, heap->item[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
	put_at(heap, at, v);
}

static void sink(struct wf_reorder_heap *heap, int at, int v)
{
	for (;;) {
		int child = 2 * at + 1;

		if (child + 1 < heap->count &&
		    above(heap, heap->item[child + 1], heap->item[child]))
			child++;
		if (child >= heap->count || above(heap, v, heap->item[child]))
			break;
		put_at(heap, at, heap->item[child]);
		at = child;
	}
	put_at(heap, at, v);
}

void wf_reorder_heap_set(struct wf_reorder_heap *heap, int v, int64_t key)
{
	int at = heap->where[v];
	bool up = at < 0 || key > heap->key[v];

	heap->key[v] = key;
	if (at < 0)
		at = heap->count++;
	if (up)
		rise(heap, at, v);
	else
		sink(heap, at, v);
}

void wf_reorder_heap_drop(struct wf_reorder_heap *heap, int v)
{
	int at = heap->where[v];
	int last;

	if (at < 0)
		return;
	heap->where[v] = -1;
	last = heap->item[--heap->count];
	if (last == v)
		return;
	if (above(heap, last, v))
		rise(heap, at, last);
	else
		sink(heap, at, last);
}

int wf_reorder_heap_pop(struct wf_reorder_heap *heap)
{
	int v = heap->count ? heap->item[0] : -1;

	if (v >= 0)
		wf_reorder_heap_drop(heap, v);
	return v;
}

void wf_reorder_heap_clear(struct wf_reorder_heap *heap)
{
	while (heap->count)
		heap->where[heap->item[--heap->count]] = -1;
}
