/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pool: objects are zeroed, apart and aligned, come back, and run out.
 */
#include "base/pool.h"
#include "tests/fail_malloc.h"
#include "tests/tap.h"

#include <stdalign.h>
#include <stdint.h>

#define OBJECTS 100

static void distinct(void)
{
	static const size_t sizes[] = { 1, 8, 16, 17, 100 };

	for (int s = 0; s < TAP_COUNT(sizes); s++) {
		unsigned char *objects[OBJECTS];
		struct wf_pool pool;

		wf_pool_init(&pool, sizes[s], 7);
		for (int i = 0; i < OBJECTS; i++) {
			objects[i] = wf_pool_get(&pool);
			TAP_CHECK((uintptr_t)objects[i] %
				  alignof(max_align_t) == 0);
			for (size_t b = 0; b < sizes[s]; b++)
				TAP_EQUAL(objects[i][b], 0);
			memset(objects[i], i + 1, sizes[s]);
		}
		for (int i = 0; i < OBJECTS; i++) {
			for (size_t b = 0; b < sizes[s]; b++)
				TAP_EQUAL(objects[i][b], i + 1);
			wf_pool_put(&pool, objects[i]);
		}
		TAP_EQUAL(pool.live, 0);
		wf_pool_fini(&pool);
	}
}

/* What was put is got again, zeroed, without a new block. */
static void reuse(void)
{
	struct wf_pool pool;
	unsigned char *a;

	wf_pool_init(&pool, 24, 4);
	a = wf_pool_get(&pool);
	memset(a, 0xff, 24);
	wf_pool_put(&pool, a);
	wf_pool_put(&pool, NULL);
	fail_malloc_at(1);
	for (int i = 0; i < 4; i++) {
		unsigned char *b = wf_pool_get(&pool);

		if (TAP_CHECK(b != NULL)) {
			TAP_EQUAL(b[0], 0);
			TAP_EQUAL(b[23], 0);
		}
	}
	TAP_EQUAL(fail_malloc_count(), 0);
	TAP_CHECK(wf_pool_get(&pool) == NULL);
	TAP_EQUAL(pool.live, 4);
	fail_malloc_at(0);
	TAP_CHECK(wf_pool_get(&pool) != NULL);
	wf_pool_fini(&pool);
}

/* All but the first bytes of what was put, which link it while it is free. */
static void taken_as_it_is(void)
{
	struct wf_pool pool;
	unsigned char *a, *b;

	wf_pool_init(&pool, 24, 4);
	a = wf_pool_take(&pool);
	memset(a, 0xff, 24);
	wf_pool_put(&pool, a);
	b = wf_pool_take(&pool);
	TAP_CHECK(a == b);
	TAP_EQUAL(b[23], 0xff);
	TAP_EQUAL(pool.live, 1);
	wf_pool_fini(&pool);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "distinct, aligned and zeroed", distinct },
		{ "reuse and no memory", reuse },
		{ "taken as it is", taken_as_it_is },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
