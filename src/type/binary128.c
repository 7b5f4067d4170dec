/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * long double to and from 128 bits: see binary128.h.
 *
 * The one of x86 has a significand of 64 bits, whose first one is written: 0
 * where the exponent is 0, else 1.  Exponents are the same, so the other 63 are
 * the first ones of the fraction, and a carry out of a fraction is the next
 * exponent, from the denormal ones to infinity.
 */
#include "type/binary128.h"

#include <float.h>
#include <stdint.h>
#include <string.h>

#if LDBL_MANT_DIG == 64

enum {
	CUT = 112 - 63,			/* bits that x86 has not */
	MOST = 0x7fff			/* exponent of infinity and NaN */
};

/* The first bytes of one; the others are 0. */
struct x86 {
	uint64_t significand;
	uint16_t exponent;		/* and the sign */
};

static const uint64_t first = UINT64_C(1) << 63;
static const uint64_t quiet = UINT64_C(1) << 62;

/* Without its first bit, but of a kind that the processor refuses: a NaN. */
static uint64_t fraction_of(const struct x86 *x, unsigned int exponent)
{
	return exponent && !(x->significand & first) ?
	       x->significand | quiet : x->significand & ~first;
}

unsigned __int128 wf_binary128(const void *long_double)
{
	struct x86 x = { 0, 0 };
	unsigned int exponent;
	unsigned __int128 bits;

	memcpy(&x.significand, long_double, 8);
	memcpy(&x.exponent, (const char *)long_double + 8, 2);
	exponent = x.exponent & MOST;
	if (exponent && !(x.significand & first))
		exponent = MOST;
	else if (!exponent && x.significand & first)
		exponent = 1;
	bits = (unsigned __int128)exponent << 112;
	bits |= (unsigned __int128)fraction_of(&x, exponent) << CUT;
	return bits | (unsigned __int128)(x.exponent & ~MOST) << 112;
}

/* The bit behind the last one that stays, and whether any follows it. */
static unsigned int rounds_up(unsigned __int128 bits)
{
	const unsigned __int128 half = (unsigned __int128)1 << (CUT - 1);
	const unsigned __int128 rest = bits & (2 * half - 1);

	return rest > half || (rest == half && bits >> CUT & 1);
}

void wf_binary128_take(unsigned __int128 bits, void *long_double)
{
	const unsigned __int128 sign = (unsigned __int128)1 << 127;
	unsigned __int128 kept = (bits & ~sign) >> CUT;
	const unsigned __int128 infinity = (unsigned __int128)MOST << 63;
	struct x86 x;

	if (kept < infinity)
		kept += rounds_up(bits);
	else if (kept == infinity && (bits << 16))
		kept |= quiet;
	x.significand = (uint64_t)kept & ~first;
	x.exponent = (uint16_t)(kept >> 63);
	if (x.exponent)
		x.significand |= first;
	if (bits & sign)
		x.exponent |= 0x8000;
	memset(long_double, 0, sizeof(long double));
	memcpy(long_double, &x.significand, 8);
	memcpy((char *)long_double + 8, &x.exponent, 2);
}

#elif LDBL_MANT_DIG == 113

unsigned __int128 wf_binary128(const void *long_double)
{
	unsigned __int128 bits;

	memcpy(&bits, long_double, sizeof(bits));
	return bits;
}

void wf_binary128_take(unsigned __int128 bits, void *long_double)
{
	memcpy(long_double, &bits, sizeof(bits));
}

#else
#error "long double is neither that of x86 nor that of IEEE 754"
#endif
