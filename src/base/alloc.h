/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Allocator of offsets in memory that it never touches.
 *
 * For arenas that peers write into: the bookkeeping lies outside, so a stray
 * put cannot break it. A block is a multiple of WF_ALLOC_UNIT at a multiple of
 * it, so no two blocks share a cache line. Every block gets a generation that
 * no earlier block had; whoever remembers (offset, generation) can tell later
 * whether the memory still is what it was.
 */
#ifndef WEFT_BASE_ALLOC_H
#define WEFT_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WF_ALLOC_UNIT 64

struct wf_alloc_block {
	uint64_t offset;
	size_t bytes;                   /* as asked for, not rounded */
	uint32_t generation;
	bool gone;                      /* the next sweep takes it */
	bool lent;                      /* to the program */
};

struct wf_alloc {
	struct wf_alloc_block *blocks;  /* live ones, ascending offsets */
	size_t count;
	size_t capacity;
	size_t packed;                  /* no gap before blocks[packed] */
	uint64_t limit;
	uint32_t generation;            /* of the latest block */
	bool full;                      /* the last get found no room */
};

/* Manages [0, limit); allocates nothing yet. */
void wf_alloc_init(struct wf_alloc *alloc, size_t limit);
void wf_alloc_fini(struct wf_alloc *alloc);

/*
 * Takes the lowest gap that fits. bytes 0 is allowed and takes one unit; align
 * is a power of two, 0 for the unit.
 * WEFT_OK, WEFT_ERR_NOMEM (no gap, or no memory for the bookkeeping).
 */
int wf_alloc_get(struct wf_alloc *alloc, size_t bytes, size_t align,
		 uint64_t *offset_p);

/* offset is the beginning of a live block. */
void wf_alloc_put(struct wf_alloc *alloc, uint64_t offset);

/* The same in two steps: until the sweep nobody else gets the memory. */
void wf_alloc_drop(struct wf_alloc *alloc, uint64_t offset);
void wf_alloc_sweep(struct wf_alloc *alloc);

/* Bytes asked for by the block that begins at offset; 0: none does. */
size_t wf_alloc_bytes(const struct wf_alloc *alloc, uint64_t offset);

/* The live block that begins at offset is lent to the program. */
void wf_alloc_lend(struct wf_alloc *alloc, uint64_t offset);

/* Takes such a block back; false: none begins there. */
bool wf_alloc_take_back(struct wf_alloc *alloc, uint64_t offset);

/* Generation, 1 or more, of the block that contains offset; 0: none does. */
uint32_t wf_alloc_generation(const struct wf_alloc *alloc, uint64_t offset);

/* One past the last byte in use, a multiple of the unit; 0: nothing is. */
uint64_t wf_alloc_end(const struct wf_alloc *alloc);

#endif
