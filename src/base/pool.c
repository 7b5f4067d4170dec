/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pool of objects of one size.
 *
 * Owns the blocks. A free object holds the link to the next free one in its
 * first bytes, hence no object is smaller than a pointer.
 */
#include "base/pool.h"

#include "base/assert.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

struct wf_pool_block {
	struct wf_pool_block *next;
	alignas(max_align_t) unsigned char objects[];
};

void wf_pool_init(struct wf_pool *pool, size_t object_bytes, size_t per_block)
{
	size_t align = alignof(max_align_t);

	WF_ASSERT(per_block > 0);
	if (object_bytes < sizeof(struct wf_pool_item))
		object_bytes = sizeof(struct wf_pool_item);
	memset(pool, 0, sizeof(*pool));
	pool->object_bytes = (object_bytes + align - 1) / align * align;
	pool->per_block = per_block;
}

void wf_pool_fini(struct wf_pool *pool)
{
	while (pool->blocks) {
		struct wf_pool_block *block = pool->blocks;

		pool->blocks = block->next;
		free(block);
	}
	pool->free = NULL;
	pool->live = 0;
}

static void push(struct wf_pool *pool, void *object)
{
	struct wf_pool_item *item = object;

	item->next = pool->free;
	pool->free = item;
}

/* The objects of the new block come out in the order of their addresses. */
void wf_pool_grow(struct wf_pool *pool)
{
	struct wf_pool_block *block;

	block = malloc(sizeof(*block) + pool->per_block * pool->object_bytes);
	if (!block)
		return;
	block->next = pool->blocks;
	pool->blocks = block;
	for (size_t i = pool->per_block; i > 0; i--)
		push(pool, block->objects + (i - 1) * pool->object_bytes);
}

void *wf_pool_get(struct wf_pool *pool)
{
	void *object = wf_pool_take(pool);

	return object ? memset(object, 0, pool->object_bytes) : NULL;
}
