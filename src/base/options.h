/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Structures of the program that grow with the releases: each begins with a
 * size_t, its size when the program was built.
 */
#ifndef WEFT_BASE_OPTIONS_H
#define WEFT_BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroes `size` bytes and notes the size; nothing where that has no room. */
void wf_options_init(void *options, size_t size);

/*
 * Into a structure of this release, of `bytes` bytes: one that ends earlier has
 * 0 for the other members; of one that ends later what follows must be 0.
 * NULL: all members are 0.  false: why says what is wrong, and what to do by
 * that function.
 */
bool wf_options_read(const void *options, void *known, size_t bytes,
		     const char *init, char *why, size_t why_bytes);

#endif
