/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checksums: the values that go over the wire must never change.
 */
#include "base/hash.h"
#include "base/random.h"
#include "tests/tap.h"

static void crc32(void)
{
	/* the check value that every description of CRC-32 gives */
	TAP_EQUAL(wf_crc32("123456789", 9), 0xcbf43926);
	TAP_EQUAL(wf_crc32("", 0), 0);
	TAP_EQUAL(wf_crc32("a", 1), 0xe8b7be43);
}

/* Bit by bit, as the definition says. */
static uint32_t slow_crc32(const unsigned char *data, size_t n)
{
	uint32_t crc = 0xffffffff;

	for (size_t i = 0; i < 8 * n; i++) {
		uint32_t bit = (data[i / 8] >> i % 8 ^ crc) & 1;

		crc = crc >> 1 ^ (bit ? 0xedb88320 : 0);
	}
	return ~crc;
}

static void crc32_all_bytes(void)
{
	unsigned char data[256];

	for (int i = 0; i < 256; i++)
		data[i] = (unsigned char)(i * 7);
	for (size_t n = 0; n <= 256; n++)
		TAP_CHECK(wf_crc32(data, n) == slow_crc32(data, n));
}

/* FNV-1a of "a" with the final mix of MurmurHash3, computed elsewhere. */
static void hash64(void)
{
	TAP_CHECK(wf_hash64("", 0, 0) == 0xefd01f60ba992926ull);
	TAP_CHECK(wf_hash64("a", 1, 0) == 0x82a2a958a9bece5bull);
	TAP_CHECK(wf_hash64("foobar", 6, 0) == 0x2c22194922d1672bull);
	TAP_CHECK(wf_hash64("foobar", 6, 1) != wf_hash64("foobar", 6, 0));
}

/* A changed bit changes about half of the bits of the hash. */
static void spreading(void)
{
	unsigned char data[16] = { 0 };
	uint64_t before = wf_hash64(data, sizeof(data), 0);

	for (int bit = 0; bit < 128; bit++) {
		int changed;

		data[bit / 8] ^= (unsigned char)(1 << bit % 8);
		changed = __builtin_popcountll(
			before ^ wf_hash64(data, sizeof(data), 0));
		TAP_CHECK(changed > 12 && changed < 52);
		data[bit / 8] ^= (unsigned char)(1 << bit % 8);
	}
}

/* The vectors of the paper's authors: key 00 to 0f, of n bytes 00, 01, ... */
static void tag64(void)
{
	static const struct {
		size_t n;
		uint64_t tag;
	} want[] = {
		{ 0, 0x726fdb47dd0e0e31ull }, { 1, 0x74f839c593dc67fdull },
		{ 8, 0x93f5f5799a932462ull }, { 15, 0xa129ca6149be45e5ull }
	};
	const uint64_t key[2] = { 0x0706050403020100ull,
				  0x0f0e0d0c0b0a0908ull };
	unsigned char data[16];

	for (int i = 0; i < 16; i++)
		data[i] = (unsigned char)i;
	for (size_t i = 0; i < TAP_COUNT(want); i++)
		TAP_CHECK(wf_tag64(data, want[i].n, key) == want[i].tag);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "crc32", crc32 },
		{ "crc32 of all bytes", crc32_all_bytes },
		{ "hash64", hash64 },
		{ "hash64 spreads", spreading },
		{ "a tag takes the key", tag64 },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
