/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A long double of C as the 128 bits of IEEE 754, sign, exponent of 15 bits,
 * fraction of 112, as a number; and back, to the nearest one, of two the even
 * one.  By bits alone, so it does not matter how the program has set rounding,
 * and a NaN that signals does not do so here.
 */
#ifndef WEFT_TYPE_BINARY128_H
#define WEFT_TYPE_BINARY128_H

unsigned __int128 wf_binary128(const void *long_double);
void wf_binary128_take(unsigned __int128 bits, void *long_double);

#endif
