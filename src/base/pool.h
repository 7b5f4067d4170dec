/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pool of objects of one size.
 *
 * Memory is taken in blocks of several objects and given back only by
 * wf_pool_fini(), so that getting and putting on the data path is a step of a
 * free list. Used by one thread at a time.
 */
#ifndef WEFT_BASE_POOL_H
#define WEFT_BASE_POOL_H

#include <stddef.h>
#include "base/assert.h"

/* A free object. */
struct wf_pool_item {
	struct wf_pool_item *next;
};

struct wf_pool_block;

struct wf_pool {
	struct wf_pool_item *free;
	struct wf_pool_block *blocks;
	size_t object_bytes;            /* rounded up to the alignment */
	size_t per_block;
	size_t live;                    /* objects out */
};

/* Allocates nothing yet; objects are aligned as malloc() aligns. */
void wf_pool_init(struct wf_pool *pool, size_t object_bytes, size_t per_block);

/* Gives all blocks back, also objects that are still out. */
void wf_pool_fini(struct wf_pool *pool);

/* A zeroed object; NULL: no memory. */
void *wf_pool_get(struct wf_pool *pool);

/* Another block of free ones, if there is memory. */
void wf_pool_grow(struct wf_pool *pool);

/* An object as it is, for who writes all of it; it may be large. */
static inline void *wf_pool_take(struct wf_pool *pool)
{
	struct wf_pool_item *item;

	if (!pool->free)
		wf_pool_grow(pool);
	item = pool->free;
	if (!item)
		return NULL;
	pool->free = item->next;
	pool->live++;
	return item;
}

/* NULL is allowed. */
static inline void wf_pool_put(struct wf_pool *pool, void *object)
{
	struct wf_pool_item *item = object;

	if (!item)
		return;
	WF_ASSERT(pool->live > 0);
	pool->live--;
	item->next = pool->free;
	pool->free = item;
}

#endif
