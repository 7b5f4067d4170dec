/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The content of weft-bench --verify: it must show a byte of another edge,
 * another operation or another place, and any single wrong byte.
 */
#include "bench/weft_bench_pattern.h"
#include "tests/tap.h"

enum {
	BYTES = 203		/* not a multiple of a word */
};

static const struct bench_stamp stamp = { 3, 1, 17 };

static void own_content(void)
{
	unsigned char buffer[BYTES + 1];

	for (size_t n = 0; n <= BYTES; n++) {
		buffer[n] = 0x5a;
		bench_pattern_fill(buffer, n, stamp);
		TAP_EQUAL(bench_pattern_check(buffer, n, stamp), 0);
		TAP_EQUAL(buffer[n], 0x5a);
	}
}

static void each_single_byte(void)
{
	unsigned char buffer[BYTES];

	bench_pattern_fill(buffer, BYTES, stamp);
	for (size_t i = 0; i < BYTES; i++) {
		buffer[i] ^= 1;
		TAP_EQUAL(bench_pattern_check(buffer, BYTES, stamp), 1);
		buffer[i] ^= 1;
	}
}

/* Random bytes agree by chance in 1 of 256. */
static void other_content(void)
{
	static const struct bench_stamp others[] = {
		{ 2, 1, 17 }, { 3, 0, 17 }, { 3, 1, 16 }, { 3, 1, 18 },
		{ 1, 3, 17 }
	};
	unsigned char buffer[BYTES];

	for (int i = 0; i < TAP_COUNT(others); i++) {
		bench_pattern_fill(buffer, BYTES, others[i]);
		TAP_CHECK(bench_pattern_check(buffer, BYTES, stamp) >
			  BYTES * 9 / 10);
	}
	bench_pattern_fill(buffer, BYTES, stamp);
	memmove(buffer, buffer + 8, BYTES - 8);
	TAP_CHECK(bench_pattern_check(buffer, BYTES, stamp) > BYTES * 9 / 10);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "own content is right, and no longer than asked",
		  own_content },
		{ "each single wrong byte is counted", each_single_byte },
		{ "other edges, operations and places differ",
		  other_content },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
