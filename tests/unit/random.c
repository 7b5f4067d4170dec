/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random numbers: the published ones of the generator, limits, evenness.
 */
#include "base/random.h"
#include "tests/tap.h"

/* From the reference code of xoshiro256**, state 1, 2, 3, 4. */
static void published(void)
{
	static const uint64_t want[] = {
		11520ull, 0ull, 1509978240ull, 1215971899390074240ull,
		1216172134540287360ull, 607988272756665600ull,
	};
	struct wf_random random = { { 1, 2, 3, 4 } };

	for (int i = 0; i < TAP_COUNT(want); i++)
		TAP_CHECK(wf_random_u64(&random) == want[i]);
}

/* From the reference code of splitmix64, seed 1234567. */
static void seeded(void)
{
	struct wf_random a, b;

	wf_random_init(&a, 1234567);
	TAP_CHECK(a.s[0] == 6457827717110365317ull);
	TAP_CHECK(a.s[1] == 3203168211198807973ull);
	TAP_CHECK(a.s[2] == 9817491932198370423ull);
	TAP_CHECK(a.s[3] == 4593380528125082431ull);
	wf_random_init(&a, 0);
	wf_random_init(&b, 1);
	TAP_CHECK(wf_random_u64(&a) != wf_random_u64(&b));
}

static void below(void)
{
	struct wf_random random;
	long count[10] = { 0 };

	wf_random_init(&random, 1);
	for (int i = 0; i < 100000; i++)
		count[wf_random_below(&random, 10)]++;
	/* 10000 each, standard deviation 95 */
	for (int i = 0; i < 10; i++)
		TAP_CHECK(count[i] > 9500 && count[i] < 10500);
	for (int i = 0; i < 100; i++)
		TAP_CHECK(wf_random_below(&random, 1) == 0);
}

/*
 * n is three quarters of 2^64: taken modulo n without rejecting any, half of
 * the results would lie in the lowest third.
 */
static void no_bias(void)
{
	const uint64_t n = (1ull << 63) + (1ull << 62);
	struct wf_random random;
	int low = 0;

	wf_random_init(&random, 2);
	for (int i = 0; i < 30000; i++) {
		uint64_t x = wf_random_below(&random, n);

		TAP_CHECK(x < n);
		low += x < 1ull << 62;
	}
	/* a third of 30000, standard deviation 82 */
	TAP_CHECK(low > 9500 && low < 10500);
}

static void unit(void)
{
	struct wf_random random;
	double sum = 0;

	wf_random_init(&random, 3);
	for (int i = 0; i < 100000; i++) {
		double x = wf_random_unit(&random);

		TAP_CHECK(x >= 0 && x < 1);
		sum += x;
	}
	TAP_CHECK(sum > 49500 && sum < 50500);
	random = (struct wf_random){ { 0, UINT64_MAX, 0, 0 } };
	TAP_CHECK(wf_random_unit(&random) < 1);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "published numbers", published },
		{ "seeded", seeded },
		{ "below", below },
		{ "no bias", no_bias },
		{ "unit", unit },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
