/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fills and checks message buffers; called between timed sections only.
 */
#include "bench/weft_bench_pattern.h"

#include <string.h>

/* The finaliser of splitmix64: every input bit changes half of the output. */
static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

static uint64_t key_of(struct bench_stamp stamp)
{
	return mix(mix(stamp.epoch + 1) ^
		   ((uint64_t)stamp.sender << 32 | stamp.edge));
}

static uint64_t word_at(uint64_t key, size_t i)
{
	return mix(key + i * 0x9e3779b97f4a7c15u);
}

void bench_pattern_fill(void *buffer, size_t bytes, struct bench_stamp stamp)
{
	uint64_t key = key_of(stamp);
	char *at = buffer;

	for (size_t i = 0; bytes; i++) {
		uint64_t word = word_at(key, i);
		size_t n = bytes < sizeof(word) ? bytes : sizeof(word);

		memcpy(at, &word, n);
		at += n;
		bytes -= n;
	}
}

static size_t wrong_bytes(const char *have, uint64_t word, size_t n)
{
	const char *want = (const char *)&word;
	size_t wrong = 0;

	if (!memcmp(have, want, n))
		return 0;
	for (size_t i = 0; i < n; i++)
		wrong += have[i] != want[i];
	return wrong;
}

size_t bench_pattern_check(const void *buffer, size_t bytes,
			   struct bench_stamp stamp)
{
	uint64_t key = key_of(stamp);
	const char *at = buffer;
	size_t wrong = 0;

	for (size_t i = 0; bytes; i++) {
		size_t n = bytes < 8 ? bytes : 8;

		wrong += wrong_bytes(at, word_at(key, i), n);
		at += n;
		bytes -= n;
	}
	return wrong;
}
