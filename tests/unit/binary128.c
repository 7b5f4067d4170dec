/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * long double as 128 bits: what is special, written by hand from the formats,
 * and drawn bits against what the compiler makes of them.
 */
#include "tests/tap.h"

#include "base/random.h"
#include "type/binary128.h"

#include <float.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static unsigned __int128 joined(uint64_t high, uint64_t low)
{
	return (unsigned __int128)high << 64 | low;
}

#if LDBL_MANT_DIG == 64

enum { DRAWS = 200000 };

/* Sign and exponent, significand; the other bytes are 0. */
static long double x86(uint16_t exponent, uint64_t significand)
{
	long double x;

	memset(&x, 0, sizeof(x));
	memcpy(&x, &significand, 8);
	memcpy((char *)&x + 8, &exponent, 2);
	return x;
}

static bool same(const long double *a, const long double *b)
{
	return !memcmp(a, b, 10);
}

static const uint64_t first = UINT64_C(1) << 63;
static const uint64_t ones = UINT64_MAX;

/* A checker of memory may compute with those of a double. */
static bool has_all_bits(void)
{
	volatile long double least = 0x1p-63L, sum = 1 + least;

	if (sum != 1)
		return true;
	tap_skip("this machine computes with fewer bits of a long double");
	return false;
}

static void specials(void)
{
	static const struct {
		uint16_t exponent;
		uint64_t significand;
		uint64_t high, low;
		bool stays;		/* and comes back */
	} cases[] = {
		{ 0, 0, 0, 0, true },
		{ 0x8000, 0, UINT64_C(0x8000) << 48, 0, true },
		/* 1, -1.5, the largest one, infinity */
		{ 0x3fff, 1ull << 63, UINT64_C(0x3fff) << 48, 0, true },
		{ 0xbfff, 3ull << 62, UINT64_C(0xbfff8) << 44, 0, true },
		{ 0x7ffe, ~0ull, 0x7ffeffffffffffff,
		  UINT64_C(0xfffe) << 48, true },
		{ 0x7fff, 1ull << 63, UINT64_C(0x7fff) << 48, 0, true },
		{ 0xffff, 1ull << 63, UINT64_C(0xffff) << 48, 0, true },
		/* the smallest normal one, and two that are denormal */
		{ 1, 1ull << 63, UINT64_C(1) << 48, 0, true },
		{ 0, 1, 0, UINT64_C(1) << 49, true },
		{ 0, ~0ull >> 1, 0x0000ffffffffffff,
		  UINT64_C(0xfffe) << 48, true },
		/* a denormal one that is written as 2^-16382 is */
		{ 0, 1ull << 63, UINT64_C(1) << 48, 0, false },
		/* NaNs: a quiet one, one that signals, one with a sign */
		{ 0x7fff, 3ull << 62, UINT64_C(0x7fff8) << 44, 0, true },
		{ 0x7fff, 1ull << 63 | 1, UINT64_C(0x7fff) << 48,
		  UINT64_C(1) << 49, true },
		{ 0xffff, 3ull << 62 | 5, UINT64_C(0xffff8) << 44,
		  UINT64_C(5) << 49, true },
		/* what the processor refuses: without the first bit */
		{ 0x7fff, 0, UINT64_C(0x7fff8) << 44, 0, false },
		{ 0x3fff, 1, UINT64_C(0x7fff8) << 44, UINT64_C(1) << 49,
		  false }
	};

	for (int i = 0; has_all_bits() && i < TAP_COUNT(cases); i++) {
		long double x = x86(cases[i].exponent, cases[i].significand);
		long double back;

		TAP_CHECK(wf_binary128(&x) ==
		       joined(cases[i].high, cases[i].low));
		wf_binary128_take(joined(cases[i].high, cases[i].low), &back);
		TAP_CHECK(same(&x, &back) == cases[i].stays);
	}
}

/* Of 49 bits that are cut, more than half, half, and a bit less. */
static void rounding(void)
{
	const uint64_t half = UINT64_C(1) << 48;
	const struct {
		uint64_t high, low;
		uint16_t exponent;
		uint64_t significand;
	} cases[] = {
		{ UINT64_C(0x3fff) << 48, half - 1, 0x3fff, first },
		{ UINT64_C(0x3fff) << 48, half, 0x3fff, first },
		{ UINT64_C(0x3fff) << 48, half + 1, 0x3fff, first | 1 },
		{ UINT64_C(0x3fff) << 48, 3 * half, 0x3fff, first | 2 },
		{ UINT64_C(0xbfff) << 48, 3 * half, 0xbfff, first | 2 },
		/* to the next power of 2, to infinity, from denormal ones */
		{ 0x3fffffffffffffff, ones, 0x4000, first },
		{ 0x7ffeffffffffffff, ones, 0x7fff, first },
		{ 0xfffeffffffffffff, ones, 0xffff, first },
		{ 0x0000ffffffffffff, ones, 1, first },
		{ 0, half + 1, 0, 1 },
		{ 0, half, 0, 0 },
		{ 0, 1, 0, 0 },
		/* a NaN whose bits are all cut is one still */
		{ UINT64_C(0x7fff) << 48, 1, 0x7fff, 3ull << 62 },
		{ UINT64_C(0xffff) << 48, half + 1, 0xffff, 3ull << 62 },
		{ 0x7fffffffffffffff, ones, 0x7fff, ones }
	};

	for (int i = 0; has_all_bits() && i < TAP_COUNT(cases); i++) {
		long double x = x86(cases[i].exponent, cases[i].significand);
		long double got;

		wf_binary128_take(joined(cases[i].high, cases[i].low), &got);
		TAP_CHECK(same(&x, &got));
	}
}

/* Exponents of all sorts, those at the edges often. */
static unsigned __int128 draw(struct wf_random *random)
{
	static const uint64_t edges[] = { 0, 1, 0x3fff, 0x7ffe, 0x7fff };
	uint64_t exponent = wf_random_below(random, 2) ?
		edges[wf_random_below(random, TAP_COUNT(edges))] :
		wf_random_below(random, 0x8000);
	uint64_t high = wf_random_u64(random) >> 16;

	exponent |= wf_random_below(random, 2) << 15;
	return joined(exponent << 48 | high, wf_random_u64(random));
}

static void drawn(void)
{
	struct wf_random random;

	wf_random_init(&random, 29);
	for (int i = 0; has_all_bits() && i < DRAWS; i++) {
		unsigned __int128 bits = draw(&random), again;
		__float128 wide;
		long double want, got;

		memcpy(&wide, &bits, sizeof(wide));
		want = (long double)wide;
		wf_binary128_take(bits, &got);
		if (want != want) {
			TAP_CHECK(got != got);
			continue;
		}
		TAP_CHECK(same(&want, &got));
		wide = want;
		memcpy(&again, &wide, sizeof(again));
		TAP_CHECK(wf_binary128(&got) == again);
	}
}

#else

static void specials(void)
{
	long double one = -1.5L, got;

	TAP_CHECK(wf_binary128(&one) == joined(UINT64_C(0xbfff8) << 44, 0));
	wf_binary128_take(joined(UINT64_C(0xbfff8) << 44, 0), &got);
	TAP_CHECK(got == one);
}

static void rounding(void)
{
	tap_skip("a long double has as many bits");
}

static void drawn(void)
{
	tap_skip("a long double has as many bits");
}

#endif

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "what is special", specials },
		{ "to the nearest one", rounding },
		{ "as the compiler does it", drawn },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
