/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Allocator of offsets in memory that it never touches.
 *
 * Owns a sorted array of live blocks; what lies between them is free. First
 * fit from the lowest offset keeps the used end low, so an arena grows only
 * when it must. `packed` skips the blocks at the bottom that have no gap
 * between them, which keeps a long series of gets linear.
 */
#include "base/alloc.h"

#include "base/assert.h"

#include <stdlib.h>
#include <string.h>
#include <weft/status.h>

void wf_alloc_init(struct wf_alloc *alloc, size_t limit)
{
	memset(alloc, 0, sizeof(*alloc));
	alloc->limit = limit;
}

void wf_alloc_fini(struct wf_alloc *alloc)
{
	free(alloc->blocks);
	wf_alloc_init(alloc, 0);
}

/* What a block takes, at least one unit. */
static uint64_t rounded(size_t bytes)
{
	uint64_t units = ((uint64_t)bytes + WF_ALLOC_UNIT - 1) / WF_ALLOC_UNIT;

	return (units ? units : 1) * WF_ALLOC_UNIT;
}

static uint64_t block_end(const struct wf_alloc_block *block)
{
	return block->offset + rounded(block->bytes);
}

static uint64_t end_before(const struct wf_alloc *alloc, size_t index)
{
	return index ? block_end(&alloc->blocks[index - 1]) : 0;
}

static int reserve(struct wf_alloc *alloc)
{
	size_t capacity = alloc->capacity ? 2 * alloc->capacity : 16;
	struct wf_alloc_block *blocks;

	if (alloc->count < alloc->capacity)
		return WEFT_OK;
	blocks = realloc(alloc->blocks, capacity * sizeof(*blocks));
	if (!blocks)
		return WEFT_ERR_NOMEM;
	alloc->blocks = blocks;
	alloc->capacity = capacity;
	return WEFT_OK;
}

/* Index where a block of this size goes, and its offset; false: no gap. */
static bool find_gap(const struct wf_alloc *alloc, uint64_t size,
		     uint64_t align, size_t *index_p, uint64_t *offset_p)
{
	for (size_t i = alloc->packed; i <= alloc->count; i++) {
		uint64_t offset = end_before(alloc, i);
		uint64_t end = i < alloc->count ? alloc->blocks[i].offset
						: alloc->limit;

		offset = (offset + align - 1) & ~(align - 1);
		if (offset > end || end - offset < size)
			continue;
		*index_p = i;
		*offset_p = offset;
		return true;
	}
	return false;
}

/* Moves `packed` up over the blocks that now follow each other. */
static void pack(struct wf_alloc *alloc)
{
	while (alloc->packed < alloc->count &&
	       alloc->blocks[alloc->packed].offset ==
	       end_before(alloc, alloc->packed))
		alloc->packed++;
}

int wf_alloc_get(struct wf_alloc *alloc, size_t bytes, size_t align,
		 uint64_t *offset_p)
{
	struct wf_alloc_block block = { .bytes = bytes };
	size_t index;
	int status;

	WF_ASSERT((align & (align - 1)) == 0);
	if (align < WF_ALLOC_UNIT)
		align = WF_ALLOC_UNIT;
	alloc->full = bytes > alloc->limit ||
		      !find_gap(alloc, rounded(bytes), align, &index,
				&block.offset);
	if (alloc->full)
		return WEFT_ERR_NOMEM;
	status = reserve(alloc);
	if (status)
		return status;
	alloc->generation++;
	if (alloc->generation == 0)
		alloc->generation = 1;
	block.generation = alloc->generation;
	memmove(alloc->blocks + index + 1, alloc->blocks + index,
		(alloc->count - index) * sizeof(block));
	alloc->blocks[index] = block;
	alloc->count++;
	pack(alloc);
	*offset_p = block.offset;
	return WEFT_OK;
}

/* The last block that begins at offset or below; NULL: none does. */
static struct wf_alloc_block *find(const struct wf_alloc *alloc,
				   uint64_t offset)
{
	size_t low = 0;
	size_t high = alloc->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (alloc->blocks[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &alloc->blocks[low - 1] : NULL;
}

static struct wf_alloc_block *find_start(const struct wf_alloc *alloc,
					 uint64_t offset)
{
	struct wf_alloc_block *block = find(alloc, offset);

	return block && block->offset == offset ? block : NULL;
}

void wf_alloc_put(struct wf_alloc *alloc, uint64_t offset)
{
	struct wf_alloc_block *block = find_start(alloc, offset);
	size_t index;

	WF_ASSERT(block);
	index = (size_t)(block - alloc->blocks);
	alloc->count--;
	memmove(block, block + 1, (alloc->count - index) * sizeof(*block));
	if (alloc->packed > index)
		alloc->packed = index;
}

void wf_alloc_drop(struct wf_alloc *alloc, uint64_t offset)
{
	struct wf_alloc_block *block = find_start(alloc, offset);

	WF_ASSERT(block && !block->gone);
	block->gone = true;
}

void wf_alloc_sweep(struct wf_alloc *alloc)
{
	size_t kept = 0;

	for (size_t i = 0; i < alloc->count; i++) {
		if (alloc->blocks[i].gone) {
			if (alloc->packed > kept)
				alloc->packed = kept;
			continue;
		}
		alloc->blocks[kept++] = alloc->blocks[i];
	}
	alloc->count = kept;
}

size_t wf_alloc_bytes(const struct wf_alloc *alloc, uint64_t offset)
{
	const struct wf_alloc_block *block = find_start(alloc, offset);

	return block ? block->bytes : 0;
}

void wf_alloc_lend(struct wf_alloc *alloc, uint64_t offset)
{
	struct wf_alloc_block *block = find_start(alloc, offset);

	WF_ASSERT(block);
	block->lent = true;
}

bool wf_alloc_take_back(struct wf_alloc *alloc, uint64_t offset)
{
	struct wf_alloc_block *block = find_start(alloc, offset);
	bool lent = block && block->lent;

	if (lent)
		block->lent = false;
	return lent;
}

uint32_t wf_alloc_generation(const struct wf_alloc *alloc, uint64_t offset)
{
	const struct wf_alloc_block *block = find(alloc, offset);

	if (!block || offset >= block_end(block))
		return 0;
	return block->generation;
}

uint64_t wf_alloc_end(const struct wf_alloc *alloc)
{
	return end_before(alloc, alloc->count);
}
