/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Map from 64-bit keys to pointers.
 *
 * Owns the table of entries. The invariant of linear probing that every
 * function keeps: between the home of a key and the place of its entry no
 * entry is free.
 */
#include "base/map.h"

#include "base/assert.h"
#include "base/zeroed.h"

#include <stdlib.h>
#include <weft/status.h>

#define FIRST_CAPACITY 16

/* Keys are often consecutive or multiples of a power of two: mix all bits. */
static size_t home(const struct wf_map *map, uint64_t key)
{
	key ^= key >> 33;
	key *= 0xff51afd7ed558ccdull;
	key ^= key >> 33;
	key *= 0xc4ceb9fe1a85ec53ull;
	key ^= key >> 33;
	return (size_t)key & (map->capacity - 1);
}

/* The entry of the key, or the free one where it would go. */
static struct wf_map_entry *find(const struct wf_map *map, uint64_t key)
{
	size_t at = home(map, key);

	while (map->entries[at].value && map->entries[at].key != key)
		at = (at + 1) & (map->capacity - 1);
	return &map->entries[at];
}

static int grow(struct wf_map *map)
{
	size_t capacity = map->capacity ? 2 * map->capacity : FIRST_CAPACITY;
	struct wf_map larger = { NULL, capacity, map->count };

	larger.entries = wf_zeroed(capacity, sizeof(*larger.entries));
	if (!larger.entries)
		return WEFT_ERR_NOMEM;
	for (size_t i = 0; i < map->capacity; i++) {
		if (map->entries[i].value)
			*find(&larger, map->entries[i].key) = map->entries[i];
	}
	free(map->entries);
	*map = larger;
	return WEFT_OK;
}

void wf_map_init(struct wf_map *map)
{
	*map = (struct wf_map){ NULL, 0, 0 };
}

void wf_map_fini(struct wf_map *map)
{
	free(map->entries);
	wf_map_init(map);
}

int wf_map_put(struct wf_map *map, uint64_t key, void *value)
{
	struct wf_map_entry *entry = map->capacity ? find(map, key) : NULL;

	WF_ASSERT(value);
	if (entry && entry->value) {
		entry->value = value;
		return WEFT_OK;
	}
	if (4 * (map->count + 1) > 3 * map->capacity) {
		int status = grow(map);

		if (status)
			return status;
		entry = find(map, key);
	}
	entry->key = key;
	entry->value = value;
	map->count++;
	return WEFT_OK;
}

void *wf_map_get(const struct wf_map *map, uint64_t key)
{
	return map->capacity ? find(map, key)->value : NULL;
}

/*
 * Closes the gap at a free entry: an entry behind it moves into the gap if the
 * gap lies on its way from its home, and leaves a gap itself.
 */
static void close_gap(struct wf_map *map, size_t gap)
{
	size_t mask = map->capacity - 1;

	for (size_t at = (gap + 1) & mask; map->entries[at].value;
	     at = (at + 1) & mask) {
		size_t from = home(map, map->entries[at].key);

		if (((at - from) & mask) < ((at - gap) & mask))
			continue;
		map->entries[gap] = map->entries[at];
		map->entries[at].value = NULL;
		gap = at;
	}
}

void *wf_map_del(struct wf_map *map, uint64_t key)
{
	struct wf_map_entry *entry = map->capacity ? find(map, key) : NULL;
	void *value = entry ? entry->value : NULL;

	if (!value)
		return NULL;
	entry->value = NULL;
	map->count--;
	close_gap(map, (size_t)(entry - map->entries));
	return value;
}

bool wf_map_next(const struct wf_map *map, size_t *cursor, uint64_t *key_p,
		 void **value_p)
{
	while (*cursor < map->capacity) {
		const struct wf_map_entry *entry = &map->entries[(*cursor)++];

		if (!entry->value)
			continue;
		if (key_p)
			*key_p = entry->key;
		if (value_p)
			*value_p = entry->value;
		return true;
	}
	return false;
}
