/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers of random programs of exchanges.  Everything is a function of keys,
 * so that both ends of an edge know its length and bytes without talking.
 */
#include <string.h>

#include "tests/exchange/exchange_draw.h"

static const uint64_t step = 0x9e3779b97f4a7c15;

static uint64_t finish(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

uint64_t draw_mix(uint64_t a, uint64_t b)
{
	return finish(a * step + finish(b + step));
}

uint64_t draw_u64(struct draw *draw)
{
	draw->state += step;
	return finish(draw->state);
}

/* The bias of the remainder does not matter here. */
uint64_t draw_below(struct draw *draw, uint64_t n)
{
	return draw_u64(draw) % n;
}

bool draw_chance(struct draw *draw, unsigned int one_in)
{
	return one_in && draw_below(draw, one_in) == 0;
}

size_t draw_bytes(struct draw *draw, size_t max)
{
	static const size_t limits[] = { 28, 56, 256, 1024, 65536 };
	int top = 63 - __builtin_clzll(max);
	size_t bytes;

	if (draw_below(draw, 10) == 0)
		return 0;
	if (draw_below(draw, 8) == 0) {
		bytes = limits[draw_below(draw, 5)] - 1;
		bytes += draw_below(draw, 3);
	} else {
		bytes = (size_t)1 << draw_below(draw, (uint64_t)top + 1);
		bytes += draw_below(draw, bytes);
	}
	return bytes < max ? bytes : max;
}

static uint64_t word(uint64_t key, uint64_t i)
{
	uint64_t x = (key + i) * step;

	return x ^ x >> 32;
}

void pattern_fill(void *to, size_t n, uint64_t key)
{
	char *p = to;
	size_t i = 0;

	for (; n - i >= 8; i += 8) {
		uint64_t w = word(key, i);

		memcpy(p + i, &w, 8);
	}
	if (i < n) {
		uint64_t w = word(key, i);

		memcpy(p + i, &w, n - i);
	}
}

bool pattern_holds(const void *from, size_t n, uint64_t key)
{
	const char *p = from;
	uint64_t wrong = 0;
	size_t i = 0;

	for (; n - i >= 8; i += 8) {
		uint64_t w;

		memcpy(&w, p + i, 8);
		wrong |= w ^ word(key, i);
	}
	if (i < n) {
		uint64_t w = word(key, i);

		wrong |= memcmp(p + i, &w, n - i) != 0;
	}
	return !wrong;
}
