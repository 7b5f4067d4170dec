/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checksums of bytes.
 *
 * Called at set-up, on a few hundred bytes: small code, no large tables.
 */
#include "base/hash.h"

#include <endian.h>
#include <string.h>

uint64_t wf_hash64(const void *data, size_t bytes, uint64_t seed)
{
	const unsigned char *at = data;
	uint64_t hash = seed ^ 0xcbf29ce484222325ull;

	for (size_t i = 0; i < bytes; i++)
		hash = (hash ^ at[i]) * 0x100000001b3ull;
	/* the last bytes reach the low bits only: spread them over all */
	hash ^= hash >> 33;
	hash *= 0xff51afd7ed558ccdull;
	hash ^= hash >> 33;
	hash *= 0xc4ceb9fe1a85ec53ull;
	return hash ^ hash >> 33;
}

uint32_t wf_crc32(const void *data, size_t bytes)
{
	/* remainders of the 16 values of 4 bits, polynomial 0xedb88320 */
	static const uint32_t nibble[16] = {
		0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
		0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
		0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
		0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
	};
	const unsigned char *at = data;
	uint32_t crc = 0xffffffff;

	for (size_t i = 0; i < bytes; i++) {
		crc ^= at[i];
		crc = crc >> 4 ^ nibble[crc & 15];
		crc = crc >> 4 ^ nibble[crc & 15];
	}
	return ~crc;
}

static uint64_t turn(uint64_t x, int bits)
{
	return x << bits | x >> (64 - bits);
}

static void mix(uint64_t v[4], int rounds)
{
	while (rounds-- > 0) {
		v[0] += v[1];
		v[2] += v[3];
		v[1] = turn(v[1], 13) ^ v[0];
		v[3] = turn(v[3], 16) ^ v[2];
		v[0] = turn(v[0], 32);
		v[2] += v[1];
		v[0] += v[3];
		v[1] = turn(v[1], 17) ^ v[2];
		v[3] = turn(v[3], 21) ^ v[0];
		v[2] = turn(v[2], 32);
	}
}

static void take(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	mix(v, 2);
	v[0] ^= word;
}

uint64_t wf_tag64(const void *data, size_t bytes, const uint64_t key[2])
{
	/* "somepseudorandomlygeneratedbytes" */
	uint64_t v[4] = {
		key[0] ^ 0x736f6d6570736575ull, key[1] ^ 0x646f72616e646f6dull,
		key[0] ^ 0x6c7967656e657261ull, key[1] ^ 0x7465646279746573ull
	};
	const char *at = data;
	size_t left = bytes;
	uint64_t word;

	for (; left >= sizeof(word); left -= sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		take(v, le64toh(word));
		at += sizeof(word);
	}
	/* the rest, and the length in the last byte */
	word = 0;
	memcpy(&word, at, left);
	take(v, le64toh(word) | (uint64_t)bytes << 56);
	v[2] ^= 0xff;
	mix(v, 4);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}
