/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Map: random puts and deletes against an array, keys at the ends of the
 * range, growth, no memory.
 */
#include "base/map.h"
#include "base/random.h"
#include "tests/fail_malloc.h"
#include "tests/tap.h"

#include <weft/status.h>

#define KEYS 600

static char values[KEYS];

static void empty(void)
{
	struct wf_map map;
	size_t cursor = 0;

	wf_map_init(&map);
	TAP_CHECK(wf_map_get(&map, 0) == NULL);
	TAP_CHECK(wf_map_del(&map, 0) == NULL);
	TAP_CHECK(!wf_map_next(&map, &cursor, NULL, NULL));
	TAP_EQUAL(wf_map_count(&map), 0);
	wf_map_fini(&map);
}

static void extreme_keys(void)
{
	static const uint64_t keys[] = { 0, 1, UINT64_MAX, 1ull << 63 };
	struct wf_map map;

	wf_map_init(&map);
	for (int i = 0; i < 4; i++)
		TAP_EQUAL(wf_map_put(&map, keys[i], &values[i]), WEFT_OK);
	for (int i = 0; i < 4; i++)
		TAP_CHECK(wf_map_get(&map, keys[i]) == &values[i]);
	TAP_CHECK(wf_map_get(&map, 2) == NULL);
	TAP_EQUAL(wf_map_put(&map, 0, &values[9]), WEFT_OK);
	TAP_CHECK(wf_map_get(&map, 0) == &values[9]);
	TAP_EQUAL(wf_map_count(&map), 4);
	wf_map_fini(&map);
}

/* The map holds exactly what the array says. */
static void compare(const struct wf_map *map, char *const *model)
{
	size_t cursor = 0;
	size_t present = 0;
	uint64_t key;
	void *value;

	for (uint64_t i = 0; i < KEYS; i++) {
		TAP_CHECK(wf_map_get(map, i << 20) == model[i]);
		present += model[i] != NULL;
	}
	TAP_EQUAL(wf_map_count(map), present);
	while (wf_map_next(map, &cursor, &key, &value)) {
		TAP_CHECK(model[key >> 20] == value);
		present--;
	}
	TAP_EQUAL(present, 0);
}

/* Deletes are as frequent as puts, so that gaps are closed all the time. */
static void against_array(void)
{
	char *model[KEYS] = { NULL };
	struct wf_random random;
	struct wf_map map;

	wf_random_init(&random, 5);
	wf_map_init(&map);
	for (int step = 0; step < 60000; step++) {
		/* the range of keys grows: the map is often nearly full */
		uint64_t limit = 12 + (uint64_t)step * (KEYS - 12) / 60000;
		uint64_t i = wf_random_below(&random, limit);

		if (wf_random_below(&random, 2)) {
			model[i] = &values[wf_random_below(&random, KEYS)];
			TAP_EQUAL(wf_map_put(&map, i << 20, model[i]), 0);
		} else {
			TAP_CHECK(wf_map_del(&map, i << 20) == model[i]);
			model[i] = NULL;
		}
		if (step % 500 == 0)
			compare(&map, model);
	}
	compare(&map, model);
	wf_map_fini(&map);
}

static void no_memory(void)
{
	struct wf_map map;
	uint64_t n = 0;

	wf_map_init(&map);
	fail_malloc_at(1);
	TAP_EQUAL(wf_map_put(&map, 1, values), WEFT_ERR_NOMEM);
	TAP_EQUAL(wf_map_count(&map), 0);
	fail_malloc_at(2);
	while (wf_map_put(&map, n, values) == WEFT_OK)
		n++;
	fail_malloc_at(0);
	TAP_EQUAL(n, 12);
	for (uint64_t i = 0; i < n; i++)
		TAP_CHECK(wf_map_get(&map, i) == values);
	TAP_CHECK(wf_map_get(&map, n) == NULL);
	TAP_EQUAL(wf_map_put(&map, n, values), WEFT_OK);
	TAP_EQUAL(wf_map_count(&map), n + 1);
	wf_map_fini(&map);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "empty", empty },
		{ "extreme keys", extreme_keys },
		{ "against an array", against_array },
		{ "no memory", no_memory },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
