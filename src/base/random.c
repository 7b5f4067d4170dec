/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Seeded random numbers.
 *
 * xoshiro256** and splitmix64 are by Blackman and Vigna (public domain); their
 * published numbers are what the test compares with.
 */
#include "base/random.h"

#include "base/assert.h"

static uint64_t rotate(uint64_t x, int bits)
{
	return x << bits | x >> (64 - bits);
}

static uint64_t splitmix64(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

void wf_random_init(struct wf_random *random, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		random->s[i] = splitmix64(&seed);
}

uint64_t wf_random_u64(struct wf_random *random)
{
	uint64_t *s = random->s;
	uint64_t result = rotate(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return result;
}

uint64_t wf_random_below(struct wf_random *random, uint64_t n)
{
	/* numbers below 2^64 mod n would make the small results too frequent */
	uint64_t reject = -n % n;
	uint64_t x;

	WF_ASSERT(n > 0);
	do
		x = wf_random_u64(random);
	while (x < reject);
	return x % n;
}

double wf_random_unit(struct wf_random *random)
{
	return (double)(wf_random_u64(random) >> 11) * 0x1p-53;
}
