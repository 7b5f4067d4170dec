/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Range set: random ranges against a bit per number, the ends of the range of
 * numbers, the bound, no memory.
 */
#include "base/rangeset.h"
#include "base/random.h"
#include "tests/fail_malloc.h"
#include "tests/tap.h"

#include <weft/status.h>

#define NUMBERS 300

static void merging(void)
{
	struct wf_rangeset set;

	wf_rangeset_init(&set, 0);
	TAP_CHECK(!wf_rangeset_has(&set, 0));
	TAP_EQUAL(wf_rangeset_add(&set, 10, 20), WEFT_OK);
	TAP_EQUAL(wf_rangeset_add(&set, 30, 40), WEFT_OK);
	TAP_EQUAL(wf_rangeset_add(&set, 5, 5), WEFT_OK);
	TAP_EQUAL(wf_rangeset_add(&set, 9, 5), WEFT_OK);
	TAP_EQUAL(wf_rangeset_count(&set), 2);
	TAP_CHECK(!wf_rangeset_has(&set, 9) && wf_rangeset_has(&set, 10));
	TAP_CHECK(wf_rangeset_has(&set, 19) && !wf_rangeset_has(&set, 20));
	/* touching at both ends makes one range of three */
	TAP_EQUAL(wf_rangeset_add(&set, 20, 30), WEFT_OK);
	TAP_EQUAL(wf_rangeset_count(&set), 1);
	TAP_CHECK(wf_rangeset_has(&set, 39) && !wf_rangeset_has(&set, 40));
	wf_rangeset_fini(&set);
}

static void extremes(void)
{
	struct wf_rangeset set;

	wf_rangeset_init(&set, 0);
	TAP_EQUAL(wf_rangeset_add(&set, 0, 1), WEFT_OK);
	TAP_EQUAL(wf_rangeset_add(&set, UINT64_MAX - 1, UINT64_MAX), WEFT_OK);
	TAP_CHECK(wf_rangeset_has(&set, 0) && !wf_rangeset_has(&set, 1));
	TAP_CHECK(wf_rangeset_has(&set, UINT64_MAX - 1));
	TAP_CHECK(!wf_rangeset_has(&set, UINT64_MAX - 2));
	TAP_CHECK(!wf_rangeset_has(&set, UINT64_MAX));
	wf_rangeset_fini(&set);
}

static size_t ranges_of(const bool *model)
{
	size_t count = model[0];

	for (int i = 1; i < NUMBERS; i++)
		count += model[i] && !model[i - 1];
	return count;
}

static void against_bits(void)
{
	struct wf_random random;

	wf_random_init(&random, 11);
	for (int round = 0; round < 200; round++) {
		bool model[NUMBERS] = { false };
		struct wf_rangeset set;

		wf_rangeset_init(&set, 0);
		for (int step = 0; step < 60; step++) {
			uint64_t low = wf_random_below(&random, NUMBERS);
			uint64_t n = wf_random_below(&random, 8);
			uint64_t end = low + n < NUMBERS ? low + n : NUMBERS;

			TAP_EQUAL(wf_rangeset_add(&set, low, end), WEFT_OK);
			for (uint64_t i = low; i < end; i++)
				model[i] = true;
			TAP_EQUAL(wf_rangeset_count(&set), ranges_of(model));
		}
		for (uint64_t i = 0; i < NUMBERS; i++)
			TAP_EQUAL(wf_rangeset_has(&set, i), model[i]);
		wf_rangeset_fini(&set);
	}
}

/* Over the bound the lowest is forgotten; nothing is ever made up. */
static void bound(void)
{
	struct wf_rangeset set;

	wf_rangeset_init(&set, 3);
	for (uint64_t i = 0; i < 10; i++) {
		TAP_EQUAL(wf_rangeset_add(&set, 10 * i, 10 * i + 2), WEFT_OK);
		TAP_EQUAL(wf_rangeset_count(&set), i < 3 ? i + 1 : 3);
	}
	for (uint64_t i = 0; i < 100; i++)
		TAP_EQUAL(wf_rangeset_has(&set, i), i >= 70 && i % 10 < 2);
	TAP_EQUAL(wf_rangeset_add(&set, 72, 80), WEFT_OK);
	TAP_EQUAL(wf_rangeset_count(&set), 2);
	wf_rangeset_fini(&set);
}

static void no_memory(void)
{
	struct wf_rangeset set;
	uint64_t n = 0;

	wf_rangeset_init(&set, 0);
	fail_malloc_at(2);
	while (wf_rangeset_add(&set, 2 * n, 2 * n + 1) == WEFT_OK)
		n++;
	fail_malloc_at(0);
	TAP_EQUAL(wf_rangeset_count(&set), n);
	TAP_CHECK(n > 0 && n < 100);
	TAP_CHECK(wf_rangeset_has(&set, 2 * n - 2));
	TAP_CHECK(!wf_rangeset_has(&set, 2 * n));
	TAP_EQUAL(wf_rangeset_add(&set, 2 * n, 2 * n + 1), WEFT_OK);
	wf_rangeset_fini(&set);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "merging", merging },
		{ "extremes", extremes },
		{ "against a bit per number", against_bits },
		{ "bound", bound },
		{ "no memory", no_memory },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
