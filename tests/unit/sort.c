/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sort: against a slow sort of its own, stable, all lengths, no memory.
 */
#include "base/sort.h"
#include "base/random.h"
#include "tests/fail_malloc.h"
#include "tests/tap.h"

#include <stdint.h>
#include <weft/status.h>

#define MOST 130

struct item {
	int key;
	int place;                      /* before the sort */
	char more[3];
};

static int by_key(const void *a, const void *b, void *arg)
{
	const struct item *x = a;
	const struct item *y = b;

	++*(long *)arg;
	return x->key < y->key ? -1 : x->key > y->key;
}

/* Insertion from the left is stable and obviously right. */
static void insert(struct item *items, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct item item = items[i];
		size_t at = i;

		for (; at > 0 && items[at - 1].key > item.key; at--)
			items[at] = items[at - 1];
		items[at] = item;
	}
}

static void one_length(size_t n, uint64_t keys)
{
	struct item want[MOST];
	struct item have[MOST];
	struct wf_random random;
	long compared = 0;

	wf_random_init(&random, n);
	memset(want, 0, sizeof(want));
	for (size_t i = 0; i < n; i++) {
		want[i].key = (int)wf_random_below(&random, keys) - 3;
		want[i].place = (int)i;
	}
	memcpy(have, want, sizeof(want));
	insert(want, n);
	TAP_EQUAL(wf_sort(have, n, sizeof(*have), by_key, &compared), 0);
	for (size_t i = 0; i < n; i++)
		TAP_CHECK(have[i].key == want[i].key &&
			  have[i].place == want[i].place);
	/* n log2 n, rounded up */
	TAP_CHECK(compared <= (long)n * 8);
}

static void lengths(void)
{
	for (size_t n = 0; n <= MOST; n++) {
		one_length(n, 5);
		one_length(n, 1000000);
	}
}

static int by_byte(const void *a, const void *b, void *arg)
{
	(void)arg;
	return *(const unsigned char *)a - *(const unsigned char *)b;
}

static void bytes(void)
{
	char text[] = "shuttle";

	TAP_EQUAL(wf_sort(text, 7, 1, by_byte, NULL), WEFT_OK);
	TAP_CHECK(strcmp(text, "ehlsttu") == 0);
	TAP_EQUAL(wf_sort(text, 7, 0, by_byte, NULL), WEFT_OK);
}

static void no_memory(void)
{
	char text[] = "warp";

	fail_malloc_at(1);
	TAP_EQUAL(wf_sort(text, 4, 1, by_byte, NULL), WEFT_ERR_NOMEM);
	fail_malloc_at(0);
	TAP_CHECK(strcmp(text, "warp") == 0);
	TAP_EQUAL(wf_sort(text, SIZE_MAX / 2, 3, by_byte, NULL),
		  WEFT_ERR_NOMEM);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "lengths", lengths },
		{ "bytes", bytes },
		{ "no memory", no_memory },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
