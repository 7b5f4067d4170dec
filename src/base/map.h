/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Map from 64-bit keys to pointers.
 *
 * Open addressing with linear probing in an array of a power of two, at most
 * three quarters full; deleting moves later entries back, so there are no
 * tombstones. Any key is allowed, a value is never NULL. The order of a walk
 * says nothing: whatever can be seen outside must be sorted first.
 */
#ifndef WEFT_BASE_MAP_H
#define WEFT_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wf_map_entry {
	uint64_t key;
	void *value;                    /* NULL: the entry is free */
};

struct wf_map {
	struct wf_map_entry *entries;
	size_t capacity;                /* 0 or a power of two */
	size_t count;
};

/* Allocates nothing yet. */
void wf_map_init(struct wf_map *map);

/* Gives the table back; what the values point to is the caller's. */
void wf_map_fini(struct wf_map *map);

/* Adds or replaces. WEFT_OK, or WEFT_ERR_NOMEM with the map unchanged. */
int wf_map_put(struct wf_map *map, uint64_t key, void *value);

/* NULL: not in the map. */
void *wf_map_get(const struct wf_map *map, uint64_t key);

/* Takes the entry out and returns its value; NULL: not in the map. */
void *wf_map_del(struct wf_map *map, uint64_t key);

static inline size_t wf_map_count(const struct wf_map *map)
{
	return map->count;
}

/*
 * A walk: *cursor is 0 at the start, false means that nothing is left. key_p
 * and value_p may be NULL. The map must not change during the walk, except
 * that a value may be replaced by wf_map_put() of a present key.
 */
bool wf_map_next(const struct wf_map *map, size_t *cursor, uint64_t *key_p,
		 void **value_p);

#endif
